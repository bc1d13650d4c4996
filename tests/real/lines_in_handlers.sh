#!/bin/sh
# A signal's handler written in C, on a small stack of its own, allocates while Python runs: its blocks have stacks without lines, since the interpreter may be in the middle of
# what these would be read from; what Python allocates before and after has its own, to the block.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
python=/usr/bin/python3
needs $python python3

# The stack lies between pages that cannot be touched.
cat >handler.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *kept[1000];
static int count;

static void
handle(int number)
{
	(void)number;
	kept[count++] = malloc(4321);
}

int
handler_start(void)
{
	char *pages = mmap(NULL, 4 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = {.ss_sp = pages + 4096, .ss_size = 2 * 4096};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	return mprotect(pages + 4096, 2 * 4096, PROT_READ | PROT_WRITE) != 0
		|| sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0;
}
END
"$CC" -shared -fPIC -o handler.so handler.c

cat >work.py <<'END'
import ctypes, signal, sys
handler = ctypes.CDLL(sys.argv[1])
kept = []
def before(): kept.append(bytearray(5000))
def after():
    kept.append(bytearray(5001))
if handler.handler_start() != 0: sys.exit("no handler")
for i in range(1000):
    before()
    signal.raise_signal(signal.SIGUSR1)
    after()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../work.py ../handler.so) \
	|| fail "with us it ended with status $?"
lines_of "$(echo logged/pmem.*.log)"
holds 1000 5001 "$PWD/logged/../work.py:4 in before"
holds 1000 5002 "$PWD/logged/../work.py:6 in after"
! awk '$2 == $1 * 4321' held | grep . || fail "lines in a handler"
awk '/^[{]/ { live[$1] = substr($2, 6) + 0; blocks[$1] = substr($5, 8) + 0 }
	END { for (id in live) if (live[id] == blocks[id] * 4321) sum += blocks[id]; exit sum != 1000 }' \
	logged/pmem.*.log || fail "the handler's blocks" logged/pmem.*.log
