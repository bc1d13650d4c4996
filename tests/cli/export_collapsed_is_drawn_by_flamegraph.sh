#!/bin/sh
# flamegraph.pl draws collapsed stacks, and its totals are the log's.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"

flamegraph=$(command -v flamegraph.pl || echo /usr/share/perl5/Devel/NYTProf/flamegraph.pl)
[ -e "$flamegraph" ] || { echo "skipped: needs libdevel-nytprof-perl"; exit 77; }

draw() {
	"$pmem" export --to collapsed "$@" >stacks 2>err
	perl "$flamegraph" --minwidth 0 --countname units stacks 2>perl.err >graph.svg || fail "$(cat perl.err)"
}
# drawn NAME UNITS: the sum of the rectangles of that name. Old ones write (T) for <T>.
drawn() {
	same "$1" "$2" "$(sed 's/&lt;/(/g; s/&gt;/)/g' graph.svg | sed -n "s|.*<title>$1 (\([0-9,]*\) units.*|\1|p" \
		| tr -d , | awk '{ sum += $1 } END { print sum + 0 }')"
}

draw --raw "$log"
drawn all 8380
drawn main 8364
drawn handle 5300
drawn read_request 5000
drawn malloc 5300
drawn '{other}' 16
drawn 'odd:name&quot;\\x0a\\xff\\end' 300
same 'on standard error' '' "$(cat err)"

draw --raw --value blocks "$log"
drawn all 58
drawn handle 53
draw --raw --value alloc "$log"
drawn all 17188
drawn '{rest}' 700
draw --raw --value frees "$log"
drawn all 13
draw --raw --value churn --since 1 "$log"
drawn all 11600
draw --raw --at peak "$log"
drawn all 13780
drawn realloc 8000
drawn '{rest}' 400

# A flame graph has no room for less than nothing: that is said.
draw --raw --value growth "$log"
drawn all 4380
drawn handle 4300
has '^pmem: export: left out what shrank: 7000 bytes in all, sources: 1;' err
"$pmem" export --to collapsed --at 1 --value growth --since 1 "$log" >stacks 2>err
[ ! -s stacks ]
has '^pmem: export: no source has any growth: the output is empty' err

# Of a process.
need g++ g++
real_log
set -- $(totals real.log)
draw real.log
drawn all "$1"
drawn 'store::Shelf(char)::fill(int)' 300
drawn 'store::Shelf(double)::fill(int)' 560
draw --value allocs real.log
drawn all "$4"
