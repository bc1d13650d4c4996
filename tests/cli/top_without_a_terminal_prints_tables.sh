#!/bin/sh
# Without a terminal `pmem top` prints a table for each new snapshot, until the process ends; --once
# one, and a pipe each snapshot that comes through it. Rows add up to the head.

set -eu
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table words
	exit 1
}

{
	printf 'show 2\n+ large/f 1 50000\n+ busy 9 900\n+ small 1 10\nsnapshot 1000 churn\n'
	printf '+ busy 10 1000\n- busy 9 900\n+ large/f 2 100\nsnapshot 2000 churn\n'
} | ./scriptlog a.log >answers
"$pmem" top --once --bytes --raw a.log >table 2>words || fail "status $?"
# Two seconds, 10200 bytes allocated, 8100 freed.
grep -q '^live 60210 in 14 blocks ' table || fail "live"
grep -q '^growth +1050/s   alloc 5100/s in 6/s   free 4050/s in 4.5/s   sources 3$' table \
	|| fail "rates"
# On a narrow screen what is there of the head is whole: half a number would be another.
for width in 20 25 30 45 50 60 70 75; do
	COLUMNS=$width "$pmem" top --once --bytes a.log >narrow 2>words || fail "status $?"
	grep -Eq '^growth \+1050/s(   alloc 5100/s( in 6/s(   free 4050/s( in 4\.5/s(   sources 3)?)?)?)?)?$' narrow ||
		{ cat narrow; fail "cut at $width columns"; }
done
sed -n '/where$/,$p' table | sed -e 's/^ *//' -e 's/  */ /g' >rows
cat >expected <<'END2'
*live blocks growth/s alloc/s churn/s allocs/s where
50200 3 +100 100 100 1 large < f < main
10000 10 +950 5000 9050 5 busy < main
10 1 0 0 0 0 {rest} sources that the log does not tell one by one

END2
diff expected rows || fail "rows"
"$pmem" top --once --bytes --raw -n 1 --by churn a.log >table 2>words || fail "status $?"
grep -Eq '^ +50200 +3 +\+100 +100 +100 +1 +1 more source$' table || fail "no sum of what is cut"
grep -Eq '^ +10000 .* busy' table || fail "not by churn"

# Each snapshot of a pipe.
"$pmem" top --raw - <a.log >table 2>words || fail "status $?"
[ "$(grep -c '^server 4242' table)" -eq 2 ] || fail "not each snapshot"

# The first pmem counted no calls, and that is no 0.
"$pmem" top --once --raw "$PMEM_ROOT/tests/cli/logs/seed.log" >table 2>words || fail "status $?"
grep -Eq '^ +7 B +- +0 B +0 B +0 B +- +open_session$' table || fail "the first pmem's log"

# A log that grows: what is there, each snapshot more, and the end.
mkfifo script
./scriptlog b.log <script >answers &
writer=$!
exec 3>script
printf '+ leak 1 100\nsnapshot 1000 churn\n+ leak 1 100\nsnapshot 1000 churn\n' >&3
await() {
	for _ in $(seq 400); do
		[ "$(grep -c "$2" "$1" 2>/dev/null)" -ge "$3" ] && return
		sleep 0.05
	done
	fail "no $2 in $1"
}
await answers snapshot 2
"$pmem" top --raw b.log >table 2>words &
reader=$!
await table '^server 4242' 1
grep -q 'snapshot \[1\]' table || fail "not the last snapshot"
printf '+ leak 1 100\nsnapshot 1000 churn\n' >&3
await table 'snapshot \[2\]' 1
printf '+ leak 1 100\nsnapshot 1000 exit\n' >&3
exec 3>&-
wait $reader || fail "status $?"
wait $writer
[ "$(grep -c '^server 4242' table)" -eq 3 ] || fail "not three tables"
tail -n 8 table | grep -q '^the process has ended$' || fail "not told of the end"
[ ! -s words ] || fail "words"

# What cannot be followed.
refuse() {
	status=$1
	what=$2
	shift 2
	code=0
	timeout 20 "$pmem" top "$@" >table 2>words || code=$?
	[ $code -eq "$status" ] && grep -q "$what" words && [ "$(wc -l <words)" -eq 1 ] \
		|| fail "$*: status $code"
}
: >empty.log
refuse 2 'no LOG or PID'
refuse 1 'nowhere.log' nowhere.log
refuse 1 'no whole snapshot' --once empty.log
refuse 1 'no such process' 2147483646
