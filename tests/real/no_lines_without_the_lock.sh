#!/bin/sh
# long
# What is allocated while another thread runs Python or Ruby has no lines, which would be that one's: in a
# thread that the interpreter knows nothing of, and in a function that has given the interpreter's lock back.
# Nor has what Ruby allocates to mark its garbage, while it moves what lines would be read from.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }

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
main = threading.Thread(target=ctypes.CDLL("../outside.so").outside_keep)
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

# without BYTES: 2,000 blocks of this size have no line.
without() {
	! awk -v each="$1" '$2 == $1 * each' held | grep . || fail "lines without the lock" held
	awk -v each="$1" '/^[{]/ { live[$1] = substr($2, 6) + 0; blocks[$1] = substr($5, 8) + 0 }
		END { for (id in live) if (live[id] == blocks[id] * each) sum += blocks[id]; exit sum != 2000 }' \
		"$log" || fail "not 2000 blocks of $1 bytes" "$log"
}

for program in "env PYTHONMALLOC=malloc /usr/bin/python3.11 ../outside.py" "ruby ../outside.rb"; do
	rm -f logged/pmem.*
	# shellcheck disable=SC2086
	same 0 outside $program
	log=$(echo logged/pmem.*.log)
	agree 1 "$log"
	lines_of "$log"
	grep -q 'outside.\(py\|rb\)' held || fail "no lines at all" "$log"
	without 4321
	without 4322
done
# What is to be marked is kept in blocks of 500 words and one (gc.c: STACK_CHUNK_SIZE).
awk '/^[{]/ { id = $1; bytes = $3; calls = $6; sub(/.*\//, "", bytes); sub(/.*\//, "", calls)
		marks = calls + 0 > 0 && bytes + 0 == calls * 4008; if (marks) seen = 1 }
	marks && / \[ruby\]$/ { lines = 1 }
	END { exit !(seen && !lines) }' "$log" || fail "lines while garbage is marked, or none is" "$log"
