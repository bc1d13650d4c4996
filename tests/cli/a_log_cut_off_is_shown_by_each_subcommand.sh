#!/bin/sh
# long
# Of a log that is cut off in the middle of a snapshot each subcommand shows what it shows of the
# snapshots before, at no word on standard error: a process that is killed leaves such a log.

set -eu
LC_ALL=C.UTF-8
export LC_ALL
pmem=$PMEM_BUILD/pmem
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
awk 'BEGIN {
	for (i = 0; i < 30; i++) {
		print "+ drop/handle 10 1000"
		print "+ serve/handle 7 500"
		print "- serve/handle 7 500"
		print "snapshot 60000 churn"
	}
}' | ./scriptlog full.log >answers
whole=$(grep -abo '^\[ 29\]' full.log | cut -d: -f1)
size=$(wc -c <full.log)
mkdir a
head -c "$whole" full.log >a/x.log

shown=0
for cut in 1 7 70 150 $(((size - whole) / 2)) $((size - whole - 120)) $((size - whole - 2)); do
	mkdir -p b
	head -c $((whole + cut)) full.log >b/x.log
	for command in "report" "report --tree" "leaks" "leaks --all" "diff" "diff --from 3" \
		"top --once" "export --to csv" "export --to collapsed" "export --to pprof" \
		"export --to speedscope" "export --to gprof2dot" "export --to mwrap" \
		"export --to ndjson" "export --to csv --at 28 --value growth"; do
		for folder in a b; do
			# shellcheck disable=SC2086
			(cd $folder && "$pmem" $command --raw x.log 2>&1 || echo "status $?") |
				grep -av -e '^note: .* cut off' -e '^the log has 1 note ' -e ' ago, ' |
				sed '${/^$/d;}' >$folder.out || true
		done
		[ -s a.out ] && cmp a.out b.out || {
			echo "$command, $cut bytes of the last snapshot"
			cat b.out
			exit 1
		}
		shown=$((shown + 1))
	done
	# Where a person reads it, it is told, once it has a line.
	[ "$cut" -ge 70 ] || continue
	for command in report "leaks -v" diff; do
		# shellcheck disable=SC2086
		[ "$("$pmem" $command --raw b/x.log | grep -c '^note: .*1 snapshot.* cut off')" -eq 1 ] || {
			echo "$command: no word, $cut"
			exit 1
		}
	done
	"$pmem" leaks --raw b/x.log | grep -qx 'the log has 1 note (-v)' || {
		echo "leaks: no word, $cut"
		exit 1
	}
done
echo "figure: $shown times the same"
