#!/bin/sh
# With -X perf CPython 3.12 and 3.13 tell of each function, and a stack leads through all of them, so
# that what leaks in one is told by its name and file, with those that called it.
# of whole stacks
# pmem: -DPMEM_LANGUAGE_FRAMES=0

set -eu
pmem=$PMEM_BUILD/pmem

cat >app.py <<'END'
import os, signal
sessions = []
def work():
    return [bytearray(900) for i in range(60)]
def keep_session(n):
    sessions.append(bytearray(1000 + n % 7))
def handle(n):
    work()
    if n % 4 == 0:
        keep_session(n)
def serve():
    for n in range(8000):
        handle(n)
    os.kill(os.getpid(), signal.SIGKILL)
serve()
END

fail() {
	echo "$python: $1"
	tail -n 12 leaks.out
	exit 1
}

tried=0
for python in $(command -v python3 python3.12 python3.13 || true) \
	"${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[23].*/bin/python3; do
	version=$("$python" -X perf -c 'import sys
print("%d.%d" % sys.version_info[:2] if sys.is_stack_trampoline_active() else "")' 2>/dev/null) || continue
	case $version in 3.12 | 3.13) ;; *) continue ;; esac
	tried=$((tried + 1))
	mkdir $tried
	(cd $tried && PYTHONMALLOC=malloc LD_PRELOAD=$PMEM_LIBRARY exec "$python" -X perf ../app.py) \
		2>/dev/null || true
	log=$(ls $tried/pmem.*.log)
	pid=${log#*/pmem.}
	rm "/tmp/perf-${pid%.log}.map"
	"$LOGCHECK" "$log" >check.out || { cat check.out; exit 1; }
	"$pmem" leaks --min-time 0 "$log" >leaks.out
	sed -n '/^ *verdict/,/^$/p' leaks.out | sed -n 2p | grep -q \
		'py::keep_session:.*/app.py.* < py::handle:.*/app.py < py::serve:.*/app.py < py::<module>:.*/app.py' ||
		fail "the function is not told first, with its callers"
	"$pmem" export --to collapsed "$log" >leaks.out
	grep ';py::keep_session:' leaks.out | grep -vq '^_start;.*;py::<module>:.*/app.py;.*;py::serve:' &&
		fail "a stack is short"
done
[ $tried -gt 0 ] || echo "figure: without a Python 3.12 or 3.13"
