#!/bin/sh
# long: costs
# What the last snapshot takes, in instructions a source, where 30,000 sources hold memory and all are
# sorted by how much: 3,780 when this was written (gcc 12, -O2), and no more than 15 % above that. It
# was 6,610 when each comparison of two sources added up what both have. Counted under callgrind, which is
# exact; only what comes behind main() is instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet -DPMEM_EXIT_MIN_CHURN=0"

cat >last.c <<'END_OF_C'
#include <valgrind/callgrind.h>

#include "leftright.h"

enum { SOURCES = 30000 };

static unsigned bytes;

static void *
some(void)
{
	return malloc(bytes);
}

int
main(void)
{
	static void *volatile kept[SOURCES];

	many_leaf = some;
	for (unsigned i = 0; i < SOURCES; i++) {
		bytes = 16 + i * 7919 % 4001;
		kept[i] = left(15, i);
	}
	CALLGRIND_START_INSTRUMENTATION;
}
END_OF_C
gcc -O2 -fno-optimize-sibling-calls -I"$PMEM_ROOT/tests/lib" -o last last.c

each=$(($(marked "$library" ./last) / 30000))
echo "figure: $each instructions a source"
grep -q 'reason=exit .* sources=300[0-9][0-9]/' pmem.*.log || { echo "they did not hold memory"; exit 1; }
within $each 500 4340
