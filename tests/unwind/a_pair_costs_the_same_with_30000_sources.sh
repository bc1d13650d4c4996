#!/bin/sh
# What a pair of malloc() and free() takes, in instructions, does not grow with the sources that
# there are, where its own is known: with 30,000 of them it is within 1.5 times of that with 300.
# Each pair has another source than the one before, which differs in the outermost frame, so all of
# its stack is unwound. Counted under callgrind; only the pairs are instrumented.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
# No snapshot among the pairs.
(cd lib && CC=gcc CFLAGS='-DPMEM_CHURN_THRESH=0x10000000000' PREFIX=$PMEM_ROOT \
	"$PMEM_ROOT/compile.sh" library)

cat >pairs.c <<'END'
#include <stdlib.h>
#include <valgrind/callgrind.h>

// Each path has a stack of its own, which its lowest bit begins at its outer end.
__attribute__((noipa)) void *left(int depth, unsigned path);
__attribute__((noipa)) void *
right(int depth, unsigned path)
{
	if (depth == 0)
		return malloc(16);
	return path & 1 ? left(depth - 1, path >> 1) : right(depth - 1, path >> 1);
}

__attribute__((noipa)) void *
left(int depth, unsigned path)
{
	if (depth == 0)
		return malloc(17);
	return path & 1 ? left(depth - 1, path >> 1) : right(depth - 1, path >> 1);
}

int
main(int count, char **arguments)
{
	unsigned sources = (unsigned)atoi(arguments[count - 1]);

	for (int round = 0; round < 2; round++) {
		if (round == 1)
			CALLGRIND_START_INSTRUMENTATION;
		for (unsigned path = 0; path < sources; path++)
			free(left(15, path));
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	return 0;
}
END
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -o pairs pairs.c

for sources in 300 30000; do
	LD_PRELOAD=$PWD/lib/libpmem.so valgrind --tool=callgrind --instr-atstart=no \
		--callgrind-out-file=out ./pairs $sources >said 2>&1 || { cat said; exit 1; }
	cost=$(($(sed -n 's/^totals: //p' out) / sources))
	echo "figure: $sources sources: $cost instructions a pair"
	[ $cost -gt 100 ] || { echo "nothing was counted"; exit 1; }
	: "${few:=$cost}"
done
[ $((cost * 2)) -le $((few * 3)) ] || { echo "$few to $cost: not within 1.5 times"; exit 1; }
