#!/bin/sh
# A C program that loads Python, runs it, ends it, and does so again; with interpreters inside of it,
# threads, signals, a fault handler and children: what it prints is as
# without us, the numbers agree, and what lives is counted to its line each time.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"

library=
for path in /usr/lib/*/libpython3.11.so.1.0 "${HOME:-}"/.pyenv/versions/3.1[123].*/lib/libpython3.1[123].so.1.0; do
	[ -e "$path" ] && library=$path && break
done
[ -n "$library" ] || {
	echo "skipped: needs libpython3.11"
	exit 77
}

cat >inside.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char code[] =
	"import sys, signal, threading, os, gc, faulthandler\n"
	"faulthandler.enable()\n"
	"kept = globals().setdefault('kept', [])\n"
	"def caught(*ignored):\n"
	"    kept.append(bytearray(4000))\n"
	"signal.signal(signal.SIGALRM, caught)\n"
	"signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)\n"
	"def work():\n"
	"    for i in range(300):\n"
	"        kept.append(bytearray(3000))\n"
	"        [bytearray(j) for j in range(600, 700)]\n"
	"threads = [threading.Thread(target=work) for i in range(6)]\n"
	"[t.start() for t in threads]\n"
	"[t.join() for t in threads]\n"
	"signal.setitimer(signal.ITIMER_REAL, 0)\n"
	"try:\n"
	"    import _xxsubinterpreters as inner\n"
	"except ImportError:\n"
	"    try: import _interpreters as inner\n"
	"    except ImportError: inner = None\n"
	"if inner and sys.version_info < (3, 13):\n"
	"    for i in range(3):\n"
	"        one = inner.create()\n"
	"        inner.run_string(one, 'kept = [bytearray(2000) for i in range(100)]')\n"
	"        inner.destroy(one)\n"
	"child = os.fork()\n"
	"if child == 0:\n"
	"    more = [bytearray(3000) for i in range(200)]\n"
	"    os._exit(3)\n"
	"print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), sum(len(k) == 3000 for k in kept))\n"
	"sys.stdout.flush()\n"
	"import ctypes\n"
	"ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))\n";

int
main(int count, char **arguments)
{
	void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	void (*initialize)(void) = (void (*)(void))dlsym(library, "Py_Initialize");
	int (*run)(const char *, void *) = (int (*)(const char *, void *))dlsym(
		library, "PyRun_SimpleStringFlags");
	int (*finalize)(void) = (int (*)(void))dlsym(library, "Py_FinalizeEx");
	for (int i = 0; i < 2; i++) {
		initialize();
		printf("%d\n", run(code, NULL));
		fflush(stdout);
		finalize();
	}
	return 7;
}
END
# shellcheck disable=SC2086
$CC -O1 -g -o inside inside.c -ldl || fail "inside.c does not compile"
same 7 inside ../inside "$library"
log=$(grep -l 'exe=[^ ]*/inside ' $(grep -L '^# forked' logged/pmem.*.log))
agree 10 "$log"
lines_of "$log"
holds 3600 3001 '<string>:10 in work'
