#!/bin/sh
# On the page the stacks of one line have one finding: that of the stack which grew most has the numbers, and
# each other one says with how many it was judged. In two processes that is the same stack, whichever grew most.

. "$PMEM_ROOT/tests/cli/report/make.sh"
. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# process PID ONE TWO: keep() leaks so many blocks a minute by two callers.
process() {
	make_log >"$1.log" <<X
options.pid = $1;
struct makelog *log = makelog_open(stdout, &options);
for (int snapshot = 0; snapshot < 120; snapshot++) {
	makelog_malloc(log, makelog_source(log, "keep/one/serve"), $2, 100);
	makelog_malloc(log, makelog_source(log, "keep/two/serve"), $3, 100);
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
