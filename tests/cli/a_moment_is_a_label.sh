#!/bin/sh
# --at, --since, --from and --to take the label that a program gave a snapshot, the last of several,
# and `reset`, where it last counted anew: growth counts from there, where nothing else is asked for,
# as it was at the moment that is shown. What no snapshot is called is told.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem
# Blocks [0] to [8], a second each, in each of which grow() has 100 bytes more.
make_log >a.log <<'END'
static const char *const reasons[] = {"churn", "asked:before", "reset", "asked:after\\x20\\xc3\\xa4",
	"asked:7", "asked:before", "reset", "churn", "asked:last"};
struct makelog *log = makelog_open(stdout, &options);
int grow = makelog_source(log, "grow");
for (int snapshot = 0; snapshot < 9; snapshot++) {
	makelog_malloc(log, grow, 1, 100);
	makelog_snapshot(log, 1000, reasons[snapshot]);
}
makelog_close(log);
END
sed 's/^# pmem 2 pid=4242 /# pmem 2 pid=4243 /; s/ run=[0-9a-f]*/ run=1/; s/ label=.*//' a.log >none.log
grep -v ' reason=reset ' a.log | grep -q 'label=' || wrong "no labels"

# expect LIVE GROWTH ARGUMENTS...
expect() {
	want="$1 $2"
	shift 2
	got=$(pmem_report --bytes "$@" a.log | awk '/ total$/ { print $1, $4 }')
	[ "$got" = "$want" ] || wrong "$*: $got, should be $want"
}
expect 900 +200
expect 900 +800 --since first
expect 900 +200 --since reset
expect 900 +300 --since before
expect 900 +500 --since 'after ä'
expect 600 +300 --at before
expect 400 +100 --at 'after ä'
expect 400 +100 --at 'label=after ä'
expect 500 +200 --at label=7
expect 800 +100 --at 7
expect 900 +200 --at label=last
expect 700 0 --at 6
expect 300 0 --at 2
expect 200 +100 --at 1
expect 200 +100 --at 2026-11-21T00:00:02
expect 400 +100 --at 2026-11-21T00:00:04
expect 900 +200 --at peak
pmem_report --at before a.log |
	grep -qx 'snapshot \[5\] of 2026-11-21 00:00:06Z (asked: before), of \[0\] to \[8\]' ||
	wrong "which snapshot it is"

# between LIVE ARGUMENTS...: what the difference is, of one log.
between() {
	want=$1
	shift
	got=$("$pmem" diff --raw --bytes "$@" a.log | awk '/ total$/ { print $3 }')
	[ "$got" = "$want" ] || wrong "diff $*: $got, should be $want"
}
between +200 --from 'after ä' --to before
between +300 --from before --to last
between +200
between +800 --from first
"$pmem" diff --raw --bytes --from 'after ä' --to before a.log a.log | grep -q '+200 .* total$' ||
	wrong "of two logs"
"$pmem" export --to csv --at 'after ä' a.log >one
"$pmem" export --to csv --at 3 a.log | cmp - one || wrong export
"$pmem" export --to ndjson a.log | grep -c '"reason":"asked","label":"after ä","kind":"total"' |
	grep -qx 1 || wrong ndjson
"$pmem" leaks -v --from before a.log | grep -q '^snapshots \[5\] to \[8\],' || wrong leaks
"$pmem" leaks -v --from reset --to label=last a.log | grep -q '^snapshots \[6\] to \[8\],' || wrong leaks
"$pmem" top --once a.log | grep -q 'snapshot \[8\] last, ' || wrong top
cat a.log | "$pmem" report --raw --bytes --at before - | grep -q '^ *600 .* total$' || wrong "a pipe"

# refused STATUS WORDS ARGUMENTS...
refused() {
	status=0
	want=$1
	words=$2
	shift 2
	"$pmem" "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$words" err && [ ! -s out ] ||
		wrong "$*: status $status, $(cat err)"
}
refused 1 "a.log: no snapshot in this log has the label 'befor': expected a snapshot's number" \
	report --at befor a.log
refused 1 "no snapshot with the label 'lst' to compare with in the run of snapshot \[8\]" \
	report --since lst a.log
refused 1 "no snapshot has the label 'lst': expected" leaks --from lst a.log
refused 1 "none.log: no snapshot with the label 'before' to compare with" diff --from before none.log
refused 1 "no snapshot has the label 'x': expected" report --at x a.log none.log
refused 2 "can be read once, so where a label is is not known before" leaks -v --from before - <a.log
refused 2 "expected a snapshot's number or label, first, last" report --at 7x a.log
refused 2 "expected a snapshot's number or label, first, last" report --at label= a.log
refused 2 'is later than \[1\]' report --at 1 --since before a.log
sed 's/ reason=reset / reason=churn /' a.log >anew.log
refused 1 'no snapshot of a pmem_reset()' report --at reset anew.log
refused 1 'no snapshot of a pmem_reset()' leaks -v --from reset anew.log
refused 1 'no pmem_reset() in the run of snapshot \[8\]' report --since reset anew.log
# Of several logs those without it are left out.
pmem_report --bytes --at before a.log none.log >out 2>err
grep -q ' 600 ' out && grep -q "no snapshot with the label 'before' in 1 of the logs: left out" err ||
	wrong "several logs: $(cat err)"
