#!/bin/sh
# long
# Python ends while threads allocate in extensions that have given the lock back: by itself, by exit, by an
# exception, by _exit(), and from within a function that C calls. Python ends as without us each time, whatever
# it frees meanwhile. In 3.11 and 3.12 each block that such a thread takes by then has the thread's own lines.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"

cat >ends.c <<'END'
#include <stdlib.h>
#include <unistd.h>

static int started, told, done;
static void *volatile kept[400];

void
ends_spin(void)
{
	__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);
	for (size_t i = 0;; i++) {
		void *volatile block = malloc(i % 3000);
		free(block);
	}
}

void
ends_keep(void)
{
	__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&told, __ATOMIC_SEQ_CST))
		usleep(100);
	for (int i = 0; i < 10; i++)
		kept[__atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST)] = malloc(4444);
	pause();
}

void
ends_tell(int count)
{
	__atomic_store_n(&told, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < count)
		usleep(100);
	// The allocator gives the kernel what was freed, so that reading it would fault.
	extern int malloc_trim(size_t);
	malloc_trim(0);
}

int ends_started(void) { return __atomic_load_n(&started, __ATOMIC_SEQ_CST); }

__attribute__((destructor)) static void
ends_last(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(777);
}
END
$CC -shared -fPIC -O1 -o ends.so ends.c || fail "ends.c does not compile"

cat >ends.py <<'END'
import ctypes, os, sys, threading, time
without_lock = ctypes.CDLL("../ends.so")
with_lock = ctypes.PyDLL("../ends.so")
how = sys.argv[1]
class Last:
    def __del__(self, tell=with_lock.ends_tell):
        tell(40)
def made():
    code = compile("def spin(end):\n    yield end()", "made.py", "exec")
    names = {}
    exec(code, names)
    return names["spin"]
def keep(spin):
    for one in spin(without_lock.ends_keep): pass
def spin():
    sorted([1], key=lambda one: without_lock.ends_spin())
threads = [threading.Thread(target=keep, args=(made(),), daemon=True) for i in range(4)]
threads += [threading.Thread(target=spin, daemon=True) for i in range(4)]
for thread in threads: thread.start()
while with_lock.ends_started() < 8: time.sleep(0.001)
# The library learns where the C frame is. Then many blocks are there to be freed.
for i in range(10): without_lock.getpid(), [bytearray(i) for i in range(600, 700)]
big = [[str(i)] for i in range(20000)]
sys.last = Last()
print("at the end")
sys.stdout.flush()
if how == "exit": sys.exit(3)
if how == "raise": raise ValueError
if how == "_exit": os._exit(5)
if how == "inside": sorted([1], key=lambda one: ctypes.pythonapi.Py_Exit(6))
END

tried=0
for python in /usr/bin/python3.11 "${HOME:-}"/.pyenv/versions/3.1[1-9].*/bin/python3; do
	[ -x "$python" ] || continue
	version=$("$python" -V)
	# Threads end differently each time. `check commit` takes half of the turns.
	for turn in 1 2 $([ "${PMEM_PART:-all}" = long ] || echo 3 4); do
		for how in itself:0 exit:3 raise:1 _exit:5 inside:6; do
			rm -f logged/pmem.*
			same "${how#*:}" "${how%:*}" env MALLOC_PERTURB_=165 PYTHONMALLOC=malloc "$python" "$PWD/ends.py" "${how%:*}"
			log=$(echo logged/pmem.*.log)
			tried=$((tried + 1))
			case $version:$how in
			*:_exit:5) continue ;;
			*3.1[12].*)
				agree 1 "$log" >/dev/null
				lines_of "$log"
				holds 40 4444 "made.py:2 in spin" ;;
			esac
		done
	done
done
[ $tried -gt 0 ] || { echo "skipped: needs python3.11"; exit 77; }
echo "figure: ended $tried times"
