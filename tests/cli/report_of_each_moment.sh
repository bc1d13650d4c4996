#!/bin/sh
# --at and --since mean the snapshot that they name, by number, by time, or as first, last, peak;
# and what is no such moment is told.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
# Blocks [0] to [4], a second each. grow() has 100 bytes more in each; peak() 1000 in [2].
make_log >a.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
int grow = makelog_source(log, "grow");
int peak = makelog_source(log, "peak");
for (int snapshot = 0; snapshot < 5; snapshot++) {
	makelog_malloc(log, grow, 1, 100);
	if (snapshot == 2)
		makelog_malloc(log, peak, 1, 1000);
	if (snapshot == 3)
		makelog_free(log, peak, 1, 1000);
	makelog_snapshot(log, 1000, "churn");
}
makelog_close(log);
END

# expect LIVE GROWTH CHURN LIVE_OF_GROW ARGUMENTS...: the total's, and grow()'s.
expect() {
	want="$1 $2 $3 $4"
	shift 4
	got=$(pmem_report --bytes "$@" a.log | awk '/ total$/ { print $1, $4, $6, grow }
		/ grow < main$/ { grow = $1 }')
	[ "$got" = "$want" ] || wrong "$*: $got, should be $want"
}
expect 500 +400 2400 500
expect 500 +400 2400 500 --at last --since first
expect 500 +500 2500 500 --since start
expect 500 -800 1200 500 --since 2
expect 500 -800 1200 500 --since peak
expect 1300 +1200 1200 300 --at peak
expect 1300 +1100 1100 300 --at 2 --since 1
expect 100 +100 100 100 --at first
expect 200 +100 100 200 --at 1
expect 200 +100 100 200 --at 2026-11-21T00:00:02
expect 200 +100 100 200 --at 2026-11-21T00:00:02.999Z
expect 1300 +1200 1200 300 --at 2026-11-21T00:00:03.000Z
expect 500 +400 2400 500 --at 2027-01-01 --since 2026-11-21T00:00:01.500Z
expect 500 +500 2500 500 --since 2020-01-01

pmem_report --at 1 a.log |
	grep -qx 'snapshot \[1\] of 2026-11-21 00:00:02Z (churn), of \[0\] to \[4\]' ||
	wrong "--at 1: which snapshot it is"
# As many logs as there are, each at its own.
sed "s/ run=[0-9a-f]*/ run=1/" a.log >b.log
pmem_report --bytes --at peak a.log b.log | grep -q '^ *2600 .* total$' || wrong "two logs"

# refused STATUS WORDS ARGUMENTS...
refused() {
	status=0
	words=$2
	want=$1
	shift 2
	pmem_report "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^pmem: .*$words" err &&
		[ ! -s out ] || wrong "$*: status $status, $(cat err)"
}
refused 1 'a.log: no snapshot \[9\] in this log: it has \[0\] to \[4\]' --at 9 a.log
refused 1 'no snapshot of that time' --at 2020-01-01 a.log
refused 2 '\[3\] of a.log is later than \[1\]' --at 1 --since 3 a.log
refused 2 'nothing is known of before the first snapshot' --at start a.log
refused 1 "no snapshot in this log has the label 'noon': expected " --at noon a.log
