#!/bin/sh
# Of two logs of one run, as a copy of a folder has them, or a packed log beside the one that it was,
# that one is read which reaches further, and it is said that one was left out. Pieces of one log, one
# behind the other, are no copies.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

process() { worker "svc/pmem.$1.log" worker "$1" "$2" 0; }
mkdir svc
process 11 1
process 12 3
process 13 0
cp -r svc copy

ask 0 --bytes svc
says '^2 of 3 processes leak 24000 an hour in all, each 99.9% sure$'
says_not 'left out'
ask 3 --bytes --fail-on-all 24000 svc copy
says '^2 of 3 processes leak 24000 an hour in all, each 99.9% sure$'
says '^ +24000 +16850944 +47600 +start 00:01Z +~02:00Z +2 worker together +drop < handle < main$'
says '^nothing leaks in 1 process: worker 13 \(--all\)$'
grep -q '^pmem: left out: 3 logs of processes that another log tells of as far, or further$' err ||
	wrong 'it is not said'
ask 0 --fail-on-all 24001 svc copy
ask 0 --bytes --by process svc copy
[ "$(grep -c ' worker$' out)" -eq 3 ] || wrong "not a line each"

# Packed, beside the one that it was: one process, which has its own answer.
gzip -c svc/pmem.11.log >svc/pmem.11.log.gz
ask 0 -v svc/pmem.11.log svc/pmem.11.log.gz
says '^1 source leaks '
says_not ' of 2 processes'
grep -q '^pmem: left out: 1 log of a process that another log tells of as far, or further$' err ||
	wrong 'it is not said'
rm svc/pmem.11.log.gz

# As it was when it was copied: it says less, whichever is named first. What the rest of the log takes
# back is no leak, and no reason to fail.
awk '/^\[.*=/ && n++ >= 60 { exit } { print }' svc/pmem.12.log >copy/pmem.12.log
for logs in 'svc/pmem.12.log copy/pmem.12.log' 'copy/pmem.12.log svc/pmem.12.log'; do
	# shellcheck disable=SC2086
	ask 0 -v $logs
	says '^snapshots \[0\] to \[119\]'
	says_not '^snapshots \[0\] to \[59\]'
done
{
	printf 'pid 14\nexe /usr/bin/worker\n'
	awk 'BEGIN {
		for (i = 0; i < 120; i++)
			print (i == 60 ? "- drop/handle 60 100\n" : i < 60 ? "+ drop/handle 1 100\n" : "") \
				"+ gather/flush 1 1000\n- gather/flush 1 1000\nsnapshot 60000 churn"
	}'
} | ./scriptlog svc/pmem.14.log >/dev/null
awk '/^\[.*=/ && n++ >= 60 { exit } { print }' svc/pmem.14.log >copy/pmem.14.log
ask 3 --fail-on 0 copy/pmem.14.log
ask 0 --fail-on 0 copy/pmem.14.log svc/pmem.14.log
says ': no leak: '

# What was rotated and moved away: neither tells what the other does.
mkdir pieces
{
	printf 'pid 15\nexe /usr/bin/worker\n'
	awk 'BEGIN {
		for (i = 0; i < 120; i++)
			print (i == 60 ? "rotate\n" : "") "+ drop/handle 1 100\nsnapshot 60000 churn"
	}'
} | ./scriptlog pieces/pmem.15.log >/dev/null
ask 0 -v pieces/pmem.15.log
says '^snapshots \[0\] to \[119\]'
mv pieces/pmem.15.log.1 old.log
ask 0 -v old.log pieces/pmem.15.log
says '^2 of 2 processes leak[, ]'
says_not 'left out'

# A report, an export and a page have what they have without copies.
for what in report 'report --at peak' 'export --to csv' 'export --to pprof' html; do
	# shellcheck disable=SC2086
	"$pmem" $what svc >want
	# shellcheck disable=SC2086
	"$pmem" $what svc copy >out 2>err
	cmp -s want out || wrong "$what: a copy makes a difference: $(diff want out | head)"
	grep -q '^pmem: left out: 4 logs of processes ' err || wrong "$what: it is not said"
done
"$pmem" diff copy/pmem.12.log svc/pmem.12.log >out
says 'snapshot \[59\]'
says 'snapshot \[119\]'

# Cut off in the last snapshot it has as many, and less.
head -c -30 svc/pmem.11.log >torn.log
"$pmem" report torn.log svc/pmem.11.log >out 2>err
says '^snapshot \[119\]'
# A log that has an earlier run of its pid as well.
{ sed 's/ run=./ run=e/' svc/pmem.11.log && cat svc/pmem.11.log; } >both.log
"$pmem" report both.log svc/pmem.11.log >out 2>err
says '^/usr/bin/worker, process 11 '
# Nothing is said where none is left out.
"$pmem" leaks --baseline svc copy svc >out 2>err || true
[ "$(grep -c '^pmem: left out: 4 logs ' err)" -eq 1 ] || wrong "not once"
! grep 'left out: 0' err || wrong "of none"

# What is left out is still a log, and nothing is written over it.
for what in 'export --to csv' html; do
	cp copy/pmem.11.log want
	status=0
	# shellcheck disable=SC2086
	"$pmem" $what -o copy/pmem.11.log svc copy >out 2>err || status=$?
	[ $status -eq 2 ] && cmp -s want copy/pmem.11.log || wrong "$what wrote over a copy"
done
# Of the same run and number, but another snapshot: no copy.
sed 's/^\(time=\)2026-/\12025-/' svc/pmem.11.log >other.log
ask 0 -v svc/pmem.11.log other.log
says '^2 of 2 processes leak[, ]'
