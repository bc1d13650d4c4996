#!/bin/sh
# What a log tells of threads: a table of them, the sources of one of them, their column in top,
# csv and ndjson. Lines add up to the totals; an older log is said to tell nothing of threads, and
# a snapshot whose threads do not add up is left out.

set -eu
pmem=$PMEM_BUILD/pmem
wrong() {
	echo "$1"
	exit 1
}

cat >log <<'END'
# pmem 2 pid=99 ppid=1 start=2026-11-21T00:00:00.000Z exe=/usr/bin/server frames=64 sources=65536 threads=64 show=100 show_empty=25 show_threads=16 hours=24 begin=1 rate=1 memory_max=1 log_max=67108864 log_keep=1 host=box pidns=1 run=6856ae402ad3f1de

[  0]=========================================================
churn=11000/1048576
time=2026-11-21T00:00:01.000Z reason=churn live=9000/9 alloc=10000/10 free=1000/1 sources=2/65536 shown=2 hidden=0 emptied=0/0
thread 100 worker-3 alloc:6000/6000, free:1000/1000, allocs:6/6, frees:1/1
thread 101 a\x20b alloc:3000/3000, free:0/0, allocs:3/3, frees:0/0
thread rest - alloc:1000/1000, free:0/0, allocs:1/1, frees:0/0

{aaaaaaaaaaaaaaaa} live:5000, alloc:6000/6000, free:1000/1000, blocks:5, allocs:6/6, frees:1/1 by:100/worker-3/100%
  {0} /usr/lib/libpmem.so(malloc+0x0) [0x7f0020001000]
  {1} /usr/bin/server(grow+0x10) [0x555555001010]
  {2} /usr/bin/server(main+0x20) [0x555555002020]

{bbbbbbbbbbbbbbbb} live:4000, alloc:4000/4000, free:0/0, blocks:4, allocs:4/4, frees:0/0 by:101/a\x20b/75%
  {0} /usr/lib/libpmem.so(malloc+0x0) [0x7f0020001000]
  {1} /usr/bin/server(keep+0x10) [0x555555003010]
  {2} /usr/bin/server(main+0x30) [0x555555002030]

[  1]=========================================================
churn=3000/1048576
time=2026-11-21T00:00:02.000Z reason=churn live=10000/10 alloc=12000/12 free=2000/2 sources=2/65536 shown=2 hidden=0 emptied=0/0
thread 101 b/c"% alloc:2000/5000, free:1000/1000, allocs:2/5, frees:1/1
thread ended - alloc:0/6000, free:0/1000, allocs:0/6, frees:0/1
thread rest - alloc:0/1000, free:0/0, allocs:0/1, frees:0/0

{bbbbbbbbbbbbbbbb} live:6000, alloc:2000/6000, free:0/0, blocks:6, allocs:2/6, frees:0/0 by:101/b/c"%/83% < keep < main
{aaaaaaaaaaaaaaaa} live:4000, alloc:0/6000, free:1000/2000, blocks:4, allocs:0/6, frees:1/2 by:100/worker-3/100% < grow < main

[  2]=========================================================
churn=1000/1048576
time=2026-11-21T00:00:03.000Z reason=churn live=10000/10 alloc=12500/13 free=2500/3 sources=3/65536 shown=0 hidden=0 emptied=1/1
thread ended - alloc:500/6500, free:500/1500, allocs:1/7, frees:1/2
thread rest - alloc:0/6000, free:0/1000, allocs:0/6, frees:0/1

{cccccccccccccccc} live:0, alloc:500/500, free:500/500, blocks:0, allocs:1/1, frees:1/1
  {0} /usr/lib/libpmem.so(malloc+0x0) [0x7f0020001000]
  {1} /usr/bin/server(once+0x10) [0x555555004010]
  {2} /usr/bin/server(main+0x40) [0x555555002040]
{rest} live:10000, alloc:0/12000, free:0/2000, blocks:10, allocs:0/12, frees:0/2

END

# said WHAT, of standard input and the text in `expected`.
said() {
	diff -u expected - || wrong "$1"
}

cat >expected <<'END'
allocated  freed   share  allocs  frees   id  thread
     6000   1000   50.0%       6      1  100  worker-3
     5000   1000   42.9%       5      1  101  b/c"%
     1000      0    7.1%       1      0       others
    12000   2000  100.0%      12      2       total
END
"$pmem" report --bytes --by thread --at 1 log | tail -5 | said "the threads of a moment"

cat >expected <<'END'
allocated  freed   share  allocs  frees   id  thread
    ~6000  ~1000   46.7%      ~6     ~1  100  worker-3
    ~5000  ~1000   40.0%      ~5     ~1  101  b/c"%
     1500    500   13.3%       2      1       others
    12500   2500  100.0%      13      3       total
~: when it was last told of; what it has done since is among the others
END
"$pmem" report --bytes --by thread log | tail -6 | said "threads that were not told of lately"

cat >expected <<'END'
allocated  freed   share  allocs  frees   id  thread
     6000   1000   63.6%       6      1  100  worker-3
     4000      0   36.4%       4      0       others
    10000   1000  100.0%      10      1       total
END
"$pmem" report --bytes --by thread --at first -n 1 log | tail -4 | said "one thread and the others"

# Two processes.
sed 's/pid=99 /pid=98 /; s/run=6/run=7/' log >other
"$pmem" report --bytes --by thread --at 1 log other | grep -Eq '^ +6000 .* worker-3 of server 98$' ||
	wrong "no process beside a thread"

# The sources of one thread, by name and by number, at the moment that is asked for.
for thread in 'b/c"%' 101; do
	"$pmem" report --raw --bytes --thread "$thread" --at 1 log >report
	grep -q '^ *6000 .* keep < main$' report && grep -q '^ *4000 .* sources not asked for$' report ||
		wrong "--thread $thread: $(cat report)"
done
"$pmem" report --raw --bytes --thread 'a b' --at 0 log | grep -q '^ *4000 .* keep < main$' ||
	wrong "--thread of an earlier moment"
"$pmem" report --raw --bytes --thread 'a b' log | grep -q '^0 .* keep' && wrong "an old name"
"$pmem" report --raw --bytes --thread worker-3 --match keep --at 1 log | grep -q ' sources not asked for$' ||
	wrong "--thread and --match"

"$pmem" diff --raw --bytes --thread 'b/c"%' --from 0 --to 1 log | grep -q 'grew .* keep < main$' ||
	wrong "diff --thread"
"$pmem" diff --raw --bytes --thread worker-3 --by alloc log other |
	grep -q '^ *6000 *6000 .* 1 source with the same alloc$' || wrong "diff --thread of two"

cat >expected <<'END'
aaaaaaaaaaaaaaaa worker-3,100,100
bbbbbbbbbbbbbbbb "b/c""%",101,83
cccccccccccccccc ,,
END
"$pmem" export --raw --to csv log | tr -d '\r' | sed -n 's/^\([abc]\{16\}\),.*"[^"]*",\(.*,.*,.*\),[0-9]*,[0-9]*$/\1 \2/p' |
	sed 's/"worker-3"/worker-3/' | sort | said "csv"
"$pmem" export --raw --to ndjson --thread worker-3 log >objects
[ "$(grep -c '"kind":"source".*"thread":"worker-3","thread_id":100,"thread_percent":100' objects)" -eq 2 ] &&
	[ "$(grep -c '"kind":"source"' objects)" -eq 2 ] || wrong "ndjson: $(cat objects)"

COLUMNS=200 "$pmem" top --raw --once log | grep -Eq ' b/c"% 83% +keep < main$' || wrong "no thread in top"
# A line of stacks by two threads is of none, in top. Its stacks are of their own threads.
sed 's/(grow+/(keep+/; s/< grow </< keep </' log >line
top() {
	COLUMNS=200 "$pmem" top --raw --once --bytes line >table
	grep -Eq "^ *10000 +10 .*$1 +keep < main\$" table || wrong "top of a line: $(cat table)"
}
top ' 0'
"$pmem" report --json line | grep '^"thread":' | sort >threads
printf '"thread":"b/c\\"%%",\n"thread":"worker-3",\n' | diff - threads || wrong "threads of stacks"
"$pmem" report --raw --bytes --thread worker-3 line >report
grep -q '^ *4000 .* keep < main$' report && grep -q '^ *6000 .* 2 sources not asked for$' report ||
	wrong "--thread of a line: $(cat report)"
sed -i 's,by:100/worker-3/100%,by:101/b/c"%/100%,' line
top ' b/c"% 83%'

# What cannot be.
status=0
"$pmem" report --by thread "$PMEM_ROOT/tests/cli/logs/format1.log" >out 2>words || status=$?
[ $status -eq 1 ] && [ ! -s out ] && grep -q 'does not tell of threads' words || wrong "an old log: $(cat words)"
status=0
"$pmem" report --by thread --tree log >out 2>words || status=$?
[ $status -eq 2 ] && grep -q -e '--by thread: ' words || wrong "a tree of threads"
sed '/^thread 101 b/s/5000/5001/' log >wrong
"$pmem" report wrong 2>&1 >/dev/null | grep -q 'snapshot \[1\] is left out: its threads do not add up' ||
	wrong "threads that do not add up"
sed '/^thread 101 b/s/, frees.*//' log >wrong
"$pmem" report wrong 2>&1 >/dev/null | grep -q 'a thread: expected thread ID NAME' || wrong "half a thread"
sed 's,by:101/b/c"%/83%,by:101/b/c"%/83,' log >wrong
"$pmem" report wrong 2>&1 >/dev/null | grep -q 'an entry: expected' || wrong "half a share"
