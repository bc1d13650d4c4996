#!/bin/sh
# Ruby from 3.3 on, as Debian builds it, shows no rb_vm_exec: stacks are those of its functions, and
# the log says that this version is not known.

set -eu
cat >ruby.c <<'CODE'
#include <stdlib.h>

const int ruby_api_version[3] = {3, 9, 0};
void *ruby_allocate(size_t bytes);

__attribute__((noipa)) void *
ruby_allocate(size_t bytes)
{
	char *block = malloc(bytes);
	return block ? block + 1 - 1 : NULL;
}
CODE
cat >program.c <<'CODE'
#include <stdlib.h>

void *ruby_allocate(size_t bytes);
void *kept[100];

int
main(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = ruby_allocate(5000);
	return 0;
}
CODE
${CC:-cc} -shared -fPIC -O1 -o libruby-3.9.so ruby.c
${CC:-cc} -O1 -o program program.c -L. -lruby-3.9 -Wl,-rpath,"$PWD"
LD_PRELOAD=$PMEM_LIBRARY ./program
[ "$(grep -c '^# note this version of Ruby is not known' pmem.*.log)" -eq 1 ] || {
	echo "the log does not say, once, that this Ruby is not known:"
	cat pmem.*.log
	exit 1
}
