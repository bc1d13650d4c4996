#!/bin/sh
# A snapshot with mapped memory is whole once both of its sums are right. One that is not, or whose
# entries of mapped memory cannot be right, is left out, with file and line; one that is cut off before
# them is told as cut off.

. "$PMEM_ROOT/tests/lib/maplog.sh"

maplog minutes=9 >whole.log

# with SED: the log with that done to it. Status of report is 0 where nothing is told.
with() {
	sed "$1" whole.log >pmem.77.log
	"$pmem" report --color never pmem.77.log >out 2>err || true
}

# tells PATTERN: in one line of stderr, and the other snapshots are shown.
tells() {
	grep -Eq "^pmem: pmem.77.log:[0-9]+: $1" err || wrong "not told: $1"
	[ "$(grep -c '^pmem: ' err)" -eq 1 ] || wrong "more is told"
	says 'note: pmem.77.log: 1 snapshot damaged and left out$'
}
left_out='snapshot \[[34]\] is left out'
fourth=$(grep -n '^\[  3\]' whole.log | cut -d: -f1)
fifth=$(grep -n '^\[  4\]' whole.log | cut -d: -f1)
of_fourth="$fourth,${fifth}s"

with ''
[ ! -s err ] || wrong 'something is told of what is whole'
says 'snapshot \[8\] '
with "$of_fourth/ mapped=[0-9]*/ mapped=7/"
tells "a snapshot's summary: expected mapped to be what is mapped and not unmapped; $left_out"
with "$of_fourth/ mapped=6291456\\/8 map=6291456\\/8/ mapped=6291456\\/9 map=6291456\\/9/"
tells "$left_out: its entries do not add up to its totals"
with "$of_fourth/{3333333333333333} mapped:2097152,/{3333333333333333} mapped:2097153,/"
tells "an entry: expected mapped to be what is mapped and not unmapped; $left_out"
with "$of_fourth/mappings:4, maps:1/mappings:4, maps:5/"
tells "an entry: expected no DELTA above its TOTAL; $left_out"
with "$of_fourth/, mappings:4, /, /"
tells "an entry: expected \\{ID\\} mapped:BYTES, map:DELTA/TOTAL, .* unmaps:DELTA/TOTAL; $left_out"
with "$of_fourth/ map=[0-9]*\\/8//"
tells "a snapshot's summary: expected rss=BYTES .* mapped=BYTES/N map=BYTES/N unmap=BYTES/N; $left_out"
# Bytes and mappings only grow: this snapshot would have less than the one before.
with "$of_fourth/ mapped=6291456\\/8 map=6291456\\/8/ mapped=1048576\\/2 map=1048576\\/2/
$of_fourth/{3333333333333333} mapped:2097152, map:524288\\/2097152, unmap:0\\/0, mappings:4, maps:1\\/4,/{3333333333333333} mapped:524288, map:0\\/524288, unmap:0\\/0, mappings:1, maps:0\\/1,/
$of_fourth/{4444444444444444} mapped:4194304, map:1048576\\/4194304, unmap:0\\/0, mappings:4, maps:1\\/4,/{4444444444444444} mapped:524288, map:0\\/524288, unmap:0\\/0, mappings:1, maps:0\\/1,/"
tells "$left_out: its totals are less than those of the snapshot before"
with "${fourth}a\\
{3333333333333333} mapped:7, map:7/7, unmap:0/0, mappings:1, maps:1/1, unmaps:0/0"
tells "an entry: expected time= before it; $left_out"
with "$of_fourth/ mapped=.*//"
tells "$left_out: its entries do not add up to its totals"
# It was killed while it wrote the last one.
with '$d'
[ ! -s err ] || wrong 'a torn snapshot is told as damaged'
says 'note: pmem.77.log: 1 snapshot cut off in the middle and left out'
says 'snapshot \[7\] '
last=$(grep -n '{4444444444444444}' whole.log | tail -n 1 | cut -d: -f1)
with "$last,\$d"
says 'note: pmem.77.log: 1 snapshot cut off in the middle and left out'
says 'snapshot \[7\] '
# Where /proc cannot be read, and where there is a label.
with 's/ rss=[0-9]* file=[0-9]* outside=[0-9]* malloc=1% hwm=[0-9]*//; /^time=/s/$/ machine=5\/1000000000 label=x/'
[ ! -s err ] || wrong 'something is told of a log without /proc'
says 'snapshot \[8\] .*churn: x'
