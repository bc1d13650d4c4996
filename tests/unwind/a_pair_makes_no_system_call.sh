#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=1000000000
# A million pairs make no more system calls than a thousand, once stacks and slots are known, and
# 200,000 on each allocator. The kernel lays out a stack by chance, on a page more or less, and
# each page is asked for once. Nor do pairs of 64 KiB, as zlib has them.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
${CC:-gcc} -O2 -fno-optimize-sibling-calls -o pairs "$PMEM_ROOT/tests/lib/pairs.c"

# calls COUNT ALLOCATOR: the system calls of a run.
calls() {
	rm -f pmem.*.log
	strace -f -o trace -E LD_PRELOAD="$PMEM_LIBRARY $2" $program "$1"
	grep -c '^[0-9]* *[a-z]' trace
}

# judge COUNT MOST ALLOCATOR: what COUNT pairs make more than a thousand do.
judge() {
	few=$(calls 1000 "$3")
	many=$(calls "$1" "$3")
	echo "figure: ${3:+on ${3##*/} }$few system calls with 1,000 pairs, $many with $1"
	[ -s "$(ls pmem.*.log | head -n 1)" ]
	[ "$few" -gt 20 ] && [ $((many - few)) -le "$2" ]
}

program="./pairs 30"
judge 1000000 2 ""
cat >large.c <<'HOST'
#include <stdlib.h>

int
main(int count, char **arguments)
{
	void *below = malloc(1 << 16); // what is above it does not go back to the kernel
	for (int i = 0; i < atoi(arguments[1]); i++) {
		void *block = malloc(1 << 16), *above = malloc(1);
		free(block);
		free(above);
	}
	return below == NULL || count != 2;
}
HOST
${CC:-gcc} -O2 -fno-builtin -o large large.c
program=./large
judge 3000 2 ""
program="./pairs 30"
# Others lay out what is theirs by chance, too.
for name in libjemalloc.so.2 libtcmalloc.so.4 libtcmalloc_minimal.so.4 libmimalloc.so.2; do
	allocator=$(gcc -print-file-name=$name)
	[ "$allocator" != $name ] || { echo "skipped: needs $name"; exit 77; }
	judge 200000 10 "$allocator"
done
