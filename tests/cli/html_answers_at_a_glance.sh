#!/bin/sh
# long: pages
# What a page answers first: of a folder the table of processes, with whole commands and no clipped
# column; of a chosen process its own title, summary and legend; growth outside malloc in amber with the
# resident line, green for nothing at all; one row for a line, bold, and a stack that opens there; two
# lines for a name and 32 pixels for a target on a phone; the peak where nothing is left; short runs as
# a table; words explained in place, and closed by Escape. Its page is small.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers

. "$PMEM_ROOT/tests/lib/scriptlog.sh"

# worker KIND PID: a process that leaks in two stacks of one line, one that grows outside of blocks, one
# that does neither, or one that frees everything as it ends.
worker() {
	awk -v kind="$1" -v pid="$2" 'BEGIN {
		printf "pid %d\nexe /srv/%s/a-service-with-a-long-path-to-its-program/bin/worker-%s\n", pid, kind, kind
		print "start 2026-11-21T00:00:00.000Z\n+ hold_all_that_was_read_at_the_start_of_the_program/main 1000 1000"
		for (i = 0; i < 60; i++) {
			if (kind == "leak")
				print "+ std::fill/keep/handle_a_request_with_a_name_of_some_length/main 4 1000" \
					"\n+ keep/serve_a_request_with_a_name_of_some_length/main 4 1000"
			if (kind == "outside")
				printf "memory %d 0\n", 8000000 + i * 1000000
			if (kind == "ended")
				print "+ fill/main 1 3000"
			print "+ serve/main 2 500\n- serve/main 2 500\nsnapshot 20000 churn"
		}
		if (kind == "ended")
			print "- fill/main 60 3000\n- hold_all_that_was_read_at_the_start_of_the_program/main 1000 1000\nsnapshot 1000 exit"
	}' | ./scriptlog "$3" >/dev/null
}
mkdir service ended jobs
worker leak 101 service/pmem.101.log
worker outside 102 service/pmem.102.log
for pid in $(seq 103 116); do
	worker flat "$pid" "service/pmem.$pid.log"
done
"$pmem" html -o service.html service
for kind in outside flat; do
	worker $kind 7 $kind.log
	"$pmem" html -o $kind.html $kind.log
done
worker ended 201 ended/pmem.201.log
worker ended 202 ended/pmem.202.log
"$pmem" html -o ended.html ended
for run in $(seq 40); do
	awk -v run="$run" 'BEGIN {
		printf "pid %d\nexe /usr/bin/rotate\nstart 2026-11-21T00:%02d:00.000Z\n", 300 + run, run
		for (i = 0; i < 4; i++)
			printf "+ load/main %d 10000\n+ work/main %d 90000\n- work/main %d 90000\nsnapshot 300 churn\n", run,
				run, run
		print "snapshot 10 exit"
	}' | ./scriptlog "jobs/pmem.$((300 + run)).log" >/dev/null
done
"$pmem" html -o jobs.html jobs
bytes=$(wc -c <service.html)
[ "$bytes" -lt 400000 ] || fail "the page has $bytes bytes"
echo "figure: the page of 16 processes has $bytes bytes"
check glance.js jobs chromium
