#!/bin/sh
# `pmem.*.log*` names a log and its rotated pieces, which are read with it: they count once. A
# piece that is named without its log is read alone.

set -eu
$CC -std=gnu11 -D_GNU_SOURCE -I"$PMEM_ROOT/tests/lib" -I"$PMEM_ROOT/src" -o scriptlog \
	"$PMEM_ROOT/tests/lib/scriptlog.c" "$PMEM_ROOT/tests/lib/makelog.c"
for pid in 7 8; do
	{
		echo "pid $pid"
		for block in 1 2 3 4 5 6 7 8 9; do
			echo "+ f$pid/g $block 100"
			echo "block 1000 churn"
			[ $block -ne 4 ] || echo rotate
		done
	} | ./scriptlog pmem.$pid.log >answers
done
for command in "report --raw" "leaks --raw" "export --raw --to csv" "export --raw --to ndjson"; do
	# shellcheck disable=SC2086
	"$PMEM_BUILD/pmem" $command pmem.7.log pmem.8.log >wanted
	# shellcheck disable=SC2086
	"$PMEM_BUILD/pmem" $command pmem.*.log* >got
	cmp wanted got || {
		echo "$command:"
		cat got
		exit 1
	}
done
"$PMEM_BUILD/pmem" report --raw pmem.7.log.1 pmem.8.log >got
grep -q '^server, process 7: live 1000 B' got && grep -q '^2 processes: ' got
