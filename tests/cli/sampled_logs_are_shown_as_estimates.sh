#!/bin/sh
# long
# pmem: -DPMEM_SAMPLE_BYTES=32768 -DPMEM_SAMPLE_SEED=1 -DPMEM_CHURN_THRESH=300000
# A sampled log is what FORMAT.md says, and each subcommand shows it as estimates with their standard
# error: the leak in it is found, and what is replaced all the time is none.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
fail() {
	echo "$1"
	exit 1
}

cat >host.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
static void *held[20000];
__attribute__((noinline)) void forget(void) { kept = malloc(100); }
__attribute__((noinline)) void replace(unsigned i) { free(held[i]); held[i] = malloc(i % 300 + 1); }
int main(void)
{
	unsigned random = 1;
	for (int i = 0; i < 20000; i++)
		replace((unsigned)i);
	for (int i = 0; i < 400000; i++) {
		random = random * 1103515245 + 12345;
		replace((random >> 8) % 20000);
		if (i % 4 == 0)
			forget();
		if (i % 4000 == 0)
			usleep(5000);
	}
}
END
$CC -O1 -fno-builtin -fno-optimize-sibling-calls -rdynamic -o host host.c
LD_PRELOAD=$PMEM_LIBRARY ./host
log=$(ls pmem.*.log)
pmem=$PMEM_BUILD/pmem

python3 "$PMEM_ROOT/tests/lib/grammar.py" "$PMEM_ROOT/src/FORMAT.md" '## An entry' "$log"
"$LOGCHECK" "$log" >said 2>&1 || fail "$(cat said)"

# 100,000 blocks of 100 bytes are 10 MB, to 0.57 MB.
"$pmem" report --bytes "$log" >report
cat report
grep -q '^note: .*sampled, one in 32768: .*; exactly .* allocated in .* calls, .* freed' report ||
	fail "report does not say that it is sampled"
grep ' forget < main' report | tr -d '~,+' | awk '
	{ error = $2; good = $1 > 10e6 - 4 * error && $1 < 10e6 + 4 * error && error > 5e5 && error < 7e5 }
	END { exit !good }' || fail "report: not 10 MB, or not their error"
grep -q '^~: estimated by sampling' report || fail "report does not say what ~ is"
"$pmem" report --tree "$log" >tree
cat tree
grep -Eq '% +~[0-9.]+ MiB +~[0-9,]+ blocks .*forget' tree || fail "a tree marks nothing"
grep -q '^~: estimated by sampling' tree || fail "a tree does not say what ~ is"
"$pmem" report --by thread "$log" >threads
cat threads
grep -Eq '^ *~[0-9.]+ MiB +~[0-9.]+ MiB .*host$' threads || fail "the threads' table marks nothing"
grep -q '^~: estimated by sampling' threads || fail "the threads' table does not say what ~ is"
"$pmem" diff "$log" | grep -q '~+.*forget < main' || fail "diff marks nothing"
"$pmem" top --once "$log" | grep -q 'sampled: all numbers are estimates' || fail "top says nothing"
"$pmem" top --once "$log" | grep -q '~[0-9].*forget' || fail "top marks nothing"

"$pmem" leaks -v --min-time 0 "$log" >leaks
cat leaks
grep -q '^  *leaks .*forget < main' leaks || fail "leaks does not find it"
! grep -q 'leaks .*replace' leaks || fail "leaks finds what is none"

"$pmem" export --to csv "$log" | head -n 1 | grep -q ',live_error,growth_error' || fail "csv: no errors"
"$pmem" export --to ndjson "$log" | tail -n 1 | python3 -c '
import json, sys
total = json.loads(sys.stdin.read())
assert total["sampled"] == 32768 and total["live_error"] > 0
assert total["exact_allocs"] - total["exact_frees"] >= 120000 and total["exact_alloc"] > 70e6
'
"$pmem" export --to pprof "$log" | gzip -dc | python3 -c '
import sys
data = sys.stdin.buffer.read()
at = 0
def varint():
    global at
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
period = 0
while at < len(data):
    key, value = varint(), varint()
    if key & 7 == 2:
        at += value
    elif key >> 3 == 12:
        period = value
assert period == 32768, period
' || fail "pprof has another period"
# The page has the same errors.
if command -v node >/dev/null; then
	. "$PMEM_ROOT/tests/lib/html.sh"
	as_modules
	check numbers.mjs "$log"
fi
