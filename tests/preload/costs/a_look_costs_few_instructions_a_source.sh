#!/bin/sh
# long
# What a snapshot takes of all that has been counted, in instructions a source, where 30,000 sources
# stand still and hold nothing: 220 when this was written (gcc 12, -O2), and no more than 15 % above
# that. It was 453 when each was summed up number by number and looked at three times. Counted under
# callgrind, which is exact; only the snapshots are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build ''

cat >still.c <<'END'
#include <valgrind/callgrind.h>

#include "src/pmem.h"
#include "leftright.h"

enum { SOURCES = 30000, SNAPSHOTS = 20 };

int
main(void)
{
	for (unsigned path = 0; path < SOURCES; path++)
		free(left(15, path));
	if (pmem_snapshot && pmem_snapshot("all moved") < 0)
		return 1;
	CALLGRIND_START_INSTRUMENTATION;
	for (int i = 0; pmem_snapshot && i < SNAPSHOTS; i++) {
		if (pmem_snapshot("none moved") < 0)
			return 1;
	}
	CALLGRIND_STOP_INSTRUMENTATION;
}
END
gcc -O2 -fno-optimize-sibling-calls -I"$PMEM_ROOT" -I"$PMEM_ROOT/tests/lib" -o still still.c

each=$(($(marked "$library" ./still) / 30000 / 20))
echo "figure: $each instructions a source and snapshot"
within $each 20 253
