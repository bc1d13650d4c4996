#!/bin/sh
# What a turn of a loop in Python, with some ten blocks that it has and gives back, costs more than
# without the library, in instructions, eight lines deep: 6,720 when this was written (Debian's
# CPython 3.11, gcc 12, -O2), and no more than 15 % above that. It was 9,870 when a stack that ends in
# the interpreter's loop was unwound each time that another instruction of the loop had led to the one
# before, and lines were read by offsets that lie in memory. Counted under callgrind, which is exact.

. "$PMEM_ROOT/tests/lib/counted.sh"
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
build "$quiet"

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

export PYTHONMALLOC=malloc
none=$(a_turn "" /usr/bin/python3.11 -S lines.py)
added=$(($(a_turn "$library" /usr/bin/python3.11 -S lines.py) - none))
echo "figure: a turn: $added instructions added to $none"
within $added 3000 7730
