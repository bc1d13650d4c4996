#!/bin/sh
# go tool pprof opens a profile as it is, has the four values of a heap profile, and its totals
# and functions are the log's; so are differences of two.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need go golang-go
export HOME="$PWD" PPROF_TMPDIR="$PWD"

pprof() {
	go tool pprof -symbolize=none "$@" 2>err || fail "pprof $*: $(cat err)"
}
# top FUNCTION FLAT CUM: of the table in `top`.
top() {
	same "$1" "$2 $3" "$(awk -v name="$1" '{ key = $6; for (i = 7; i <= NF; i++) key = key " " $i }
		key == name { print $1, $4 }' top | sed 's/B//g')"
}
total() {
	same "total of $1" "$2" "$(sed -n 's/.*% of \([0-9]*\)B* total$/\1/p' top)"
}
# table SAMPLE_INDEX FILE...
table() {
	index=$1
	shift
	pprof -sample_index="$index" -top -nodecount=1000 -nodefraction=0 -unit=B "$@" >top
}

"$pmem" export --raw --to pprof "$log" >last.pb
gzip -t <last.pb || fail 'it is not compressed, as profile.proto wants it'
pprof -raw last.pb >raw
has '^alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes\[dflt\]$' raw
has '^PeriodType: space bytes$' raw
has '^Period: 1$' raw
has '^Time: 2026-11-21 03:00:01.5 +0000 UTC$' raw
has '^Comment: pmem: pid 4242, /srv/app/server on box, snapshot 2$' raw
# The call, not where it returns to; a hook's entry as it is.
has '^ *program:\[server\]$' raw
has '^ *pid:\[4242\]$' raw
has ' 0x555555558017 M=1 read_request :0 s=0' raw
has ' 0x7f1000001000 M=2 malloc :0 s=0' raw
has '^1: 0x555555554000/0x555555560000/0x0 /srv/app/server 4f1d0c3a5b6e7f8091a2b3c4d5e6f708192a3b4c \[FN\]$' raw
has '^3: 0x7f2000000000/0x7f2000020000/0x0 /usr/lib/libz été.so.1  \[FN\]$' raw

# Hooks are not to blame: their callers are.
table inuse_space last.pb
total inuse_space 8380
top main 0 8364
top handle 0 5300
top read_request 5000 5000
top grow 1000 1000
top _ZN5Cache4fillEv 2000 2000
top '{other}' 16 16
top 'libz été.so.1(+0x1234)' 64 64
grep -q malloc top && fail 'a hook is blamed'
table inuse_objects last.pb
total inuse_objects 58
top read_request 50 50
table alloc_space last.pb
total alloc_space 17188
top grow 9000 9000
top '{rest}' 700 700
table alloc_objects last.pb
total alloc_objects 71
top grow 5 5

# Growth, by pprof and by us.
"$pmem" export --raw --to pprof --at 0 "$log" >first.pb
table inuse_space -base first.pb last.pb
has 'accounting for -2620B,' top
top read_request 4000 4000
top grow -7000 -7000
"$pmem" export --raw --to pprof --value growth "$log" >growth.pb
pprof -raw growth.pb >raw
has 'inuse_space/bytes growth_space/bytes\[dflt\]$' raw
table growth_space growth.pb
top read_request 4000 4000
top grow -7000 -7000
fifth() {
	"$pmem" export --raw --to pprof --value "$1" "$log" >fifth.pb
	pprof -top fifth.pb >top
	same 'shown first' "$2" "$(sed -n 's/^Type: //p' top)"
	table "$2" fifth.pb
	total "$2" "$3"
}
fifth free free_space 8808
fifth frees free_objects 13
fifth churn churn_space 14996

# As people call it, with nothing of the server at hand.
go tool pprof -top -unit=B last.pb 2>err >top
total inuse_space 8380

# The graph, and the text of all stacks.
pprof -dot last.pb | grep -q 'read_request'
pprof -traces last.pb | grep -q 'read_request'

# Of a process, looked up by us, not by pprof.
need g++ g++
real_log
set -- $(totals real.log)
"$pmem" export --to pprof real.log >real.pb
table inuse_space real.pb
total live "$1"
top 'store::Shelf<char>::put(int) (inline)' 300 300
top 'store::Shelf<double>::put(int) (inline)' 560 560
go tool pprof -top -unit=B real.pb 2>err >top
top 'store::Shelf<char>::put(int) (inline)' 300 300
table alloc_objects real.pb
total allocs "$4"
pprof -raw real.pb | grep 'real [0-9a-f]* \[FN\]\[FL\]\[LN\]\[IN\]$' | grep -q "$(sed -n 's|^# module [^ ]* \([0-9a-f]*\) .*/real$|\1|p' real.log)"
pprof -list 'Shelf.*put' real.pb | grep -q '560B  *560B .*malloc(sizeof(T)'

# A second run of it, at other addresses: nothing has grown. Together they hold twice as much.
mv real.log one.log
LD_PRELOAD=$PMEM_LIBRARY ./real
mv pmem.*.log two.log
"$pmem" export --to pprof two.log >two.pb
table inuse_space -base real.pb two.pb
has 'accounting for 0B\?,\|accounting for 0,' top
"$pmem" export --to pprof one.log two.log >both.pb
table inuse_space both.pb
total live "$((2 * $1))"
same comments 2 "$(pprof -comments both.pb | grep -c '^pmem: pid')"
