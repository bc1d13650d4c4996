#!/bin/sh
# long: costs
# What a pair of malloc() and free() takes, in instructions, whose stack has no source of its own,
# since it came when the table was nearly full and counts as one that is told apart by fewer
# frames: at most 100 more than with one of its own, since that is remembered, and asked for before
# all else. It was 163 more when all places of the index were looked at first. Each pair has
# another stack than the one before. Counted under callgrind; only the pairs are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet -DPMEM_EXIT_MIN_CHURN=0 -DPMEM_SOURCES=4096"

cat >pairs.c <<'END'
#include <valgrind/callgrind.h>

#include "leftright.h"

enum { DEPTH = 20, FILLING = 6000, PAIRS = 1000 };

int
main(int count, char **arguments)
{
	unsigned first = (unsigned)atoi(arguments[count - 1]);

	for (unsigned i = 0; i < FILLING + PAIRS; i++) {
		if (i == FILLING)
			CALLGRIND_START_INSTRUMENTATION;
		free(left(DEPTH, i < FILLING ? i : first + i - FILLING));
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	return 0;
}
END
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -I"$PMEM_ROOT/tests/lib" -o pairs pairs.c

# The first thousand have sources, the last one came when there was hardly any room.
for first in 0 5000; do
	cost=$(($(marked "$library" ./pairs $first) / 1000))
	echo "figure: paths from $first on: $cost instructions a pair"
	[ $cost -gt 100 ] || { echo "nothing was counted"; exit 1; }
	: "${own:=$cost}"
done
cut=$(grep -ho 'stacks_cut=[0-9]*' pmem.*.log | tail -n 1)
[ "${cut#*=}" -gt 0 ] || { echo "the table was not filled"; exit 1; }
[ $((cost - own)) -le 100 ] || { echo "$own to $cost: more than 100"; exit 1; }
