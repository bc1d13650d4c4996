#!/bin/sh
# long
# Interpreters within Python 3.11's, each in a thread of its own, in states that another thread has made, as
# mod_wsgi has them, while others run: what lives is counted to their lines, to the block, however deep the
# stack, and none bears another's. Without the lock only what the thread's first state runs has lines.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }

cat >inner.py <<'END'
import _xxsubinterpreters as inner, sys, threading
sys.setswitchinterval(1e-5)
code = """
import ctypes, functools, zlib
unlocked = ctypes.CDLL(None)
# The first call without the lock, at a place in the loop that nothing else has used.
class First: __neg__ = functools.partial(unlocked.malloc, 8765)
-First()
def remember_%(n)d(kept):
    for i in range(500):
        kept.append(bytearray(%(bytes)d))
        # Without the lock, while others have it.
        zlib.compress(bytes(3000))
        unlocked.malloc(8765)
        [bytearray(j) for j in range(600, 620)]
    return kept
def deeper_%(n)d(kept, depth):
    kept.append(bytearray(%(bytes)d + 1000))
    if depth < 100:
        sorted([1], key=lambda each: deeper_%(n)d(kept, depth + 1))
    return kept
kept = remember_%(n)d([]) + deeper_%(n)d([], 0)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
"""
def own():
    for i in range(500):
        kept.append(bytearray(7000))
        [bytearray(j) for j in range(600, 620)]
        unlocked.malloc(8766)
import ctypes
unlocked = ctypes.CDLL(None)
kept = []
interpreters = [inner.create() for i in range(6)]
threads = [threading.Thread(target=own)] + [
    threading.Thread(target=inner.run_string, args=(one, code % {"n": n, "bytes": 5000 + n}))
    for n, one in enumerate(interpreters)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
same 0 inner env PYTHONMALLOC=malloc /usr/bin/python3.11 -S ../inner.py
log=$(log_of 'python3.11')
agree 10 "$log"
lines_of "$log"
holds 500 7001 "$PWD/logged/../inner.py:27 in own"
holds 500 8766 "$PWD/logged/../inner.py:29 in own"
for n in 0 1 2 3 4 5; do
	holds 500 $((5001 + n)) "<string>:9 in remember_$n"
	holds 101 $((6001 + n)) "<string>:16 in deeper_$n"
done
! awk '$2 == $1 * 8765' held | grep . || fail "lines without the lock" held
