#!/bin/sh
# Of a program with gaps between its segments the loader gives the range of one segment alone. Python that is
# such a program has its lines as any other: also of what is first called from while another thread stays
# on the loader's list for longer than anybody waits for it.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
# Debian's has its loop in the program itself.
python=$(realpath /usr/bin/python3) && grep -q _PyEval_EvalFrameDefault "$python" || {
	echo "skipped: needs python3"
	exit 77
}

# A page of the file that nobody needs is mapped behind all others, in place of a note.
python3 - "$python" python3-gap <<'END'
import os, shutil, struct, sys
shutil.copyfile(sys.argv[1], sys.argv[2])
os.chmod(sys.argv[2], 0o755)
LOAD, NOTE, PROPERTY = 1, 4, 0x6474e553
with open(sys.argv[2], "r+b") as file:
    start = file.read(4096)
    at, = struct.unpack_from("<Q", start, 32)
    size, count = struct.unpack_from("<HH", start, 54)
    parts = [struct.unpack_from("<IIQQQQQQ", start, at + i * size) for i in range(count)]
    end = max(part[3] + part[6] for part in parts if part[0] == LOAD)
    last = max(i for i in range(count) if parts[i][0] == LOAD)
    note = max(i for i in range(last + 1, count) if parts[i][0] in (NOTE, PROPERTY))
    far = (end + (1 << 20)) & -4096
    file.seek(at + note * size)
    file.write(struct.pack("<IIQQQQQQ", LOAD, 4, 4096, far, far, 4096, 4096, 4096))
END

cat >hold.c <<'END'
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <unistd.h>

static volatile int is_held, is_over;
static pthread_t thread;

static int
stay(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)loaded, (void)bytes, (void)unused;
	is_held = 1;
	while (!is_over)
		usleep(1000);
	return 1;
}

static void *
visit(void *unused)
{
	dl_iterate_phdr(stay, NULL);
	return unused;
}

void
hold(void)
{
	pthread_create(&thread, NULL, visit, NULL);
	while (!is_held)
		usleep(1000);
}

void
let_go(void)
{
	is_over = 1;
	pthread_join(thread, NULL);
}
END
echo 'int nothing;' >other.c
$CC -shared -fPIC -O1 -o hold.so hold.c -lpthread || fail "hold.c does not compile"
$CC -shared -fPIC -O1 -o other.so other.c || fail "other.c does not compile"

cat >gap.py <<'END'
import _ctypes, ctypes
kept = []
def give(size):
    kept.append(bytearray(size))
def plain():
    for i in range(100):
        give(5000)
def late():
    for i in range(100):
        kept.extend(map(bytearray, [6000]))
plain()
holder = ctypes.CDLL("../hold.so")
other = _ctypes.dlopen("../other.so", 2)
hold, let_go = holder.hold, holder.let_go
_ctypes.dlclose(other)
hold()
late()
let_go()
late()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
print(len(kept))
END
same 0 gap ../python3-gap ../gap.py
agree 3 "$(log_of python3-gap)"
lines_of "$(log_of python3-gap)"
gap=$PWD/logged/../gap.py
holds 100 5001 "$gap:4 in give"
holds 200 6001 "$gap:10 in late"
