#!/bin/sh
# long
# CPython tells of each function with -X perf (3.12, 3.13) or, in a jitdump, with -X perf_jit (3.13), and
# a stack leads through all of them: what leaks is told by name and file, with those that called it.
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
    for n in range(40000):
        handle(n)
        if n == 0:
            start()
    os.kill(os.getpid(), signal.SIGKILL)
def start():
    # What is told of these pushes what was told before out to the dump.
    for i in range(100):
        exec("def start_%d(): pass\nstart_%d()" % (i, i))
serve()
END

fail() {
	echo "$python: $1"
	tail -n 12 leaks.out
	exit 1
}

# run OPTION: with -X so.
run() {
	tried=$((tried + 1))
	mkdir $tried
	(cd $tried && PYTHONMALLOC=malloc LD_PRELOAD=$PMEM_LIBRARY exec "$python" -X "$1" ../app.py) \
		2>/dev/null || true
	log=$(ls $tried/pmem.*.log)
	pid=${log#*/pmem.}
	case $1 in
	perf) rm "/tmp/perf-${pid%.log}.map" ;;
	*) rm "/tmp/jit-${pid%.log}.dump" ;;
	esac
	"$LOGCHECK" "$log" >check.out || { cat check.out; exit 1; }
	"$pmem" leaks -v --min-time 0 "$log" >leaks.out
	sed -n '/^ *verdict/,/^$/p' leaks.out | sed -n 2p | grep -q \
		'py::keep_session:.*/app.py.* < py::handle:.*/app.py < py::serve:.*/app.py < py::<module>:.*/app.py' ||
		fail "$1: the function is not told first, with its callers"
	"$pmem" export --to collapsed "$log" >leaks.out
	grep ';py::keep_session:' leaks.out | grep -vq '^_start;.*;py::<module>:.*/app.py;.*;py::serve:' &&
		fail "$1: a stack is short"
	return 0
}

tried=0
for python in $(command -v python3 python3.12 python3.13 || true) \
	"${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[23].*/bin/python3; do
	version=$("$python" -X perf -c 'import sys
print("%d.%d" % sys.version_info[:2] if sys.is_stack_trampoline_active() else "")' 2>/dev/null) || continue
	case $version in 3.12 | 3.13) ;; *) continue ;; esac
	run perf
	[ "$version" = 3.12 ] || run perf_jit
done
[ $tried -gt 0 ] || echo "figure: without a Python 3.12 or 3.13"
