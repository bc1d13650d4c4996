#!/bin/sh
# CPython's own tests of memory, threads, forks, signals and subprocesses: each test says the
# same under the library. What differs between two runs without it is left out, and counted.
# Needs Debian's packages python3 and libpython3.11-testsuite.

. "$PMEM_ROOT/tests/lib/real.sh"
python=/usr/bin/python3
[ -x $python ] || needs $python python3
$python -c 'import test.test_fork1' 2>/dev/null || {
	echo "skipped: needs libpython3.11-testsuite"
	exit 77
}
suites="test_signal test_fork1 test_threading test_thread test_threadsignals test_posix
	test_mmap test_wait3 test_wait4 test_popen test_ctypes test_memoryview test_gc
	test_weakref test_array test_bytes test_zlib test_sqlite3 test_tracemalloc
	test_faulthandler test_subprocess test_multiprocessing_fork test_multiprocessing_spawn"
# Of multiprocessing what is about processes: with its managers it takes minutes.
processes="-m *WithProcessesTestProcess* -m *WithProcessesTestPool* -m *WithProcessesTestQueue*
	-m *WithProcessesTestLock* -m *TestSubclassingProcess*"
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 PYTHONMALLOC=malloc

# outcomes NAME SIDE: a line for each test in NAME.outcomes. Each suite in a process and
# a folder of its own, two at a time.
outcomes() {
	name=$1
	# shellcheck disable=SC2016,SC2086
	printf '%s\n' $suites | xargs -P 2 -I @ sh -c 'mkdir -p "$1/@" && cd "$1/@" || exit
		set -f
		case @ in test_multiprocessing*) ;; *) set -- "$1" "$2" "$3" ;; esac
		exec timeout --foreground -k 5 200 env LD_PRELOAD="$2" "$3" -m test -v $4 @ >../@.out 2>&1 </dev/null' \
		- "$name" "$(preload_of "$2")" $python "$processes" || true
	for suite in $suites; do
		# The outcome may come lines after the name; what other processes say lies between.
		LC_ALL=C awk -v suite="$suite" '
			/^test[A-Za-z0-9_]* \(/ { test = $1 " " $2 }
			test && match($0, / \.\.\. .*/) { found = substr($0, RSTART + 5) }
			test && /^(ok|skipped .*|FAIL|ERROR|expected failure)$/ { found = $0 }
			found { print suite, test, found; test = found = "" }' "$name/$suite.out"
	done | sed 's/0x[0-9a-f]*//g; s/resolution: [0-9.]* s/resolution/' | sort >"$name.outcomes"
}

outcomes plain plain
at_least "tests" "$(wc -l <plain.outcomes)" 800
outcomes again plain
outcomes logged logged
# Tests that are not alike without us say nothing about us.
comm -3 plain.outcomes again.outcomes | sed 's/^\t//' | cut -d" " -f1-3 | sort -u >flaky
at_most "tests that are not alike without us" "$(wc -l <flaky)" 20
grep -v -F -f flaky plain.outcomes >want
grep -v -F -f flaky logged.outcomes >got
diff want got >difference || fail "not the same outcomes" difference
find logged -name 'pmem.*.log' >logs
at_least "logs" "$(wc -l <logs)" 10
# Some end before their first snapshot: such a log is empty.
if ! xargs "$LOGCHECK" <logs >agree.out 2>&1 && grep -q '^[^ ]*:[0-9]*: ' agree.out; then
	fail "the logs do not agree" agree.out
fi
echo "figure: $(wc -l <want) outcomes the same, $(wc -l <flaky) left out," \
	"$(grep -c ' ok$' want) ok; $(tail -n 1 agree.out)"
