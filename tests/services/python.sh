#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A Python service that keeps what each request makes has that line first, with its bytes, where
# PYTHONMALLOC=malloc makes blocks of its objects; so in threads. Its twin, which keeps the last hundred
# alone, has not. Without that setting the report says that arenas were mapped, and how to see more: the
# line that needed an arena need not be the one that keeps it.

. "$PMEM_ROOT/tests/services/service.sh"
python=/usr/bin/python3
[ -x $python ] || needs python3 python3
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
export PYTHONDONTWRITEBYTECODE=1
serve $python service.py blocks leaks
first_row
echo "$where" | grep -q '^mmap < service.py:[0-9]* in ' || fail "no arena comes first: $row"
grep -q '^note: Python takes blocks .* from pools of its own[.] .* With PYTHONMALLOC=malloc ' report || fail "no word of PYTHONMALLOC"
mapped=$(sed -n 's/^mapped \([0-9]*\) by the program itself .*/\1/p' report)
[ "$mapped" -ge "$planted" ] || fail "$mapped bytes mapped, and $planted planted"
export PYTHONMALLOC=malloc
for kind in blocks threads; do
	serve $python service.py $kind leaks
	is_planted 'service.py:[0-9]* in audit'
	serve $python service.py $kind twin
	is_innocent 'in audit' 500000
done
