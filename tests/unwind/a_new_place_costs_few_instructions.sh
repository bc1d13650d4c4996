#!/bin/sh
# What the first allocation from a place in a library takes, in instructions, with the rule for that
# place, its stack and its source: 5,960 when this was written (gcc 12, -O2), and no more than 5 %
# above that. It was 6,620 when the name of each new place's library was read to see whether it is
# an interpreter's. Counted under callgrind, which is exact; only the allocations are instrumented.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
# No snapshot among the allocations.
(cd lib && CC=gcc CFLAGS='-DPMEM_CHURN_THRESH=0x10000000000' PREFIX=$PMEM_ROOT \
	"$PMEM_ROOT/compile.sh" library)

cat >places.c <<'END_OF_SOURCE'
#include <stdlib.h>

#define PLACE(n) static __attribute__((noipa)) void *place##n(void) { \
	void *block = malloc(16); __asm__(""); return block; }
#include "places.h"
#undef PLACE
#define PLACE(n) place##n,
void *(*const places[])(void) = {
#include "places.h"
};
END_OF_SOURCE
cat >new.c <<'END_OF_SOURCE'
#include <stddef.h>
#include <valgrind/callgrind.h>

extern void *(*const places[])(void);

int
main(void)
{
	int none = 0;

	for (int i = 0; i < 3000; i++) {
		if (i == 1000)
			CALLGRIND_START_INSTRUMENTATION;
		none += places[i]() == NULL;
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	return none;
}
END_OF_SOURCE
seq -f 'PLACE(%.0f)' 3000 >places.h
gcc -O1 -fno-builtin -shared -fPIC -o libplaces.so places.c
gcc -O1 -o new new.c -L. -lplaces -Wl,-rpath,/proc/self/cwd

LD_PRELOAD=$PWD/lib/libpmem.so valgrind --tool=callgrind --instr-atstart=no \
	--callgrind-out-file=out ./new >said 2>&1 || { cat said; exit 1; }
cost=$(($(sed -n 's/^totals: //p' out) / 2000))
echo "figure: a new place: $cost instructions"
[ $cost -gt 1000 ] || { echo "the library was not there"; exit 1; }
[ $cost -le 6250 ] || { echo "more than 6250"; exit 1; }
