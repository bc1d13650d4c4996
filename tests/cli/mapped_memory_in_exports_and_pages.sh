#!/bin/sh
# ndjson has mapped memory in objects of its own kinds, which add up to the total's. Other formats are of
# blocks alone, and a warning says what they leave out. A page has it in words and over time; its other
# numbers are of blocks.

. "$PMEM_ROOT/tests/lib/export.sh"
. "$PMEM_ROOT/tests/lib/maplog.sh"
need jq jq

maplog spill=1000 >pmem.77.log
"$pmem" export --to ndjson pmem.77.log >out.ndjson 2>err
[ ! -s err ] || wrong 'ndjson: it complains'
same 'snapshots that do not add up' '' "$(jq -sc 'group_by(.snapshot)[]
	| (map(select(.kind == "total"))) as $total | (map(select(.kind != "total"))) as $entries
	| ["live", "blocks", "alloc", "allocs", "free", "frees", "alloc_delta", "allocs_delta", "free_delta",
		"frees_delta", "mapped", "mappings", "map", "maps", "unmap", "unmaps", "map_delta", "maps_delta",
		"unmap_delta", "unmaps_delta"][] as $name
	| select(($entries | map(.[$name]) | add) != $total[0][$name]) | [$total[0].snapshot, $name]' out.ndjson)"
same 'kinds' 'mapped mapped_rest rest source total' "$(jq -r .kind out.ndjson | sort -u | xargs)"
same 'a source' '[62914560,120,["mmap","grow","main"],"grow"]' "$(jq -c 'select(.id == "3333333333333333")
	| [.mapped, .mappings, .stack, .where]' out.ndjson | tail -n 1)"
for format in csv collapsed pprof speedscope gprof2dot mwrap; do
	"$pmem" export --to $format -o "out.$format" pmem.77.log 2>err || wrong "$format: status $?"
	same "what $format leaves out" 'pmem: export: left out what the program mapped itself: 75497472 bytes; ndjson has it' "$(cat err)"
done
same 'csv' '1120000' "$(awk -F, 'NR > 1 { sum += $2 } END { print sum }' out.csv)"
maplog leak=0 minutes=9 | sed '/mapped:/,/^$/{/mapped:/d; /^  /d}; s/ mapped=.*//' >none.log
"$pmem" export --to csv -o none.csv none.log 2>err
[ ! -s err ] || wrong 'csv: it complains where nothing is mapped'

"$pmem" html -o out.html pmem.77.log >out 2>err || wrong 'html'
[ ! -s err ] || wrong 'html: it complains'
grep -q 'mapped 72.0 MiB by the program itself in 132 mappings' out.html || wrong 'html: no total'
grep -q '30.0 MiB an hour of it leaks: mmap < grow < main\|30.0 MiB an hour of it leaks: mmap .u003c grow' out.html ||
	wrong 'html: not what leaks'
grep -q '"mapped":\[[0-9,]*,75497472\]' out.html || wrong 'html: not over time'
"$pmem" html -o none.html none.log 2>err || wrong 'html'
! grep -q '"mapped":\[' none.html || wrong 'html: mapped where nothing is'
