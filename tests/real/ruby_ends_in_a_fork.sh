#!/bin/sh
# A fork's block of Ruby's ends in exit() inside the interpreter: Ruby has ended there, and exit handlers
# of C, as OpenSSL's, allocate. The child ends as without us.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs ruby ruby

cat >exits.c <<'END'
#include <stdlib.h>
static void *volatile block;
static void
last(void)
{
	for (int i = 0; i < 100; i++) {
		block = malloc(1000 + i);
		free(block);
	}
}
void
Init_exits(void)
{
	atexit(last);
}
END
"${CC:-gcc}" -shared -fPIC -o exits.so exits.c
cat >forks.rb <<'END'
require_relative "exits"
kept = (1..1000).map { |i| "k" * (1000 + i) }
5.times do
  pid = fork { kept << "k" * 9000 }
  Process.wait(pid)
  p $?.exitstatus
end
END
same 0 forks ruby ../forks.rb
[ "$(tr '\n' ' ' <forks.logged.out)" = '0 0 0 0 0 ' ] || fail "children" forks.logged.out
# The lines of what they kept were read before.
grep -q '/forks.rb:[0-9]* in ' logged/pmem.*.log || fail "no lines"
agree 2 logged/pmem.*.log
