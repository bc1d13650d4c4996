#!/bin/sh
# long
# A thread that the interpreter knows nothing of, and a function that has given the interpreter's lock back,
# allocate while another thread runs Python or Ruby: their blocks never have that other thread's lines. In
# Python 3.11 and 3.12 such a function's blocks have the lines that led to it, each one, and so have those of
# zlib, sqlite3 and lxml. Blocks that Ruby takes to mark its garbage have no lines either: meanwhile Ruby moves
# what lines are read from.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby
/usr/bin/python3.11 -c "import lxml" 2>/dev/null || { echo "skipped: needs python3-lxml"; exit 77; }

cat >outside.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { TIMES = 2000 };
static void *volatile kept[2 * TIMES];
static volatile int is_done;

static void
keep(int from, size_t bytes)
{
	for (int i = 0; i < TIMES; i++) {
		kept[from + i] = malloc(bytes);
		sched_yield();
	}
}

static void *
thread(void *unused)
{
	keep(0, 4321);
	is_done = 1;
	return unused;
}

int
outside_start(void)
{
	pthread_t other;
	return pthread_create(&other, NULL, thread, NULL);
}

int outside_is_done(void) { return is_done; }
void outside_keep(void) { keep(TIMES, 4322); }
END
$CC -shared -fPIC -O1 -o outside.so outside.c -lpthread || fail "outside.c does not compile"

cat >outside.py <<'END'
import ctypes, threading
with_lock = ctypes.PyDLL("../outside.so")
def run():
    while not with_lock.outside_is_done() or main.is_alive():
        [bytearray(i) for i in range(600, 700)]
def keep(): without_lock.outside_keep()
without_lock = ctypes.CDLL("../outside.so")
main = threading.Thread(target=keep)
others = [threading.Thread(target=run) for i in range(2)]
assert with_lock.outside_start() == 0
main.start()
for other in others: other.start()
for thread in others + [main]: thread.join()
END

cat >outside.rb <<'END'
require "fiddle"
library = Fiddle.dlopen("../outside.so")
call = ->(name, lock) { Fiddle::Function.new(library[name], [], Fiddle::TYPE_INT, need_gvl: lock) }
is_done = call["outside_is_done", true]
main = Thread.new { call["outside_keep", false].call }
raise unless call["outside_start", true].call == 0
others = 2.times.map { Thread.new { (600..700).map { |i| "x" * i } while is_done.call == 0 || main.alive? } }
(others + [main]).each(&:join)
# So wide that what is to be marked takes many blocks.
$wide = Array.new(2000) { Array.new(300) { "y" } }
10.times { GC.start }
END

# without BYTES [BLOCKS]: so many blocks of this size, or 2,000, have no line.
without() {
	! awk -v each="$1" '$2 == $1 * each' held | grep . || fail "lines without the lock" held
	awk -v each="$1" '/^[{]/ { live[$1] = substr($2, 6) + 0; blocks[$1] = substr($5, 8) + 0 }
		END { for (id in live) if (live[id] == blocks[id] * each) sum += blocks[id]; exit sum != all }' \
		all="${2:-2000}" "$log" || fail "not ${2:-2000} blocks of $1 bytes" "$log"
}

cat >extensions.py <<'END'
import ctypes, os, sqlite3, sys, threading, zlib
try: from lxml import etree
except ImportError: etree = None
kept = []
def inflate():
    for i in range(40):
        one = zlib.decompressobj()
        one.decompress(data, 1000)
        yield one
def store():
    one = sqlite3.connect(":memory:", check_same_thread=False)
    one.execute("create table t(a)")
    for i in range(300):
        one.execute("insert into t values(?)", ("x" * 3000,))
    yield one
def parse():
    yield etree.parse("x.xml")
class Kept:
    inflate = lambda self: kept.extend(inflate())
    store = lambda self: kept.extend(store())
    parse = lambda self: kept.extend(parse())
class Freed:
    inflate = lambda self: [0 for one in inflate()]
    store = lambda self: [one.close() for one in store()]
    parse = lambda self: [0 for one in parse()]
def busy():
    while working: [bytearray(i) for i in range(600, 700)]
data = zlib.compress(os.urandom(200000))
with open("x.xml", "w") as file: file.write("<r>" + "<a/>" * 5000 + "</r>")
working = True
other = threading.Thread(target=busy)
other.start()
names = ["inflate", "store"] + ["parse"] * bool(etree)
threads = [threading.Thread(target=getattr(each(), name)) for name in names for each in (Kept, Freed)]
for thread in threads: thread.start()
for thread in threads: thread.join()
working = False
other.join()
print(bool(etree), len(kept), [one.execute("pragma page_count").fetchall() for one in kept
    if isinstance(one, sqlite3.Connection)])
try: ctypes.CDLL(None).pmem_snapshot(b"here")
except AttributeError: pass
END

# Unary plus is so rare that the interpreter's loop may have it in a part of its own. In an inner
# interpreter the outer one's lines are not those.
cat >rare.py <<'END'
import ctypes, functools, sys
code = """
import ctypes, functools
unlocked = ctypes.CDLL(None)
class Rare: __pos__ = functools.partial(unlocked.malloc, SIZE)
rare = Rare()
def inner(x):
    +rare
    return 0
def outer(): sorted([1], key=inner)
for i in range(100): outer()
"""
exec(compile(code.replace("SIZE", "8765"), "rare.py", "exec"))
if sys.version_info[:2] == (3, 11):
    import _xxsubinterpreters as inners
    inners.run_string(inners.create(), code.replace("SIZE", "8766"))
END

# try NAME COMMAND...: runs it as same() does. Leaves its log in log, and what it holds in held.
try() {
	rm -f logged/pmem.*
	same 0 "$@"
	log=$(echo logged/pmem.*.log)
	agree 1 "$log"
	lines_of "$log"
}

for python in /usr/bin/python3.11 "${HOME:-}"/.pyenv/versions/3.1[1-9].*/bin/python3; do
	[ -x "$python" ] || continue
	try outside env PYTHONMALLOC=malloc "$python" ../outside.py
	grep -q 'outside.py' held || fail "no lines at all" "$log"
	without 4321
	case $("$python" -V) in *3.1[12].*) ;; *) without 4322; continue ;; esac
	holds 2000 4322 "$PWD/logged/../outside.py:6 in keep"
	try rare env PYTHONMALLOC=malloc "$python" ../rare.py
	holds 100 8765 "rare.py:7 in inner"
	case $("$python" -V) in *3.11.*) without 8766 100 ;; esac
	try extensions env PYTHONMALLOC=malloc "$python" ../extensions.py
	sed '/label=here/,/^\[/!b; /^\[/Q' "$log" >here.log
	lines_of here.log
	# The window of each inflate(). Each row but the first makes a page of the database, and each <a/> a node
	# of the document. Other blocks of these sizes have sources of a few blocks.
	extensions=$PWD/logged/../extensions.py
	holds 40 32768 "$extensions:8 in inflate"
	holds 299 4368 "$extensions:14 in store" 100
	grep -q '^True' extensions.logged.out || continue
	holds 5000 120 "$extensions:17 in parse" 100
	parsed=yes
done
[ "${parsed:-}" ] || fail "no document"
try outside ruby ../outside.rb
grep -q 'outside.rb' held || fail "no lines at all" "$log"
without 4321
without 4322
# What is to be marked is kept in blocks of 500 words and one (gc.c: STACK_CHUNK_SIZE).
awk '/^[{]/ { id = $1; bytes = $3; calls = $6; sub(/.*\//, "", bytes); sub(/.*\//, "", calls)
		marks = calls + 0 > 0 && bytes + 0 == calls * 4008; if (marks) seen = 1 }
	marks && / \[ruby\]$/ { lines = 1 }
	END { exit !(seen && !lines) }' "$log" || fail "lines while garbage is marked, or none is" "$log"
