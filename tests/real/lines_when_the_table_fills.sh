#!/bin/sh
# long
# A program with far more stacks than the table has room for: what it allocates late still has its
# line of Python, to the block, as long as the program's lines are not without end.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
python=/usr/bin/python3
needs $python python3

# Each number goes another way through two hundred functions. From half full on the innermost line alone
# counts: so there are ten thousand of these, too.
cat >ways.py <<'END'
import ctypes
kept, ways = [], []
for number in range(200):
    exec("def way%d(i, n):\n if n == 0: return [i]\n return ways[(i >> n * 2) %% 200](i, n - 1)\n"
         "ways.append(way%d)\n" % (number, number))
def late():
    block = bytearray(700)
    kept.append(block)
for i in range(80000):
    ways[i % 200](i * 2654435761, 10)
line = compile("bytearray(600)", "made.py", "exec")
for number in range(10000):
    exec(line.replace(co_firstlineno=number + 1))
for i in range(1000):
    late()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../ways.py) || fail "ended"
log=$(echo logged/pmem.*.log)
lines_of "$log"
holds 1000 701 "$PWD/logged/../ways.py:7 in late"
grep -q '^# note CALLERS ARE MISSING .* 16 innermost frames, or its innermost line, since 65536 sources ' "$log" || fail "the table did not fill"
! grep '^# note .* 4 innermost frames, since' "$log" || fail "no line is left"
"$PMEM_BUILD/pmem" report -n 1 "$log" | grep 'ways.py:7 in late' || fail "not told first"
