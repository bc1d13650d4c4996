#!/bin/sh
# What each frame costs of a stack that differs from the one before in all frames, in instructions:
# 90 when this was written (gcc 12, -O2), and no more than 15 % above that. Counted under callgrind,
# which is exact, for a library built as users build it, of a pair of free() and malloc() from 256
# stacks in turn: what it costs more at depth 40 than at depth 20.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
(cd lib && CC=gcc CFLAGS='' PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh" library)
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

# instructions PRELOAD DEPTH COUNT
instructions() {
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=out ./differing "$2" "$3" 2>&1 \
		| sed -n 's/.*Collected : *//p'
}

# added DEPTH: by the library, to a pair.
added() {
	sum=0
	for library in "$PWD/lib/libpmem.so" ""; do
		few=$(instructions "$library" "$1" 2000)
		many=$(instructions "$library" "$1" 6000)
		sum=$((many - few - sum))
	done
	echo $((-sum / 4000))
}

shallow=$(added 20)
deep=$(added 40)
frame=$(((deep - shallow) / 20))
echo "figure: $shallow instructions added at depth 20, $deep at depth 40: $frame a frame"
[ $shallow -gt 500 ] || { echo "the library was not there"; exit 1; }
[ $frame -le 103 ] || { echo "more than 103 a frame"; exit 1; }
