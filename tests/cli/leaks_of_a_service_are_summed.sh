#!/bin/sh
# Of many processes `pmem leaks` says on one screen what leaks in all of them, the same source of several
# summed, and in a line which have nothing to say. What is less sure, or is lacking, has a line of its own.
# With -v each process that needs attention follows, the fastest first, whatever the order of the logs.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

process() { worker "$2.log" "$@"; }
process worker 11 1 0
process worker 12 3 0
process worker 13 2 1
for pid in 21 22 23 24; do
	process quiet $pid 0 0
done
process other 31 0 0
printf 'pid 41\nexe /usr/bin/short\nlose table_full 7\n+ a/b 1 1\nsnapshot 1000 churn\nsnapshot 1000 exit\n' |
	./scriptlog 41.log >/dev/null
{
	printf 'pid 51\nexe /usr/bin/lossy\nlose table_full 7\n'
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		printf '+ a/b 1 1\n- a/b 1 1\nsnapshot 60000 churn\n'
	done
} | ./scriptlog 51.log >/dev/null

# 6 blocks of 100 and one of 1,000 a minute: 60 times (600 + 1,000) bytes.
ask 0 --bytes 21.log 11.log 41.log 12.log 22.log 51.log 13.log 23.log 31.log 24.log
head -1 out | grep -q '^3 of 10 processes leak 96000 an hour in all, each 99.9% sure; 1 not judged$' || wrong "no sum"
says '^ *an hour +resident +growth +since +until +process +where$'
says '^ +60000 +8544256 +119000 +start 00:01Z +~02:00Z +worker 13 +spill < flush < main$'
says '^ +36000 +25395200 +71400 +start 00:01Z +~02:00Z +3 worker together +drop < handle < main$'
says '^nothing leaks in 5 processes: 4 quiet, other 31 \(--all\)$'
says '^too early to tell of 1 process: short 41 \(--all\)$'
says_not '^/usr/bin/(quiet|other|short), process'
says '^not judged: lossy 51: allocations or frees are missing \(-v\)$'
says '^more of the first process: pmem leaks -v 13.log$'
says_not '^/usr/bin/'
[ "$(wc -l <out)" -le 12 ] || wrong "more than a screen"
ask 0 -v --bytes 21.log 11.log 41.log 12.log 22.log 51.log 13.log 23.log 31.log 24.log
says '^/usr/bin/lossy, process 51 '
[ "$(sed -n 's/.*, process \([0-9]*\).*/\1/p' out | tr '\n' ' ')" = '13 12 11 51 ' ] ||
	wrong "not in order"

mkdir folder
# What a process built up in its first moments, before an exec or all its life, and names that the
# log lacks, are no more to say. One whose log goes on in another folder is one.
{
	printf 'pid 61\nexe /usr/bin/brief\n'
	awk 'BEGIN { for (i = 0; i < 60; i++) printf "+ read_%d/start 1 900\n+ learn/start 9 99\nsnapshot 1 churn\n", i }'
} | ./scriptlog folder/61.log >/dev/null
{
	printf 'pid 71\nexe /usr/bin/deep\nlose stacks_cut 7\n'
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		printf '+ a/b 1 1\n- a/b 1 1\nsnapshot 60000 churn\n'
	done
} | ./scriptlog folder/71.log >/dev/null
ask 0 21.log folder/61.log folder/71.log
says '^nothing leaks in 2 processes: (quiet 21, deep 71|deep 71, quiet 21) \(--all\)$'
says '^too early to tell of 1 process: brief 61 \(--all\)$'
ask 0 folder/61.log
says ': too early: .*, so soon after the start; ask again after 2026-11-21 00:[0-9]+Z$'
awk '/^\[.*=/ && n++ { exit } { print }' 21.log >folder/21.log
ask 0 folder/21.log
says ': too early: 1 snapshot'
ask 0 folder/21.log 21.log
says ': no leak: '
says_not ' process(es)?:'
ask 0 folder/21.log 22.log
says '^too early to tell of 1 process: quiet 21 \(--all\)$'

# All processes, where that is asked for.
ask 0 13.log 21.log
says '^1 of 2 processes leaks [0-9.]* KiB an hour in all, each 99.9% sure$'
ask 0 --all 21.log 11.log 41.log
[ "$(sed -n 's/.*, process \([0-9]*\).*/\1/p' out | tr '\n' ' ')" = '11 21 41 ' ] || wrong "not all"
ask 0 -n 1 11.log 12.log 13.log
says '^and 1 more source$'

# None leaks: no word of a sum. One process alone has its own answer, as ever.
ask 0 21.log 22.log
[ "$(cat out)" = 'nothing leaks in 2 processes: 2 quiet (--all)' ] || wrong "more than a line"
ask 0 21.log
says '^quiet \(process 21[^)]*\): '
says ': no leak: '

# --fail-on is for one process, --fail-on-all for what they leak together.
ask 0 --fail-on 80000 11.log 12.log 13.log
ask 3 --fail-on 70000 11.log 12.log 13.log
ask 3 --fail-on-all 96000 11.log 12.log 13.log
ask 0 --fail-on-all 97000 11.log 12.log 13.log
ask 0 --fail-on-all 0 21.log 22.log

# A line for each process, those that leak first, then by growth; each is told.
ask 0 --bytes --by process 21.log 11.log 41.log 12.log 13.log 51.log
says '^ *verdict +an hour +growth +live +resident +process +command$'
says '^ +leaks +72000 .* 13 +worker$'
says '^ +leaks +18000 .* 12 +worker$'
says '^ +leaks +6000 .* 11 +worker$'
says '^ +no leak +- +\+?[0-9]+ .* 21 +quiet$'
says '^ *too early +- .* 41 +short$'
[ "$(sed -n '/^ *verdict/,$p' out | wc -l)" -eq 7 ] || wrong "not a line each"
[ "$(sed -n 's/^ *leaks .* \([0-9]*\)  worker$/\1/p' out | tr '\n' ' ')" = '13 12 11 ' ] ||
	wrong "processes not in order"
ask 0 -n 2 --by process 21.log 11.log 12.log 13.log
says '^and 2 more processes$'

# Of one program alone; of the usual folder, where no log is named. Others are no matter.
ask 0 --exe worker ./*.log
says '^3 of 3 processes leak '
says_not 'quiet|short|lossy'
ask 0 --exe 'wor*' --exe /usr/bin/quiet --by process ./*.log
[ "$(grep -c 'worker$\|quiet$' out)" -eq 7 ] || wrong "not the seven"
ask 1 --exe nobody ./*.log
grep -q '^pmem: --exe: none of 10 processes is of that program$' err || wrong "not told"
# One that has begun and says nothing yet is nobody's.
mkdir here
process summed-here 71 1 0
process summed-here 72 3 0
for pid in 71 72 21; do
	cp $pid.log here/pmem.$pid.log
done
head -3 21.log >here/pmem.73.log
(cd here && "$pmem" leaks --exe summed-here) >out 2>err || wrong "status $?"
says '^2 of 2 processes leak '
# Whatever lies in the fallback folder is this machine's.
! grep -v '^pmem: /tmp/pmem\.' err || wrong "words of others"
ask 2
rm 71.log 72.log

# What has grown can be looked at where no source is called a leak.
ask 0 41.log
says ': too early: '
says_not 'report --by growth'
awk 'BEGIN { print "pid 61"; for (i = 0; i < 4; i++) print "+ a/b 1 1000\nsnapshot 60000 churn" }' |
	./scriptlog 61.log >/dev/null
ask 0 61.log
says '^what has grown so far: pmem report --by growth 61.log$'

# Rates of processes that never leaked at one time are not added, whether or not their ends are in the log.
later() { sed "s/2026-11-21T/2026-12-21T/g; s/^\(# pmem .*\) pid=12 /\1 pid=99 /" 12.log; }
later >99.log
[ "$(grep -c 2026-12-21 99.log)" -gt 100 ] || wrong "not later"
ask 0 --bytes 12.log 99.log
says '^2 of 2 processes leak up to 18000 an hour at one time, each 99.9% sure$'
says '^ +18000 +8437760 +[0-9]+ +start 00:01Z +1 runs +2 worker +drop < handle < main$'
ask 0 --fail-on-all 19000 12.log 99.log
ask 3 --fail-on-all 18000 12.log 99.log
# Nor are those of processes that ran at one time, where one's leak began behind the other's end.
awk 'BEGIN { print "pid 98\nexe /usr/bin/late"
	for (i = 0; i < 480; i++) printf "+ work/main 1 9\n%s\nsnapshot 60000 churn\n", i < 240 ? "- work/main 1 9" : "+ keep/main 1 600" }' |
	./scriptlog late.log >/dev/null
ask 0 --bytes 12.log late.log
says '^2 of 2 processes leak up to 36[0-9]{3} an hour at one time, each 99.9% sure$'
ask 0 --fail-on-all 37000 12.log late.log
ask 3 --fail-on-all 36000 12.log late.log

# A log that lacks frames alone, and not bytes, is judged.
sed 's/stacks_cut/stacks_ended/' folder/71.log >ended.log
ask 0 21.log ended.log
says '^nothing leaks in 2 processes: '

# Stacks are asked for: with them come the answers.
ask 0 --stacks 11.log 12.log
says '^ +\{[0-9a-f]{16}\}$'
ask 0 --by process 11.log 12.log
says '^2 of 2 processes leak .* an hour in all, each 99.9% sure$'
echo "figure: 10 logs in $("$pmem" leaks ./*.log | wc -l) lines"
