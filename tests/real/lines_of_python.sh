#!/bin/sh
# long
# What lives is counted to the lines of Python that asked for it, to the block: in methods,
# generators, coroutines, threads and children; in code that is made and thrown away; where C calls
# Python and Python C, with the interpreter's lock and without. Each version that is there: 3.11 to
# 3.15. What Python prints is as without us.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"

cat >kept.py <<'END'
import asyncio, ctypes, functools, gc, os, sys, threading
kept = []
class Order:
    def total(self, n):
        kept.append(bytearray(n))
    @staticmethod
    def make(n): kept.append(bytearray(n))
    @property
    def field(self):
        kept.append(bytearray(5002))
    def __lt__(self, other):
        kept.append(bytearray(5003))
        return False
    def __getattr__(self, name):
        kept.append(bytearray(5004))
    def cleaned(self):
        try:
            raise ValueError
        except ValueError:
            kept.append(bytearray(5005))
        finally:
            kept.append(bytearray(5006))
def deep(n):
    return kept.append(bytearray(5007)) if n == 0 else deep(n - 1)
def generate():
    for i in range(38):
        yield bytearray(5008)
async def wait():
    await asyncio.sleep(0)
    kept.append(bytearray(5009))
async def gather():
    await asyncio.gather(*[wait() for i in range(39)])
def many(n):
    for i in range(n):
        kept.append(
            bytearray(5010))
def main():
    order = Order()
    for i in range(30): order.total(5000)
    for i in range(31): order.make(5001)
    for i in range(32): order.field
    for i in range(33): sorted([Order(), order])
    for i in range(34): order.missing
    for i in range(35): order.cleaned()
    for i in range(36): deep(50)
    kept.extend(generate())
    asyncio.run(gather())
    threads = [threading.Thread(target=many, args=(40,)) for i in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    kept.extend([bytearray(5011) for i in range(41)])
    kept.extend(map(lambda i: bytearray(5012), range(42)))
    for i in range(43): functools.reduce(lambda a, b: kept.append(bytearray(5013)), [1, 2])
main()
# One place in memory after the other has code of another name; then of the same, and other lines.
for i in range(200):
    exec(compile("kept.append(bytearray(5014))", "made_%d.py" % i, "exec"))
for i in range(50):
    exec(compile("\n" * (i % 5) + "kept.append(bytearray(5015))", "again.py", "exec"))
    gc.collect()
# Without the interpreter's lock, and with it.
ctypes.CDLL(None).malloc.restype = ctypes.c_void_p
free_of_lock = ctypes.CDLL(None).malloc
for i in range(44): free_of_lock(5016)
with_lock = ctypes.PyDLL(None).malloc
for i in range(45): with_lock(5017)
class Cart:
    def __init__(self): kept.append(bytearray(5018))
def fill():
    for i in range(100): Cart()
fill()
print(len(kept), sum(map(len, kept)))
sys.stdout.flush()
# What lives is to be there at the exit.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
child = os.fork()
if child == 0:
    for i in range(46): kept.append(bytearray(7000))
    sys.exit(0)
print(os.waitpid(child, 0)[1])
END

# Interpreters in one process, each with a lock of its own, whose threads run at once.
cat >inner.py <<'END'
import ctypes, threading
try: import _interpreters as inner
except ImportError: import _xxsubinterpreters as inner
code = """
kept = []
def keep(n):
    kept.append(bytearray(n))
for i in range(500): keep(%d)
"""
made = []
def work(number):
    one = inner.create()
    (getattr(inner, "exec", None) or inner.run_string)(one, code % (4000 + number))
    made.append(one)
kept = []
def here():
    for i in range(500): kept.append(bytearray(5000))
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)] + [threading.Thread(target=here)]
for thread in threads: thread.start()
for thread in threads: thread.join()
try: ctypes.CDLL(None).pmem_snapshot(b"here")
except AttributeError: pass
print(len(made), len(kept))
for one in made: inner.destroy(one)
END

# try_python PYTHON
try_python() {
	rm -f logged/pmem.*
	same 0 kept "$1" ../kept.py
	child=$(grep -l '^# forked' logged/pmem.*.log) || fail "the child has no log"
	kept=$PWD/logged/../kept.py
	parent=$(grep -L '^# forked' logged/pmem.*.log)
	agree 10 $parent $child
	# A bytearray of n bytes takes n + 1.
	lines_of "$parent"
	holds 30 5001 "$kept:5 in Order.total"
	holds 31 5002 "$kept:7 in Order.make"
	holds 32 5003 "$kept:10 in Order.field"
	holds 33 5004 "$kept:12 in Order.__lt__"
	holds 34 5005 "$kept:15 in Order.__getattr__"
	holds 35 5006 "$kept:20 in Order.cleaned"
	holds 35 5007 "$kept:22 in Order.cleaned"
	holds 36 5008 "$kept:24 in deep"
	holds 38 5009 "$kept:27 in generate"
	holds 39 5010 "$kept:30 in wait"
	holds 320 5011 "$kept:36 in many"
	# Of 3.12 on a comprehension is no function of its own.
	case $2 in
	3.11) holds 41 5012 "$kept:51 in main.<locals>.<listcomp>" ;;
	*) holds 41 5012 "$kept:51 in main" ;;
	esac
	holds 42 5013 "$kept:52 in main.<locals>.<lambda>"
	holds 43 5014 "$kept:53 in main.<locals>.<lambda>"
	for i in $(seq 0 199); do
		holds 1 5015 "made_$i.py:1 in <module>"
	done
	for line in 1 2 3 4 5; do
		holds 10 5016 "again.py:$line in <module>"
	done
	holds 45 5017 "$kept:66 in <module>"
	holds 100 5019 "$kept:68 in Cart.__init__"
	! grep -q ' __init__:' "$parent" || fail "there is a line of no file" "$parent"
	case $2 in
	3.1[12]) holds 44 5016 "$kept:64 in <module>" ;;
	*) [ "$(blocks_at_exit "$parent" 5016)" -ge 44 ] || fail "not 44 blocks without the lock" ;;
	esac
	lines_of "$child"
	holds 46 7001 "$kept:78 in <module>"
	grep -q '^# note Python takes blocks of up to 512 bytes' "$parent" || fail "no advice" "$parent"
	if [ "$2" != 3.11 ]; then
		rm -f logged/pmem.*
		same 0 inner "$1" ../inner.py
		sed '/label=here/,/^\[/!b; /^\[/Q' logged/pmem.*.log >here.log
		lines_of here.log
		holds 500 5001 "$PWD/logged/../inner.py:17 in here"
		[ "$(awk '$3 == "<string>:4" && $2 > $1 * 4000 && $2 < $1 * 4007 { sum += $1 } END { print sum + 0 }' \
			held)" -eq 3000 ] || fail "not 3000 blocks in inner interpreters" held
	fi
	echo "figure: Python $2"
	tried=$((tried + 1))
}

tried=0
for version in 3.11 3.12 3.13 3.14 3.15; do
	for python in "${TEST_BIN:-/usr/bin}/python$version" "${TEST_BIN:-$HOME}"/.pyenv/versions/$version.*/bin/python3; do
		[ ! -x "$python" ] || try_python "$python" $version
	done
done
[ $tried -gt 0 ] || {
	echo "skipped: needs python3.11"
	exit 77
}

# Another version is left alone, and the log says so.
if [ -x /usr/bin/python3.11 ] && [ -z "${TEST_BIN:-}" ]; then
	mkdir bin
	cp /usr/bin/python3.11 bin/python3.11
	patch bin/python3.11 Py_Version 0x030900f0 0
	rm -f logged/pmem.*
	same 0 other env PYTHONHOME=/usr ../bin/python3.11 -c \
		'kept = [bytearray(9000) for i in range(200)]; import os; print(len(kept)); os._exit(0)'
	log=$(ls logged/pmem.*.log)
	grep -q '^# note this version of Python is not known' "$log" || fail "it does not say so" "$log"
	! grep -q '\[python\]$' "$log" || fail "there are lines of a version that is not known"
	PYTHONMALLOC=malloc run logged kept env -u PYTHONHOME /usr/bin/python3.11 -c pass
	! grep -q '^# note Python takes' logged/pmem.*.log || fail "there is advice that is not needed"
fi
