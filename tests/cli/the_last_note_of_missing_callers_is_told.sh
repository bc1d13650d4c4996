#!/bin/sh
# A log notes each time that new stacks are cut further. Of these notes the last is told, once, in its
# place among the others.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

printf 'pid 77\n+ turn/work 9 100\nsnapshot 60000 churn\n+ turn/work 9 100\nsnapshot 60000 churn\n' |
	./scriptlog plain.log >/dev/null
cut='# note CALLERS ARE MISSING from here on: a new stack keeps its'
awk -v cut="$cut" '
	/^\[  1\]/ { print cut " 32 innermost frames"; print "# note another"; print cut " 4 innermost frames" }
	{ print }' plain.log >pmem.77.log
[ "$(grep -c '^# note CALLERS' pmem.77.log)" -eq 2 ]
"$pmem" report pmem.77.log >out 2>err
[ "$(grep -c 'CALLERS' out)" -eq 1 ] || wrong "not one note"
[ "$(grep -A 1 'CALLERS' out)" = "note: CALLERS ARE MISSING from here on: a new stack keeps its 4 innermost frames
note: another" ] || wrong "not the last note"
