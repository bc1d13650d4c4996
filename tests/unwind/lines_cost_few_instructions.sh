#!/bin/sh
# What a turn of a loop in Python, with some ten blocks that it has and gives back, costs more than
# without the library, in instructions, eight lines deep: 6,720 when this was written (Debian's
# CPython 3.11, gcc 12, -O2), and no more than 15 % above that. It was 9,870 when a stack that ends in
# the interpreter's loop was unwound each time that another instruction of the loop had led to the one
# before, and lines were read by offsets that lie in memory. Counted under callgrind, which is exact.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
mkdir lib
# No snapshot among them.
(cd lib && CC=gcc CFLAGS='-DPMEM_CHURN_THRESH=0x10000000000 -DPMEM_LOOK_MS=0' PREFIX=$PMEM_ROOT \
	"$PMEM_ROOT/compile.sh" library)

cat >lines.py <<'END'
import sys

# By other instructions of the interpreter's loop each.
def work(n):
    for i in range(n):
        a = bytearray(600)
        b = [i, i] * 40
        c = a + a

def deep(depth, n):
    return work(n) if depth == 0 else deep(depth - 1, n)

deep(8, 100)
deep(8, int(sys.argv[1]))
END

# instructions PRELOAD COUNT
instructions() {
	LD_PRELOAD=$1 PYTHONMALLOC=malloc valgrind --tool=callgrind --callgrind-out-file=out \
		/usr/bin/python3.11 -S lines.py "$2" 2>&1 | sed -n 's/.*Collected : *//p'
}

# a_turn PRELOAD
a_turn() {
	few=$(instructions "$1" 500)
	many=$(instructions "$1" 2500)
	echo $(((many - few) / 2000))
}

none=$(a_turn "")
with=$(a_turn "$PWD/lib/libpmem.so")
added=$((with - none))
echo "figure: a turn: $added instructions added to $none"
[ $added -gt 3000 ] || { echo "the library was not there, or had no lines"; exit 1; }
[ $added -le 7730 ] || { echo "more than 7,730"; exit 1; }
