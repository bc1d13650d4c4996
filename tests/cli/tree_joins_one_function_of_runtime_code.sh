#!/bin/sh
# A function made at run time is one step of a tree, whatever code without a name called it, and however V8
# compiled it; a stack with nothing else keeps that code, and --show-all has all of it. On 80 columns a name
# is parted at its slashes and colons.

set -eu
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat out
	exit 1
}
deep=v8_of_a_name_that_is_longer_than_the_line::internal_name_that_is_long::ConstructBufferThatKeeps
{
	cat <<'END'
# pmem 2 pid=7 ppid=1 start=2026-11-22T10:00:00.000Z exe=/srv/run frames=64 sources=65536 threads=1024 show=100 show_empty=25 show_threads=16 hours=24 begin=8388608 rate=2446677 memory_max=1 log_max=67108864 log_keep=1 host=vm pidns=1 run=0000000000000007
# module 0x1000-0x2000 - /srv/run

[  0]=========================================================
churn=700/1048576
time=2026-11-22T10:00:00.000Z reason=churn live=700/7 alloc=700/7 free=0/0 peak=700@2026-11-22T10:00:00.000Z sources=7/65536 shown=7 hidden=0 emptied=0/0

END
	for number in 1 2 3 4 5 6; do
		case $number in 1) mark= ;; [23]) mark='*' ;; *) mark='~' ;; esac
		cat <<END
{000000000000000$number} live:100, alloc:100/100, free:0/0, blocks:1, allocs:1/1, frees:0/0
  {0} /opt/libpmem.so(malloc+0x0) [0x9000]
  {1} (JS:${mark}keep /srv/app.js:12:24+0x$number) [0x500$number]
  {2} [0x600$number]
  {3} [0x610$number]
  {4} ($deep+0x10) [0x7010]
  {5} /srv/run(main+0x10) [0x1010]

END
	done
	cat <<'END'
{0000000000000007} live:100, alloc:100/100, free:0/0, blocks:1, allocs:1/1, frees:0/0
  {0} [0x9100]
  {1} [0x6001]

END
} >a.log
"$pmem" report --tree --raw a.log >out 2>&1 || fail "status"
grep -Eq "^ 85\.7% +600 B +6 blocks +.*$deep > JS:keep app\.js:12:24 > malloc  libpmem\.so\$" out || fail "not one step"
grep -q '14\.3%.*\[0x' out || fail "a stack has nothing"
COLUMNS=80 "$pmem" report --tree --raw a.log >out 2>&1
grep -q '^ *::ConstructBufferThatKeeps ' out || fail "parted elsewhere"
! grep -q '[->]$' out || fail "a sign stands alone"
"$pmem" report --tree --show-all --raw a.log >out 2>&1
grep -q '0x6001.*0x\|0x6101' out || fail "--show-all lacks code"
grep -q 'JS:keep /srv/app.js:12:24' out || fail "--show-all has no folder"
