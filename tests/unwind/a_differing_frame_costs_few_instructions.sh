#!/bin/sh
# long
# What each frame costs of a stack that differs from the one before in all frames, in instructions:
# 90 when this was written (gcc 12, -O2), and no more than 15 % above that. Counted under callgrind,
# which is exact, for a library built as users build it, of a pair of free() and malloc() from 256
# stacks in turn: what it costs more at depth 40 than at depth 20.

. "$PMEM_ROOT/tests/lib/counted.sh"
build ''
cat >differing.c <<'END'
#include <stdlib.h>
#include "paths.h"

static int
pair(unsigned frames, unsigned path, void *block)
{
	(void)path;
	free(*(void **)block);
	*(void **)block = malloc(40);
	return (int)frames;
}

int
main(int argc, char **argv)
{
	unsigned depth = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
	void *block = NULL;
	paths_set(256, depth, pair);
	for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--)
		path_even(depth, path_of(i & 255), &block);
	return 0;
}
END
gcc -O2 -fno-optimize-sibling-calls -I "$PMEM_ROOT/tests/bench" -o differing differing.c

shallow=$(($(a_turn "$library" ./differing 20) - $(a_turn "" ./differing 20)))
deep=$(($(a_turn "$library" ./differing 40) - $(a_turn "" ./differing 40)))
frame=$(((deep - shallow) / 20))
echo "figure: $shallow instructions added at depth 20, $deep at depth 40: $frame a frame"
within $shallow 500 $deep
within $frame 10 103
