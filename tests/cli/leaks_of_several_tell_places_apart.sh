#!/bin/sh
# Of many processes the table of what leaks in all of them has a row for each line or function, as that of
# one process does. By stack, sources that would read the same have the first frame in which they differ.

. "$PMEM_ROOT/tests/cli/report/make.sh"
. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# process PID: leaks by two calls of one line of Python, and at one place called from two.
process() {
	make_log >"$1.log" <<E
options.pid = $1;
struct makelog *log = makelog_open(stdout, &options);
static const char *const stacks[] = {
	"PyUnicode_New/unicode_concatenate/@python:|srv|app.py:4 in job",
	"list_resize/list_append/@python:|srv|app.py:4 in job",
	"create_a_block/make_a_session/find_or_make_one/handle_get/dispatch",
	"create_a_block/make_a_session/find_or_make_one/handle_set/dispatch",
};
for (int snapshot = 0; snapshot < 120; snapshot++) {
	for (int i = 0; i < 4; i++)
		makelog_malloc(log, makelog_source(log, stacks[i]), 9 - i, 100);
	makelog_snapshot(log, 60000, "churn");
}
makelog_close(log);
E
}
for pid in 11 12 13; do
	process $pid
done

for width in 80 120 200; do
	for how in '--by stack' '--by stack --raw' --by-name; do
		# shellcheck disable=SC2086
		COLUMNS=$width ask 0 $how 11.log 12.log 13.log
		sed -n 's/.* 3 server  *//p' out >places
		[ "$(wc -l <places)" -eq 4 ] || wrong "not four rows"
		[ -z "$(sort places | uniq -d)" ] || wrong "$width columns: twice: $(sort places | uniq -d)"
	done
done
says ' 3 server .* app.py:4 in job via PyUnicode_New'
says ' 3 server .* app.py:4 in job via list_resize'

COLUMNS=200 ask 0 11.log 12.log 13.log
sed -n 's/.* 3 server  *//p' out >places
[ "$(wc -l <places)" -eq 2 ] || wrong "not two rows"
says '^ *299 KiB .* 3 server .* app.py:4 in job$'
says '^ *229 KiB .* 3 server .* create_a_block < make_a_session < find_or_make_one'

# Of one line, callers are the same where a row would say the same of them.
make_log >lines.log <<E
struct makelog *log = makelog_open(stdout, &options);
static const char *const stacks[] = {
	"PyList_New/@python:|srv|app.py:12 in get/@python:|srv|a.py:40 in run",
	"PyList_New/@python:|srv|app.py:12 in get/@python:|srv|b.py:40 in run",
	"PyList_New/@python:|srv|app.py:12 in get/@python:|srv|a.py:41 in run",
	"PyList_New/@python:|srv|other.py:7 in put/@python:|srv|a.py:40 in run/@python:|srv|a.py:1 in one",
	"PyList_New/@python:|srv|other.py:7 in put/@python:|srv|a.py:40 in run/@python:|srv|a.py:2 in two",
};
for (int snapshot = 0; snapshot < 120; snapshot++) {
	for (int i = 0; i < 5; i++)
		makelog_malloc(log, makelog_source(log, stacks[i]), 9, 100);
	makelog_snapshot(log, 60000, "churn");
}
makelog_close(log);
E
COLUMNS=200 ask 0 -v --raw lines.log
says '^ *leaks .* 3 stacks +app.py:12 in get$'
says '^ *leaks .* 2 stacks +other.py:7 in put < a.py:40 in run$'
