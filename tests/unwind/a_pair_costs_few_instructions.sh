#!/bin/sh
# What a free and a malloc cost more than without the library, in instructions, when the same
# four stacks come again and again: 341 at depth 5 and 419 at depth 20 when this was written
# (gcc 12, -O2), and no more than 15 % above that. Counted under callgrind, which is exact, for a
# library built as users build it.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
(cd lib && CC=gcc CFLAGS='' PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh")
gcc -O2 -fno-optimize-sibling-calls -o pairs "$PMEM_ROOT/tests/lib/pairs.c"

# instructions PRELOAD DEPTH COUNT
instructions() {
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=out ./pairs "$2" "$3" 2>&1 \
		| sed -n 's/.*Collected : *//p'
}

# a_pair PRELOAD DEPTH
a_pair() {
	few=$(instructions "$1" "$2" 5000)
	many=$(instructions "$1" "$2" 25000)
	echo $(((many - few) / 20000))
}

for line in "5 394" "20 484"; do
	depth=${line% *}
	most=${line#* }
	none=$(a_pair "" "$depth")
	pmem=$(a_pair "$PWD/lib/libpmem.so" "$depth")
	added=$((pmem - none))
	echo "figure: depth $depth: $added instructions added to $none"
	[ $added -gt 100 ] || { echo "the library was not there"; exit 1; }
	[ $added -le "$most" ] || { echo "more than $most at depth $depth"; exit 1; }
done
