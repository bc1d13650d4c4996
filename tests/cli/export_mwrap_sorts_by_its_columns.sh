#!/bin/sh
# Bytes, calls, place: three columns that sort(1) and awk take as they are.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"

sums() {
	awk '{ bytes += $1; calls += $2 } END { print bytes, calls }' out
}
"$pmem" export --raw --to mwrap "$log" >out
same 'all allocated' '17188 71' "$(sums)"
sort -s -k1,1rn out | cmp - out
same 'most calls' '            5100           51 read_request' "$(sort -k2,2rn out | head -1)"
"$pmem" export --raw --to mwrap --value live "$log" >out
same live '8380 58' "$(sums)"
"$pmem" export --raw --to mwrap --value free "$log" >out
same freed '8808 13' "$(sums)"
"$pmem" export --raw --to mwrap --value growth "$log" >out
same growth '-2620 43' "$(sums)"
same 'what shrank is last' '           -7000           -3 grow' "$(tail -1 out)"
