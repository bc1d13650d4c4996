#!/bin/sh
# Started with standard files closed, as some daemons start their children: what pmem opens does
# not take their place, so that no message goes into a file that it writes.

set -eu
pmem=$PMEM_BUILD/pmem
"$pmem" run sort /dev/null 2>words
log=$(ls pmem.*.log)
[ -s "$log" ]
{
	cat "$log"
	printf '\n[ 99]====\nnonsense\n\n'
} >damaged.log

"$pmem" export --to ndjson -o wanted damaged.log 2>words || status=$?
[ "${status:-0}" -eq 1 ] && [ -s words ] && [ -s wanted ] || {
	echo "no warning to lose: status ${status:-0}"
	cat words
	exit 1
}
for closed in '2>&-' '>&- 2>&-' '<&- 2>&-' '<&- >&- 2>&-' '<&- >&-'; do
	status=0
	eval '"$pmem" export --to ndjson -o got damaged.log '"$closed" || status=$?
	cmp got wanted && [ $status -eq 1 ] || {
		echo "$closed: status $status"
		exit 1
	}
	rm got
done

# What is not there fails as it does.
status=0
"$pmem" export --to csv - <&- >got 2>words || status=$?
[ $status -eq 1 ] && grep -q 'Bad file descriptor' words || {
	echo "closed input: status $status"
	cat words
	exit 1
}
