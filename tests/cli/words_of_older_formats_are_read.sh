#!/bin/sh
# What format 3 calls snapshots_dropped and snapshots= is shown alike of logs of format 1, where both
# were called blocks.

set -eu
fail() {
	echo "$1"
	cat "$2"
	exit 1
}
losses='/^time=/a\
losses DROPPED=3'
sed "$losses" "$PMEM_ROOT/tests/cli/logs/forked.log" >log
sed 's/DROPPED/blocks_dropped/' log >old.log
sed 's/DROPPED/snapshots_dropped/; s/^# pmem 1 /# pmem 3 /; s/ blocks=4$/ snapshots=4/' log >new.log
for log in old new; do
	"$PMEM_BUILD/pmem" report $log.log >$log.text 2>&1 || fail $log $log.text
	grep -q 'snapshots_dropped=3: snapshots of the log that could not be written' $log.text || fail $log $log.text
	grep -q 'forked from 4242' $log.text || fail $log $log.text
	! grep '^pmem: ' $log.text || fail "$log: a line is not understood" $log.text
done
