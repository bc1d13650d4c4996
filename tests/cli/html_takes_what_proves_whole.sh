#!/bin/sh
# long: pages
# The page of a log that is cut off at any line, damaged anywhere, or copied from a machine with
# other line ends, has the snapshots that prove whole, each of them and no other, and what is wrong is
# said as `pmem report` says it, once. Its moments are chosen by a scan of its summaries, which
# proves nothing.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"

# same LOG WHAT
same() {
	"$pmem" export --raw --to ndjson "$1" 2>said \
		| sed -n 's/.*"snapshot":\([0-9]*\),.*"kind":"total".*/\1/p' | tr '\n' ' ' >expected
	"$pmem" html --raw "$1" 2>told \
		| sed -n 's/.*"number":\[\([0-9,]*\)\].*/\1/p' | tr ',\n' '  ' >got
	cmp -s expected got || fail "$2: of $(cat expected), the page has $(cat got)"
	cmp -s said told || fail "$2: told $(cat told), expected $(cat said)"
	count=$((count + 1))
}

count=0
for name in emptied names repeated overflow damaged torn seed; do
	log=$PMEM_ROOT/tests/cli/logs/$name.log
	lines=$(wc -l <"$log")
	same "$log" "$name"
	for line in $(seq 2 3 "$lines"); do
		head -n "$line" "$log" >a.log
		same a.log "$name cut off behind line $line"
		sed "${line}s/[0-9]\([^0-9]*\)\$/x\1/" "$log" >a.log
		same a.log "$name with line $line damaged"
		sed "${line}d" "$log" >a.log
		same a.log "$name without line $line"
	done
	sed 's/$/\r/' "$log" >a.log
	same a.log "$name with other line ends"
done

# Where there are more than can be drawn, the same are chosen as if those that are damaged, among them
# the largest and the last, were not there.
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
awk 'BEGIN {
	for (i = 0; i < 1500; i++) {
		printf "+ f 1 %d\nsnapshot 1000 churn\n- f 1 %d\n", i == 700 ? 9000 : i, i == 700 ? 9000 : i
	}
}' | ./scriptlog whole.log >/dev/null
awk '/^\[/ { number = substr($0, 2) + 0; is_bad = number == 700 || number % 100 > 97 }
	is_bad && /^[{]/ { sub(/live:/, "live:1") }
	{ print >"damaged.log" }
	!is_bad { print >"without.log" }' whole.log
for log in damaged without; do
	"$pmem" html --raw $log.log 2>$log.said | grep -o '"number":[^]]*' >$log.numbers
done
[ -s damaged.said ] && cmp damaged.numbers without.numbers || fail "other moments are chosen"
[ "$(tr ',' '\n' <damaged.numbers | wc -l)" -lt 900 ] || fail "all are chosen"
echo "figure: $count logs"
