#!/bin/sh
# A wrong command line is refused with status 2 and one line that names what is wrong; a log that
# cannot be read with status 1, after the report of the others.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_history 1 5 3 100 >a.log
printf 'nothing of ours\n' >empty.log

# refused STATUS WORDS ARGUMENTS...
refused() {
	status=0
	words=$2
	want=$1
	shift 2
	pmem_report "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] && grep -q "^pmem: .*$words" err ||
		wrong "$*: status $status, $(cat err)"
	[ "$want" -eq 1 ] || { [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ]; } ||
		wrong "$*: $(cat err)"
}
refused 2 'report: no log given'
refused 2 '--match (: Unmatched' --match '(' a.log
refused 2 '--not \[z-a\]: Invalid' --match a --not '[z-a]' a.log
refused 2 '-n: a tree' --tree -n 3 a.log
refused 2 '--stacks' --inverted --stacks a.log
refused 2 '--threshold' --threshold 5 a.log
refused 2 'by' --by size a.log
refused 2 'threshold' --tree --threshold 101 a.log
refused 2 'min' --min much a.log
refused 2 'nothing' --nothing a.log
refused 1 'no.log: No such file' no.log
[ ! -s out ] || wrong "a report of nothing"
refused 1 'empty.log' empty.log
[ ! -s out ] || wrong "a report of nothing"
refused 1 'no.log: No such file' a.log no.log
grep -q ' total$' out || wrong "what can be read is not shown"
pmem_report - <a.log | sed 1d >from_input
pmem_report a.log | sed 1d | cmp - from_input || wrong "standard input"
