#!/bin/sh
# Of a log that is named twice, or together with its rotated pieces, as by pmem.*.log*, or with its
# folder, each snapshot counts once; by report, leaks and each format of export.

set -eu
LC_ALL=C.UTF-8
export LC_ALL
pmem=$PMEM_BUILD/pmem
. "$PMEM_ROOT/tests/lib/scriptlog.sh"

for pid in 77 78; do
	awk -v pid=$pid 'BEGIN {
		print "pid " pid
		for (i = 0; i < 60; i++) {
			print "+ drop/handle 10 10"
			print "snapshot 60000 churn"
			if (i == 20)
				print "rotate"
		}
	}' | ./scriptlog pmem.$pid.log >/dev/null
done
[ -f pmem.77.log.1 ]
ln -s pmem.78.log link.log

for command in report leaks "export --to csv" "export --to ndjson" "export --to collapsed"; do
	# shellcheck disable=SC2086
	"$pmem" $command pmem.77.log pmem.78.log >want
	for names in "pmem.*.log*" "pmem.77.log.1 pmem.77.log link.log pmem.78.log.1 pmem.78.log" \
		"pmem.77.log pmem.77.log ./pmem.78.log $PWD/pmem.78.log" . "$PWD pmem.78.log"; do
		# shellcheck disable=SC2086
		"$pmem" $command $names | sed 's|: pmem leaks -v .*/|: pmem leaks -v |' >got
		diff want got || {
			echo "pmem $command $names"
			exit 1
		}
	done
done

# A piece that is named by itself is read alone, and what is no file is left as it is.
"$pmem" report pmem.77.log.1 | grep -q '^snapshot \[20\] .* the last' || exit 1
"$pmem" report pmem.77.log - <pmem.78.log | grep -q '^2 processes: ' || exit 1

# A folder's packed logs are read, too; one that has none is told.
mkdir packed empty
gzip <pmem.77.log.1 >packed/pmem.77.log.gz
"$pmem" report pmem.77.log.1 >want
"$pmem" report packed >got
diff want got
status=0
"$pmem" leaks empty pmem.77.log >got 2>err || status=$?
[ $status -eq 1 ] && grep -q '^pmem: empty: no log in this folder: expected pmem.PID.log$' err && grep -q 'process 77' got || {
	echo "an empty folder: status $status"
	cat err got
	exit 1
}
