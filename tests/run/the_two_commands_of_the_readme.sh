#!/bin/sh
# The commands below README's "Two commands" do, as they are typed in its folder after a build, what they
# are said to do; but for the server's name.

set -eu
mkdir build
cp "$PMEM_SHIPPED/pmem" "$PMEM_SHIPPED/libpmem.so" build
cat >server.c <<'END'
#include <stdlib.h>
char *volatile kept;
int main(void) {
	for (int i = 0; i < 20000; i++) {
		kept = malloc(1000);
		free(malloc(1000));
	}
	return 0;
}
END
$CC -O0 -rdynamic -o server server.c
sed -n '/^## Two commands$/,/^## /s/^    //p' "$PMEM_ROOT/README.md" \
	| sed 's,your-server --its-options,./server,' >commands
[ "$(wc -l <commands)" -eq 2 ]
sh -e commands >told 2>words || { cat words; exit 1; }
grep -q "^pmem: the log of process [0-9]*, once it has one: $PWD/pmem\.[0-9]*\.log$" words
grep -q "^pmem: log: $PWD/pmem\.[0-9]*\.log$" words
grep -q '^server (process [0-9]*, ended ' told || { cat told words; exit 1; }
