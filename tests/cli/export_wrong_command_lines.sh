#!/bin/sh
# What cannot be exported is one line on standard error, with nothing on standard output, and
# harms no log.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"

# wrong STATUS WORDS ARGUMENT...
wrong() {
	expected=$1
	words=$2
	shift 2
	status=0
	"$pmem" export "$@" >out 2>err || status=$?
	[ $status -eq "$expected" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] \
		&& grep -q "^pmem: $words" err || fail "pmem export $*: status $status $(cat out err)"
}
cp "$log" own.log
wrong 2 'export: no --to FORMAT given' own.log
wrong 2 'export: no log given' --to csv
wrong 2 'export: --to xml: expected one of collapsed, pprof' --to xml own.log
wrong 2 'export: --value bytes: expected one of live' --to csv --value bytes own.log
wrong 2 'export: --at start: nothing is known of before' --to csv --at start own.log
wrong 2 'export: --at: ndjson has all snapshots' --to ndjson --at 1 own.log
wrong 2 'export: --since: ndjson has all snapshots' --to ndjson --since first own.log
wrong 2 'export: --value: ndjson has all snapshots' --to ndjson --value live own.log
wrong 2 'export: -o ./own.log: that is a log' --to ndjson -o ./own.log own.log
wrong 2 'export: -o own.log: that is a log' --to csv -o own.log - own.log
cp "$log" own.log.1
wrong 2 'export: -o own.log.1: that is a log' --to ndjson -o own.log.1 own.log
wrong 2 'export: -o own.log: that is a log' --to csv -o own.log - <own.log
cmp "$log" own.log.1
rm own.log.1
cmp "$log" own.log
wrong 1 'missing.log:' --to ndjson missing.log
wrong 1 'no/such/folder:' --raw --to csv -o no/such/folder own.log
ln -s /dev/full full.csv
wrong 1 'full.csv: No space left' --raw --to csv -o full.csv own.log
wrong 1 'full.csv: No space left' --raw --to pprof -o full.csv own.log
wrong 1 'full.csv: No space left' --raw --to ndjson -o full.csv own.log

# Binary is kept off terminals.
terminal=yes
script -qec true screen >/dev/null 2>&1 || terminal=
if [ $terminal ]; then
	script -qec "'$pmem' export --to pprof own.log" screen >/dev/null 2>&1 &&
		fail 'binary on a terminal'
	has 'pmem: export: --to pprof is no text: add -o FILE' screen
fi

# A log that is not there does not keep the others from being exported.
status=0
"$pmem" export --raw --to collapsed missing.log own.log >out 2>err || status=$?
[ $status -eq 1 ]
cmp out "$PMEM_ROOT/tests/cli/export/server.collapsed"
status=0
"$pmem" export --raw --to ndjson missing.log own.log >out 2>err || status=$?
[ $status -eq 1 ]
cmp out "$PMEM_ROOT/tests/cli/export/server.ndjson"

[ $terminal ] || { echo "skipped: needs /dev/pts"; exit 77; }
