#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A Python service keeps what each request makes. Under PYTHONMALLOC=malloc, which makes blocks of objects,
# its line comes first, with its bytes, also in threads. Its twin keeps the last hundred alone, and has no
# such row. Without PYTHONMALLOC=malloc the report says that arenas were mapped, and how to see more: the
# line that needed an arena need not be the one that keeps it. Under asyncio, what lxml and an SQLite
# database in memory keep has the line that called them, though both give Python's lock back.

. "$PMEM_ROOT/tests/services/service.sh"
python=/usr/bin/python3
[ -x $python ] || needs python3 python3
$python -c 'import lxml' 2>/dev/null || needs lxml python3-lxml
cat >service.py <<'X'
import os, sys, threading
kind, leaks = sys.argv[1], sys.argv[2] == "leaks"
kept = []
lock = threading.Lock()

def audit(number):
    entry = bytearray(500 + number % 7)
    with lock:
        kept.append(entry)
        if not leaks and len(kept) > 100:
            del kept[0]
    return entry

def render(number):
    return len("".join(str(i) for i in range(number % 300)))

def serve(first):
    for number in range(first, first + 10000):
        audit(number)
        render(number)

if kind == "threads":
    threads = [threading.Thread(target=serve, args=(n * 10000,)) for n in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
else:
    for n in range(3):
        serve(n * 10000)
print("planted", sum(sys.getsizeof(entry) for entry in kept), flush=True)
# So that the log has a snapshot behind all of it.
for i in range(4):
    bytearray(1000000)
os._exit(0)
X
cat >job.py <<'X'
import asyncio, os, sqlite3, sys
from lxml import etree
kind, leaks = sys.argv[1], sys.argv[2] == "leaks"
kept = []
database = sqlite3.connect(":memory:", check_same_thread=False)
database.execute("create table orders (number, text blob)")

def order(number):
    name = b"n" * (200000 + number % 7)
    kept.append(etree.fromstring(b'<order><item name="%s"/></order>' % name))
    if not leaks and len(kept) > 100:
        del kept[0]

def row(number):
    database.execute("insert into orders values (?, ?)", (number, b"t" * (20000 + number % 7)))
    if not leaks:
        database.execute("delete from orders where number = ?", (number - 100,))

async def serve(number):
    make = order if kind == "lxml" else row
    if number % 2:
        await asyncio.to_thread(make, number)
    else:
        make(number)

async def main():
    for number in range(0, 300 if kind == 'lxml' else 1500, 10):
        await asyncio.gather(*(serve(n) for n in range(number, number + 10)))

asyncio.run(main())
if kind == "lxml":
    print("planted", sum(len(tree[0].get("name")) for tree in kept))
else:
    print("planted", *next(database.execute("select sum(length(text)) from orders")))
sys.stdout.flush()
for i in range(4):
    bytearray(1000000)
os._exit(0)
X
told_pair 'mmap < service.py:[0-9]* in ' 'from pools of its own[.] .* With PYTHONMALLOC=malloc ' \
	$python service.py blocks
grep -q '^mapped [1-9][0-9]* by the program itself ' report || fail "nothing is mapped"
pair 'job.py:10 in order' 10 30000000 $python job.py lxml
pair 'job.py:15 in row' 10 4000000 $python job.py sqlite
export PYTHONMALLOC=malloc
for kind in blocks threads; do
	pair 'service.py:[0-9]* in audit' 10 500000 $python service.py $kind
done
