#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=1000000000
# A million pairs make no system call once stacks and slots are known, and 200,000 on each allocator.
# Nor do pairs of 64 KiB, as zlib has them. Of one process, since the kernel lays out each by chance:
# how many pages of a stack and chunks of a table it touches is not the same twice.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
${CC:-gcc} -O2 -fno-optimize-sibling-calls -o pairs "$PMEM_ROOT/tests/lib/pairs.c"

# judge COUNT MOST ALLOCATOR: the system calls of COUNT pairs, between two calls of sched_yield().
judge() {
	rm -f pmem.*.log
	strace -f -o trace -E LD_PRELOAD="$PMEM_LIBRARY $3" $program "$1"
	[ -s "$(ls pmem.*.log | head -n 1)" ]
	[ "$(grep -c 'sched_yield()' trace)" -eq 2 ]
	calls=$(sed -n '/sched_yield()/,/sched_yield()/p' trace | grep -vc 'sched_yield()') || true
	echo "figure: ${3:+on ${3##*/} }$calls system calls in $1 pairs"
	[ "$calls" -le "$2" ]
}

program="./pairs 30"
judge 1000000 0 ""
cat >large.c <<'HOST'
#include <sched.h>
#include <stdlib.h>

int
main(int count, char **arguments)
{
	void *below = malloc(1 << 16); // what is above it does not go back to the kernel
	for (int i = 0; i < 1000 + atoi(arguments[1]); i++) {
		if (i == 1000)
			sched_yield();
		void *block = malloc(1 << 16), *above = malloc(1);
		free(block);
		free(above);
	}
	sched_yield();
	return below == NULL || count != 2;
}
HOST
${CC:-gcc} -O2 -fno-builtin -o large large.c
program=./large
judge 3000 0 ""
program="./pairs 30"
for name in libjemalloc.so.2 libtcmalloc.so.4 libtcmalloc_minimal.so.4 libmimalloc.so.2; do
	allocator=$(gcc -print-file-name=$name)
	[ "$allocator" != $name ] || { echo "skipped: needs $name"; exit 77; }
	judge 200000 10 "$allocator"
done
