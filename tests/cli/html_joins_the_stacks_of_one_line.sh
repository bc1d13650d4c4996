#!/bin/sh
# On the page the stacks of one line have one finding: that of the stack which grew most has the numbers, and
# each other one says with how many it was judged. In two processes that is the same stack, whichever grew most.
# Rates of processes that never leaked at one time are not added. Modules of one name are one row.

. "$PMEM_ROOT/tests/cli/report/make.sh"
. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# process PID ONE TWO [START]: keep() leaks so many blocks a minute by two callers.
process() {
	make_log >"$1.log" <<X
options.pid = $1;
options.start = "${4:-}";
struct makelog *log = makelog_open(stdout, &options);
for (int snapshot = 0; snapshot < 120; snapshot++) {
	makelog_malloc(log, makelog_source(log, "libx.so:keep/one/serve"), $2, 100);
	makelog_malloc(log, makelog_source(log, "libx.so:keep/two/serve"), $3, 100);
	makelog_snapshot(log, 60000, "churn");
}
makelog_close(log);
X
}
process 11 5 3
process 12 2 6

"$pmem" html --raw -o page.html 11.log
[ "$(grep -o '"Judged with","2 stacks of its line"' page.html | wc -l)" -eq 1 ] || wrong "not one other stack"
[ "$(grep -o '"An hour","46.9 KiB"' page.html | wc -l)" -eq 1 ] || wrong "not the rate of both, once"
"$pmem" html --raw -o page.html 11.log 12.log
[ "$(grep -o '"Leaks in","2 of 2 processes"' page.html | wc -l)" -eq 1 ] || wrong "not one leak of two processes"
[ "$(grep -o '"Judged with","2 stacks of its line"' page.html | wc -l)" -eq 1 ] || wrong "not one other stack of both"

# Each stack leaks in a process of its own, 30,000 bytes an hour in one and 18,000 in the other.
process 13 5 0
process 14 0 3 2026-11-21T03:00:00.000Z
process 15 0 3
# rates WANTED LOG...: what the line, and the module, of both stacks leak an hour.
rates() {
	wanted=$1
	shift
	"$pmem" html --raw -o page.html "$@"
	sed -n '/^"line_groups"/,/^"modules"/s/^\[[0-9]*,"\(.*\)",\([0-9.]*\),.*/\1 \2/p' page.html >out
	printf 'keep %s\nlibx.so %s\n' "$wanted" "$wanted" | cmp - out || wrong "$*"
}
rates 30000.000 13.log 14.log
rates 48000.000 13.log 15.log
sed -i 's|/usr/lib/libx|/opt/libx|' 14.log
rates 30000.000 13.log 14.log
