#!/bin/sh
# `pmem diff` says what grew, shrank, came and went, of one log and of two, and all its lines
# together are the difference of the totals, whatever is cut, left out or not told one by one.

set -eu
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table
	exit 1
}

# The lines but for the two moments; a blank stands for a missing word.
rows() {
	"$pmem" diff --bytes --raw "$@" >table 2>words || fail "status $?: $(cat words)"
	sed -e '1,/before .*after/d' -e 's/^ *//' -e 's/  */ /g' table >rows
}

# expect LINE...: the rows of the table.
expect() {
	for line; do
		printf '%s\n' "$line"
	done >expected
	diff expected rows || fail "not as expected"
}

# Each column's sum is in the line of the total; with --bytes it is exact.
adds_up() {
	awk '{ change = $1 ~ /^(came|went|grew|shrank)$/
			for (i = 1; i <= 5; i++) { v = $(i + change); gsub(/[+~]/, "", v); value[i] = v }
			if ($NF == "total") { for (i = 1; i <= 5; i++) if (sum[i] != value[i]) bad = 1; seen = 1 }
			else for (i = 1; i <= 5; i++) sum[i] += value[i] }
		END { exit bad || !seen }' rows || fail "does not add up"
}

./scriptlog a.log >answers <<'END2'
+ leak/handle 10 100
+ gone 5 1000
+ shrinks 5 1000
+ same 7 70
+ idle 1 30
snapshot 1000 churn
+ leak/handle 20 100
- gone 5 1000
- shrinks 2 1000
+ new 1 50000
+ same 3 70
- same 3 70
snapshot 1000 churn
+ leak/handle 1 100
snapshot 1000 exit
END2
rows a.log
expect 'came 0 50000 +50000 +1 +1 new < main' 'went 5000 0 -5000 -5 0 gone < main' \
	'grew 1000 3100 +2100 +21 +21 leak < handle < main' \
	'shrank 5000 3000 -2000 -2 0 shrinks < main' \
	'520 520 0 0 +3 2 sources with the same live' '11520 56620 +45100 +15 +25 total'
adds_up
# A table of the same, by another value, cut, and with parts left out.
rows a.log --from 1 --to 2
expect 'grew 3000 3100 +100 +1 +1 leak < handle < main' \
	'53520 53520 0 0 0 5 sources with the same live' '56520 56620 +100 +1 +1 total'
rows a.log --from start --to 0 --by allocs -n 2
expect 'came 0 10 +10 +1000 +10 leak < handle < main' 'came 0 7 +7 +490 +7 same < main' \
	'0 11 +11 +10030 +11 and 3 more sources' '0 28 +28 +11520 +28 total'
adds_up
rows a.log --min 2100 --not new
expect 'went 5000 0 -5000 -5 0 gone < main' 'grew 1000 3100 +2100 +21 +21 leak < handle < main' \
	'5000 3000 -2000 -2 0 and 1 more source' '520 520 0 0 +3 2 sources with the same live' \
	'0 50000 +50000 +1 +1 1 source not asked for' '11520 56620 +45100 +15 +25 total'
adds_up
# Of blocks --min would be nothing that has bytes: it is of live.
rows a.log --min 2100 --by blocks
expect 'grew 10 31 +21 +2100 +21 leak < handle < main' 'went 5 0 -5 -5000 0 gone < main' \
	'came 0 1 +1 +50000 +1 new < main' '5 3 -2 -2000 0 and 1 more source' \
	'8 8 0 0 +3 2 sources with the same blocks' '28 43 +15 +45100 +25 total'
rows a.log --stacks --match handle --by blocks
grep -q '^{[0-9a-f]\{16\}}$' rows && grep -q '^malloc */usr/lib/libpmem.so$' rows || fail "no stack"
grep -q '^grew 10 31 +21 +2100 +21 leak' rows || fail "not by blocks"

# The last snapshot has no room for all that let go of what they had: it is certain that they hold
# nothing, not that they made no calls.
./scriptlog c.log >answers <<'END2'
show_empty 1
+ keep 1 100
+ big 5 1000
+ mid 4 100
+ small 3 10
snapshot 1000 churn
- big 5 1000
- mid 4 100
+ small 2 10
- small 5 10
snapshot 1000 exit
END2
rows c.log
expect 'went 5000 0 -5000 -5 0 big < main' 'went 400 0 -400 -4 ~0 mid < main' \
	'went 30 0 -30 -3 ~0 small < main' '100 100 0 0 0 1 source with the same live' \
	'0 0 0 0 +2 {rest} sources that the log does not tell one by one' \
	'5530 100 -5430 -12 +2 total'
adds_up
rows c.log --by-name
adds_up
grep -q '^went 400 0 -400 -4 ~0 mid' rows || fail "by name"

# Another process: the same ids, other counts; two that A does not tell of one by one.
./scriptlog b.log >answers <<'END2'
pid 4243
show 2
+ leak/handle 1000 100
+ same 7 70
+ idle 1 30
+ small 1 20
snapshot 1000 churn
END2
rows a.log b.log
adds_up
grep -q '^grew 3100 100000 +96900 +969 +969 leak' rows || fail "leak"
grep -q '^went 3000 0 ~-3000 ~-3 ~-5 shrinks' rows || fail "what may be in {rest} has no ~"
grep -q '^grew 0 50 +50 +2 +2 {rest}' rows || fail "rest"
# A ends at exit, and so tells of all that held memory.
rows b.log a.log
adds_up
grep -q '^came 0 50000 ~+50000 ~+1 ~+1 new' rows || fail "new"
grep -q '^shrank 50 0 -50 -2 -2 {rest}' rows || fail "rest of b"
rows a.log a.log
expect '56620 56620 0 0 0 6 sources with the same live' '56620 56620 0 0 0 total'

# The first pmem counted no calls, and that is no 0.
"$pmem" diff --raw "$PMEM_ROOT/tests/cli/logs/seed.log" >table || fail "status $?"
grep -Eq '^ +grew +5 B +7 B +[+]2 B +- +- +open_session$' table || fail "the first pmem's log"

# Wrong ones: a word, and the status.
refuse() {
	status=$1
	words=$2
	shift 2
	code=0
	"$pmem" diff "$@" >table 2>words || code=$?
	[ $code -eq "$status" ] && grep -q "$words" words && [ "$(wc -l <words)" -eq 1 ] \
		|| fail "$*: status $code: $(cat words)"
}
refuse 2 'no log given'
refuse 2 'two logs at most' a.log b.log a.log
refuse 2 'is before it' a.log --from 2 --to 1
refuse 2 'can be read once' - -
refuse 2 'is for one log' a.log b.log --from start
refuse 2 'nothing before the first snapshot' a.log --to start
refuse 1 'no snapshot \[9\]' a.log --to 9
refuse 1 'nowhere.log' a.log nowhere.log
