#!/bin/sh
# One JSON object a line: in each snapshot the entries' sums are its total's, for jq and for
# SQLite's JSON; a torn end of the log is left out.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need jq jq
need sqlite3 sqlite3

# differing FILE: snapshots where a sum is not the total's.
differing() {
	jq -sc 'group_by([.pid, .run, .snapshot])[]
		| (map(select(.kind == "total"))) as $total | (map(select(.kind != "total"))) as $entries
		| ["live", "blocks", "alloc", "allocs", "free", "frees",
			"alloc_delta", "allocs_delta", "free_delta", "frees_delta"][] as $name
		| select(($total | length) != 1 or ($entries | map(.[$name]) | add // 0) != $total[0][$name])
		| [$total[0].snapshot, $name]' "$1"
}
"$pmem" export --raw --to ndjson "$log" >out.ndjson
same 'snapshots that do not add up' '' "$(differing out.ndjson)"
same totals '11000 13780 8380' "$(jq -r 'select(.kind == "total").live' out.ndjson | xargs)"
same churn '[2,8500,3100,11600]' "$(jq -c 'select(.kind == "total" and .snapshot == 2)
	| [.snapshot, .free_delta, .alloc_delta, .churn]' out.ndjson)"
same losses '{"nested":3,"stacks_cut":1}' "$(jq -c 'select(.kind == "total").losses' out.ndjson | tail -1)"
same 'an odd name' 'odd;name"
\xff\end' "$(jq -r 'select(.id == "c0c1c2c3c4c5c6c7").where' out.ndjson | head -2)"
same 'a stack' '["malloc","read_request","handle","main","_start"]' \
	"$(jq -c 'select(.id == "a0a1a2a3a4a5a6a7").stack' out.ndjson | sort -u)"
same 'time' '2026-11-21T03:00:01.500Z' "$(jq -r .time out.ndjson | tail -1)"

same 'in SQLite' '0|11000|11000
1|13780|13780
2|8380|8380' "$(sqlite3 :memory: 'create table lines (object)' '.mode tabs' \
	'.import out.ndjson lines' '.mode list' "
	select object ->> 'snapshot', sum(iif(object ->> 'kind' = 'total', object ->> 'live', 0)),
		sum(iif(object ->> 'kind' <> 'total', object ->> 'live', 0))
	from lines group by 1")"

# As it is being written: whole snapshots, and no more.
head -c -100 "$log" | "$pmem" export --raw --to ndjson - >torn.ndjson
same 'whole snapshots' '0 1' "$(jq 'select(.kind == "total").snapshot' torn.ndjson | xargs)"

# Of a process.
need g++ g++
real_log
"$pmem" export --to ndjson real.log >real.ndjson
same 'snapshots of a process that do not add up' '' "$(differing real.ndjson)"
set -- $(totals real.log)
same 'its last total' "$1 $2 $3 $4" "$(jq -r 'select(.kind == "total")
	| [.live, .blocks, .alloc, .allocs] | join(" ")' real.ndjson | tail -1)"
jq -r 'select(.reason == "exit" and .kind == "source") | .where' real.ndjson >where
has '^store::Shelf<char>::put(int) (.*/real.cc:8)$' where
