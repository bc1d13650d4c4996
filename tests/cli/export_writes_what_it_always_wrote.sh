#!/bin/sh
# Scripts depend on each format as it is: text in, text out. Names are the log's own.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"

for format in collapsed speedscope gprof2dot csv ndjson mwrap; do
	"$pmem" export --raw --to $format "$log" >out 2>err || fail "$format: status $?"
	[ ! -s err ] || fail "$format: $(cat err)"
	diff -u "$PMEM_ROOT/tests/cli/export/server.$format" out || fail "$format differs"
	# To a file and from standard input it is the same.
	"$pmem" export --raw --to $format -o file - <"$log"
	cmp file out
done
# pprof's is binary: what it says is another test's, that it does not change is this one's.
"$pmem" export --raw --to pprof "$log" >out.gz
gzip -dc out.gz >out
cmp "$PMEM_ROOT/tests/cli/export/server.pprof" out
"$pmem" export --raw --to pprof "$log" | cmp - out.gz
