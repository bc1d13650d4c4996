#!/bin/sh
# long: costs
# What a pair of malloc() and free() takes, in instructions, does not grow with the places that the
# program allocates from, as long as all their rules are remembered: from 12,000 places in turn it
# is at most 25 more than from 2,000. It was 47 more with room for 16,384 rules, where many did not
# stand where they are looked for first. Counted under callgrind; only the pairs are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet"

cat >pairs.c <<'END_OF_SOURCE'
#include <stdlib.h>
#include <valgrind/callgrind.h>

#define PLACE(n) static __attribute__((noipa)) void place##n(void) { free(malloc(16)); }
#include "places.h"
#undef PLACE
#define PLACE(n) place##n,
static void (*const places[])(void) = {
#include "places.h"
};

int
main(int count, char **arguments)
{
	int used = atoi(arguments[count - 1]);

	for (int round = 0; round < 3; round++) {
		if (round == 2)
			CALLGRIND_START_INSTRUMENTATION;
		for (int i = 0; i < used; i++)
			places[i]();
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	return 0;
}
END_OF_SOURCE
seq -f 'PLACE(%.0f)' 12000 >places.h
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -o pairs pairs.c

each_of ./pairs 2000 12000
[ $((cost - few)) -le 25 ] || { echo "$few to $cost: more than 25"; exit 1; }
