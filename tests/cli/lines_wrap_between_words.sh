#!/bin/sh
# On a terminal sentences go on in the next line, from a word on, indented, and nothing is lost; they
# count where a table is cut to what has room. Without a terminal each is one line.

set -eu
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem
make_log >a.log <<'END'
options.exe = "/usr/lib/a/folder/with/a/long/name/\u6f22\u5b57\u6f22\u5b57/server";
struct makelog *log = makelog_open(stdout, &options);
char name[32];
for (int i = 0; i < 20; i++) {
	for (int j = 0; j < 40; j++) {
		sprintf(name, "source%d", j);
		makelog_malloc(log, makelog_source(log, name), 3, 20000 + j);
	}
	makelog_snapshot(log, 60000, "churn");
}
makelog_close(log);
END
for arguments in "leaks --min-rate 0" "report -n 2" "report --tree --threshold 30" "diff -n 2"; do
	# shellcheck disable=SC2086
	"$pmem" $arguments --raw a.log >plain
	for columns in 30 50 80; do
		# shellcheck disable=SC2086
		COLUMNS=$columns "$pmem" $arguments --raw --color=always a.log |
			sed "s/$(printf '\033')\[[0-9]*m//g" >out
		# Of words that have room themselves.
		[ "$(grep ' ' out | LC_ALL=C.UTF-8 wc -L)" -le $columns ] || {
			cat out
			wrong "$arguments: wider than $columns"
		}
		# Those that were wrapped have all their words, whole, in the same order.
		awk '/^  [^ ]/ { line = line " " substr($0, 3); next } { if (line) print line; line = $0 }
			END { print line }' out >joined
		grep -E '^(live|resident|nothing|[0-9]+ sources|snapshot|memory|other|what)' plain >sentences || true
		while IFS= read -r sentence; do
			grep -qxF -e "$sentence" joined || {
				cat out
				wrong "$arguments, $columns columns: without '$sentence'"
			}
		done <sentences
	done
done

# A place that would be cut to a few letters goes on below too.
for columns in 20 30 40 45; do
	COLUMNS=$columns "$pmem" leaks --min-rate 0 --raw a.log >out
	[ "$(grep -c 'source[0-9]' out)" -ge 5 ] || { cat out; wrong "$columns columns: places are cut"; }
	[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le $columns ] || wrong "wider than $columns"
done

# A table's lines and those above it have room together, on a real one.
cat >drive.py <<'END2'
import os, sys
sys.path.insert(0, os.environ["PMEM_ROOT"] + "/tests/lib")
from terminal import Terminal

for columns, rows in ((120, 30), (34, 30), (34, 24)):
    report = Terminal([os.environ["PMEM_BUILD"] + "/pmem", "report", "--raw", "a.log"], columns, rows)
    if report.await_end() != 0:
        report.fail("ended with %d" % report.status)
    lines = report.normal.replace("\r", "").rstrip("\n").split("\n")
    if not any(l.startswith("  ") for l in lines[:8]) and columns == 34:
        report.fail("nothing was wrapped")
    if not rows - 3 <= len(lines) < rows:
        report.fail("%d lines on %d" % (len(lines), rows))
    report.close()
END2
python3 drive.py
