#!/bin/sh
# --match and --not pick sources by functions and modules, in each format alike.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need jq jq

sum() {
	"$pmem" export --raw --to collapsed "$@" "$log" | awk '{ sum += $NF } END { print sum + 0 }'
}
same all 8380 "$(sum)"
same 'by function' 5300 "$(sum --match '^handle$')"
same 'either' 6300 "$(sum -m handle -m grow)"
same 'by module' 64 "$(sum --match 'libz')"
same 'but one' 3080 "$(sum --not handle)"
same 'both' 5000 "$(sum --match handle --not odd)"
for format in csv mwrap; do
	"$pmem" export --raw --to $format -m handle "$log" >$format
done
same rows 3 "$(wc -l <csv)"
same places 2 "$(wc -l <mwrap)"
"$pmem" export --raw --to gprof2dot -m handle "$log" >json
same events 5300 "$(jq '[.events[].cost[0]] | add' json)"
"$pmem" export --raw --to speedscope -m handle "$log" >json
same weights '5300 5300' "$(jq -r '"\(.profiles[0].weights | add) \(.profiles[0].endValue)"' json)"
# In ndjson what is left out is, but totals are the snapshot's.
"$pmem" export --raw --to ndjson -m handle "$log" >json
same entries '1000 3300 5300' "$(jq -s 'group_by(.snapshot)[]
	| map(select(.kind != "total").live) | add' json | xargs)"
same totals '11000 13780 8380' "$(jq 'select(.kind == "total").live' json | xargs)"

"$pmem" export --raw --to csv -m nothing "$log" >csv
same 'none is a table without rows' 1 "$(wc -l <csv)"
