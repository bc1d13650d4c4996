#!/bin/sh
# A log, or a rotated piece of it, that was packed by gzip or zstd reads as it did before; where it is
# damaged what is whole of it is shown, with status 1; and where the program is missing that is
# said, with the package's name. It runs without LD_PRELOAD.

set -eu
pmem=$PMEM_BUILD/pmem
logs=$PMEM_ROOT/tests/cli/logs
# says FILE WORDS: it has these words.
says() { grep -q -- "$2" "$1" || { cat "$1"; echo "no word: $2"; exit 1; }; }

# plain and packed: the same but for the names of the files.
cp "$logs"/rotated.log* .
"$pmem" report --raw rotated.log >plain 2>&1
"$pmem" export --to ndjson --raw rotated.log >plain.json 2>/dev/null
try() {
	LD_PRELOAD=/nowhere.so "$pmem" report --raw rotated.log 2>&1 | grep -v 'ld.so: object' >packed
	cmp plain packed || { diff plain packed; exit 1; }
	"$pmem" export --to ndjson --raw rotated.log >packed.json 2>/dev/null
	cmp plain.json packed.json
	# A piece that is named, too, counts once.
	"$pmem" report --raw rotated.log* 2>&1 | cmp plain -
}
gzip rotated.log.1
try
if command -v zstd >/dev/null; then
	zstd -q --rm rotated.log.2
else
	gzip rotated.log.2
fi
try
# By itself.
cp "$logs/format1.log" one.log
"$pmem" report --raw one.log | sed 's/one.log/NAME/' >plain
gzip -k one.log
"$pmem" report --raw one.log.gz | sed 's/one.log.gz/NAME/' | cmp plain -

# Cut off in the middle: status 1, and a word.
head -c $(($(wc -c <one.log.gz) - 40)) one.log.gz >cut.log.gz
status=0
"$pmem" report --raw cut.log.gz >report 2>said || status=$?
[ $status -eq 1 ] || { echo "status $status"; exit 1; }
says said 'cut.log.gz: damaged: gzip could not unpack all of it'
says report 'live '
echo 'no gzip at all' >odd.log.gz
! "$pmem" report odd.log.gz 2>said
says said 'odd.log.gz: damaged'

# Without the programs.
mkdir empty
status=0
PATH=$PWD/empty "$pmem" report --raw one.log.gz >report 2>said || status=$?
[ $status -eq 1 ] || { echo "status $status"; exit 1; }
says said 'one.log.gz: to read it gzip is needed, which is not on the PATH: install the package gzip'
status=0
PATH=$PWD/empty "$pmem" report --raw rotated.log >report 2>said || status=$?
[ $status -eq 1 ] || { echo "status $status"; exit 1; }
says said 'rotated.log.1.gz: to read it gzip is needed'
says report 'live '
