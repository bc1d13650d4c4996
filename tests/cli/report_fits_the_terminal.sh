#!/bin/sh
# No line of a table or tree is wider than the terminal, down to a narrow one, and what is left of
# a line tells most; without a terminal nothing is cut, and there is no escape sequence.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_log >a.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
int deep = makelog_source(log, "a_function_with_a_long_name/handle_the_request_of_a_user/"
	"dispatch_one_of_many_requests/run_the_loop_for_ever/start_everything_that_there_is");
int text = makelog_source(log, "\u00fcberpr\u00fcfung_mit_umlauten_in_einem_sehr_langen_namen_"
	"der_nicht_passt");
makelog_malloc(log, deep, 1000, 123456);
makelog_malloc(log, text, 1, 10);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END
make_history 4 90 30 10 >b.log

for columns in 40 60 80 100 132 200; do
	for log in a.log b.log; do
		for arguments in "" "--bytes --by growth" "--tree --threshold 0" "--inverted --by churn"; do
			# shellcheck disable=SC2086
			COLUMNS=$columns pmem_report $arguments $log | sed '1,/^$/d' >out
			widest=$(LC_ALL=C.UTF-8 wc -L <out)
			[ "$widest" -le "$columns" ] || wrong "$arguments: $widest of $columns columns"
			[ -s out ] || wrong "nothing"
		done
	done
done
COLUMNS=80 pmem_report a.log | grep -q ' a_function_with_a_long_name$' ||
	wrong "not cut between callers"
COLUMNS=60 pmem_report a.log | grep -q 'berpr.*\.\.\.$' || wrong "a long name is not cut"
pmem_report a.log >plain
grep -q 'start_everything_that_there_is < main$' plain || wrong "cut without a terminal"
grep -q 'allocs  *churn' plain || wrong "columns are missing without a terminal"
if grep -q "$(printf '\033')" plain; then
	wrong "escape sequences without a terminal"
fi
pmem_report --color always a.log | sed "s/$(printf '\033')\[[0-9]*m//g" | cmp - plain ||
	wrong "colour is more than colour"
