#!/bin/sh
# long
# of whole stacks
# What Python keeps is counted to its line, to the block: in children of multiprocessing (fork, spawn,
# forkserver, and their pools), in greenlets that switch at any depth, in finalizers that the garbage
# collector runs, behind exceptions that pass through C, with a fault handler that looks at the stacks
# (when it is told to: by a timer of its own it looks in the middle of a switch, and ended one in ten of
# such programs without us). What it prints is as without us.

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
python=/usr/bin/python3
[ -x $python ] && $python -c 'import gevent' 2>/dev/null || {
	echo "skipped: needs python3-gevent"
	exit 77
}

cat >shop.py <<'END'
import ctypes, gc, multiprocessing
kept = []
def tell():
    try: ctypes.CDLL(None).pmem_snapshot(b"done")
    except AttributeError: pass
def serve(n):
    for i in range(n):
        kept.append(bytearray(3000))
        if i % 50 == 0: gc.collect()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
    tell()
def work(n):
    kept.append(bytearray(2000))
    return len(kept[-1])
if __name__ == "__main__":
    for number, way in enumerate(("fork", "spawn", "forkserver")):
        context = multiprocessing.get_context(way)
        children = [context.Process(target=serve, args=(201 + 3 * number + i,)) for i in range(3)]
        for child in children: child.start()
        for child in children: child.join()
        print(way, [child.exitcode for child in children])
        with context.Pool(3) as pool:
            print(sum(pool.map(work, range(300), chunksize=10)))
            pool.close()
            pool.join()
END
same 0 shop $python ../shop.py
agree 10 logged/pmem.*.log
found=
for log in logged/pmem.*.log; do
	lines_of "$log"
	found="$found $(awk '/shop.py:8 in serve$/ && $2 == $1 * 3001 { print $1 }' held)"
done
# shellcheck disable=SC2086
found=$(printf '%s\n' $found | sort -n | tr '\n' ' ')
[ "$found" = "201 202 203 204 205 206 207 208 209 " ] || fail "children keep $found"
rm logged/pmem.*

cat >green.py <<'END'
import ctypes, faulthandler, gc, os
import gevent, gevent.pool, greenlet
nothing = open(os.devnull, "w")
faulthandler.enable(nothing)
kept = []
def deep(n):
    if n: return deep(n - 1)
    gevent.sleep(0)
    kept.append(bytearray(4000))
def handle(n):
    kept.append(bytearray(4001))
    deep(n % 40)
    gevent.sleep(0)
    kept.append(bytearray(4002))
pool = gevent.pool.Pool(100)
for i in range(1000): pool.spawn(handle, i)
pool.join()
def inner():
    for i in range(100):
        kept.append(bytearray(4003))
        outer.switch()
        if i % 20 == 0: gc.collect()
outer = greenlet.getcurrent()
green = greenlet.greenlet(inner)
for i in range(100):
    green.switch()
    kept.append(bytearray(4004))
class Cycle:
    def __init__(self): self.me = self
    def __del__(self): kept.append(bytearray(4005))
for i in range(60):
    Cycle()
    if i % 7 == 0: gc.collect()
gc.collect()
def refuse(n):
    kept.append(bytearray(4006))
    raise ValueError(n)
for i in range(70):
    try: sorted([3, 2, 1], key=refuse)
    except ValueError: kept.append(bytearray(4007))
    try: list(map(refuse, [1, 2]))
    except ValueError: kept.append(bytearray(4008))
faulthandler.dump_traceback(nothing, all_threads=True)
print(len(kept), sum(map(len, kept)))
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
same 0 green $python ../green.py
log=$(log_of 'python3.11')
agree 10 "$log"
lines_of "$log"
green=$PWD/logged/../green.py
holds 1000 4001 "$green:9 in deep"
holds 1000 4002 "$green:11 in handle"
holds 1000 4003 "$green:14 in handle"
holds 100 4004 "$green:20 in inner"
holds 100 4005 "$green:27 in <module>"
holds 60 4006 "$green:30 in Cycle.__del__"
holds 140 4007 "$green:36 in refuse"
holds 70 4008 "$green:40 in <module>"
holds 70 4009 "$green:42 in <module>"
