#!/bin/sh
# What is whole of a log is shown, with one line for what is not, and status 1; a log that was cut
# off at its end is no damage. A log that cannot be read at all spoils nothing of the others.

set -eu
pmem=$PMEM_BUILD/pmem
logs=$PMEM_ROOT/tests/cli/logs

# shows STATUS MESSAGES LIVE ARGUMENT...: of report, the exact live bytes of all.
shows() {
	wanted=$1
	messages=$2
	live=$3
	shift 3
	status=0
	"$pmem" report --raw --bytes "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] && [ "$(wc -l <err)" -eq "$messages" ] \
		&& grep -q "^ *$live  *100.0% .* total$" out || {
		echo "report $*: status $status"
		cat out err
		exit 1
	}
}

shows 0 0 5586 "$logs/format1.log"
shows 1 1 5586 "$logs/damaged.log"
grep -q "^pmem: .*/damaged.log:30: an entry: expected .*snapshot \[1\] is left out$" err
# Cut off in the last snapshot: the one before it is the last.
head -c 4000 "$logs/format1.log" >cut.log
shows 0 0 6026 cut.log
# Cut off, and gone on with.
shows 0 0 5586 "$logs/torn.log"
# Of another process.
sed "s/ run=[0-9a-f]*/ run=1/" "$logs/emptied.log" >other.log
shows 1 1 11172 "$logs/format1.log" missing.log other.log
grep -q '^pmem: missing.log: No such file' err
shows 1 1 5586 "$logs/notes.log" "$logs/format1.log"
grep -q '^pmem: .*/notes.log: no snapshot in this log; it says: ' err

# No log at all.
for none in missing.log /dev/null "$logs"; do
	status=0
	"$pmem" report "$none" >out 2>err || status=$?
	[ $status -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || {
		echo "$none: status $status"
		cat out err
		exit 1
	}
done

# One id, two machines: its numbers are one row, whatever the names.
sed 's/open_session/renamed/; s/ run=[0-9a-f]*/ run=1/' "$logs/format1.log" >other.log
shows 0 0 11172 "$logs/format1.log" other.log
grep -q '^ *3000 .* open_session ' out
if grep -q renamed out; then
	cat out
	exit 1
fi
# From standard input.
shows 0 0 5586 - <"$logs/format1.log"
