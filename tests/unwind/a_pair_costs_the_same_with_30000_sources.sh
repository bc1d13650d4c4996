#!/bin/sh
# long
# What a pair of malloc() and free() takes, in instructions, does not grow with the sources that
# there are, where its own is known: with 30,000 of them it is within 1.5 times of that with 300.
# Each pair has another source than the one before, which differs in the outermost frame, so all of
# its stack is unwound. Counted under callgrind; only the pairs are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet"

cat >pairs.c <<'END'
#include <valgrind/callgrind.h>

#include "leftright.h"

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
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -I"$PMEM_ROOT/tests/lib" -o pairs pairs.c

each_of ./pairs 300 30000
[ $((cost * 2)) -le $((few * 3)) ] || { echo "$few to $cost: not within 1.5 times"; exit 1; }
