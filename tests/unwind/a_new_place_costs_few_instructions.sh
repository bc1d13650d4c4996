#!/bin/sh
# long
# What the first allocation from a place in a library takes, in instructions, with the rule for that
# place, its stack and its source: 6,210 (gcc 12, -O2), and no more than 4 % above that. 780 of them ask
# the kernel whether the pages are there that the rule is read from: six for each place, as
# a_new_place_costs_few_system_calls.sh counts. Without that it was 5,430, and 6,330 when each read asked;
# before, 6,040 when each recent stack was walked along to find one that ends alike, and 6,620 when the name
# of each new place's library was read to see whether it is an interpreter's. Counted under callgrind, which is exact; only the allocations are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet"

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

cost=$(($(marked "$library" ./new) / 2000))
echo "figure: a new place: $cost instructions"
within $cost 1000 6450
