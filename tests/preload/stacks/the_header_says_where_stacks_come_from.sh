#!/bin/sh
# The log's header says `stacks=backtrace` where the library has no unwinder, and says nothing elsewhere.

set -eu
cat >churn.c <<'CODE'
#include <stdlib.h>

int
main(void)
{
	for (int i = 0; i < 100; i++) {
		void *volatile block = malloc(100000);
		free(block);
	}
	return 0;
}
CODE
$CC -o churn churn.c
LD_PRELOAD=$PMEM_LIBRARY ./churn
said=no
head -n 1 pmem.*.log | grep -q '^# pmem .* stacks=backtrace ' && said=yes
is_built=no
[ -d "$PMEM_ROOT/src/unwind" ] && [ -n "$("$PMEM_ROOT/src/unwind/processor.sh" "$CC")" ] && is_built=yes
[ $said != $is_built ] || {
	echo "stacks=backtrace: $said, an unwinder: $is_built"
	head -n 1 pmem.*.log
	exit 1
}
