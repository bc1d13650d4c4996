#!/bin/sh
# `02:13` is the last such time of day by the log's end, `-5m` five minutes before that, and what is
# `ago`, or of today or yesterday, counts from now; wherever a WHEN is taken.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# A snapshot a minute for three hours, from 23:01 to 02:00: [0] to [179].
awk 'BEGIN {
	print "pid 77\nstart 2026-11-20T23:00:00.000Z"
	for (i = 0; i < 180; i++)
		print "+ drop/handle 10 10\nsnapshot 60000 churn"
}' >script
./scriptlog a.log >/dev/null <script

# at NUMBER WHEN: which snapshot that is, in report, diff and export.
at() {
	"$pmem" report --raw --at "$2" a.log >out 2>err || wrong "report --at $2"
	grep -q "^snapshot \[$1\] of " out || wrong "report --at $2: not [$1]"
	"$pmem" report --raw --at="$2" a.log | cmp - out
	"$pmem" diff --raw -f first --to "$2" a.log >out 2>err || wrong "diff --to $2"
	grep -q "^to .* snapshot \[$1\] of " out || wrong "diff --to $2: not [$1]"
	"$pmem" export --to csv --at "$2" a.log >out 2>err || wrong "export --at $2"
	"$pmem" export --to csv --at "$1" a.log | cmp - out || wrong "export --at $2"
}
at 179 02:00
at 179 2:00
at 178 01:59:59.999
at 59 00:00
at 0 23:01
at 58 23:59
at 174 -5m
at 174 '-5 minutes'
at 119 -1h
at 179 -0s
at 168 -10.5m
at 73 '2026-11-21 00:14'
at 179 '10 minutes ago'
at 179 'yesterday 14:00'
"$pmem" report --raw --bytes --since -5m a.log >out 2>err || wrong '--since -5m'
grep -q ' total$' out && grep -q '+500 ' out || wrong '--since -5m: another growth'

# What is judged.
ask 0 -v --from -1h a.log
says '^snapshots \[119\] to \[179\], 1h 0m from '
ask 0 -v --from 23:30 --to 00:30 a.log
says '^snapshots \[29\] to \[89\], 1h 0m from '
ask 2 --from 01:30 --to 23:30 a.log
grep -q -e '--from is 2026-11-21 01:30:00Z, and --to 2026-11-20 23:30:00Z is before it' err ||
	wrong 'from behind to'
ask 2 --from 90 --to 30 a.log
grep -q -e '--from is snapshot \[90\], and --to \[30\] is before it' err ||
	wrong 'numbers, from behind to'

# Of two logs each diff counts from its own end; all else from where the last one ends.
sed 's/23:00:00/22:00:00/' script >earlier
./scriptlog b.log >/dev/null <earlier
"$pmem" diff --raw --from -5m --to -10m a.log b.log >out 2>err || wrong 'diff of two'
says '^from .*\[174\] of 2026-11-21 01:55'
says '^to .*\[169\] of 2026-11-21 00:50'
"$pmem" report --raw --at -2h a.log b.log >out 2>err || wrong 'two logs'
says '\[59\] of 2026-11-21 00:00'
says '\[119\] of 2026-11-21 00:00'
# One that begins later held nothing then.
"$pmem" report --raw --bytes --at 22:30 a.log b.log >out 2>err || wrong 'one is late'
says '^snapshot \[29\] of '
grep -q 'no snapshot by 2026-11-20 22:30:00Z in 1 of the logs, which begin later: left out$' err ||
	wrong 'one is late'

# From now: [0] 21 minutes ago, [1] a minute ago.
{
	printf 'pid 78\nstart %s\n' "$(date -u -d '-22 minutes' +%Y-%m-%dT%H:%M:%S.000Z)"
	printf '+ drop/handle 10 10\nsnapshot 60000 churn\nsnapshot 1200000 churn\n'
} | ./scriptlog now.log >/dev/null
# at_now NUMBER WHEN
at_now() {
	"$pmem" report --raw --at "$2" now.log >out 2>err || wrong "--at $2"
	grep -q "^snapshot \[$1\] of " out || wrong "--at $2: not [$1]"
}
at_now 0 '10 minutes ago'
at_now 0 '15m ago'
at_now 1 '10 seconds ago'
# [0] at noon yesterday, [1] at noon today, which may be to come.
days() {
	rm -f now.log
	{
		printf 'pid 79\nstart %sT00:00:00.000Z\n' "$(date -u -d yesterday +%Y-%m-%d)"
		printf '+ drop/handle 10 10\nsnapshot 43200000 churn\nsnapshot 86400000 churn\n'
	} | ./scriptlog now.log >/dev/null
	at_now 0 'yesterday 12:00'
	at_now 0 today
	at_now 1 'today 12:00'
	refused 1 'no snapshot of that time' report --at yesterday now.log
}
# refused STATUS WORDS ARGUMENTS...
refused() {
	status=0
	want=$1
	words=$2
	shift 2
	"$pmem" "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "^pmem: .*$words" err &&
		[ ! -s out ] || wrong "$*: status $status"
}
# Not over midnight.
[ "$(date -u +%H:%M)" != 23:59 ] || sleep 60
days
refused 1 'no snapshot of that time, 2026-11-20 22:00:00Z, in this log' report --at -4h a.log
refused 2 "expected .* a time such as 02:13, -5m, '10 minutes ago' or 2026-" report --at 25:00 a.log
refused 2 '-5: expected ' report --at -5 a.log
refused 1 'no_such.log: No such file' report --at -5m no_such.log
refused 1 'do not say when they were written' report --at -5m "$PMEM_ROOT/tests/cli/logs/seed.log"
mkfifo fifo
for log in - /dev/stdin; do
	status=0
	cat a.log >fifo 2>/dev/null &
	"$pmem" report --at -5m $log >out 2>err <fifo || status=$?
	[ $status -eq 2 ] && grep -q ": can be read once" err || wrong 'standard input'
	wait
done
# What is wrong with a log is said once, though it is read twice.
ask_report() {
	"$pmem" report --raw --at "$@" 2>&1 >out || [ $? -eq 1 ]
}
damaged=$PMEM_ROOT/tests/cli/logs/damaged.log
ask_report last "$damaged" >err
[ -s err ] || wrong 'nothing is wrong with it'
ask_report -0s "$damaged" | cmp - err || wrong 'a damaged log'
