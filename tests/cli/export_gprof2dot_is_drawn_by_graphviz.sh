#!/bin/sh
# gprof2dot makes a graph of it that dot draws, and a function's share is the log's. Debian has
# it in ruby-stackprof, in a version without a reader of JSON: ours, in lib/, stands for it.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need dot graphviz
need python3 python3
if ! command -v gprof2dot >/dev/null 2>&1; then
	script=$(find /usr/lib/*/rubygems-integration /usr/share/rubygems-integration -name gprof2dot.py \
		2>/dev/null | head -1)
	[ -n "$script" ] || { echo "skipped: needs ruby-stackprof"; exit 77; }
fi

draw() {
	"$pmem" export --raw --to gprof2dot "$@" "$log" >profile.json
	if [ -n "${script:-}" ]; then
		python3 "$PMEM_ROOT/tests/lib/gprof2dot_json.py" "$script" profile.json >graph.dot
	else
		gprof2dot -f json -n 0 -e 0 profile.json >graph.dot
	fi
	dot -Tsvg graph.dot >graph.svg
}
# node FUNCTION TOTAL SELF: shares as the node's label has them.
node() {
	same "$1" "$2% ($3%)" "$(tr -d '\n' <graph.svg | sed 's/<g id="/\n&/g' \
		| grep -F ">$1</text>" | grep -o '>[0-9.]*%</text>\|>([0-9.]*%)</text>' \
		| sed 's|[^>]*>||; s|</text>||' | xargs)"
}

draw
node main 99.81 0.00
node handle 63.25 0.00
node read_request 59.67 0.00
node malloc 63.25 63.25
node '{other}' 0.19 0.19
node calloc 0.76 0.76
same 'functions' 14 "$(grep -c '<g id="node' graph.svg)"

draw --value allocs
node read_request 71.83 0.00
node '{rest}' 9.86 9.86
same 'its total' 71 "$(python3 -c 'import json
profile = json.load(open("profile.json"))
assert profile["version"] == 0 and profile["costs"] == [{"description": "allocs", "unit": "count"}]
print(sum(event["cost"][0] for event in profile["events"]))')"
