#!/bin/sh
# `pmem leaks` says until when a source grew, when a leak was last seen to, what is starting, and what
# it folds; and in the same line that --fail-on lets it pass.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks -v --raw"

# A cache that fills; then 76 seconds' work, and the exit.
{
	fill
	printf '+ parse/handle 7600 64\n- parse/handle 7600 64\nsnapshot 76000 exit\n'
} | ./scriptlog fill.log >/dev/null
ask 0 --fail-on 0 fill.log
says ': stopped: 1 source, \+4[67]\.. MiB in 4[0-9]0ms, until 2026-11-21 00:00:00Z; none in the 1m 16s since, while others work on; --fail-on lets that pass$'
says '^ *verdict .* since +until +id +where$'
says '^ *stopped +99\.9% +- +- .* 2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  \{'
says_not ' leaks? +[0-9]'
ask 0 fill.log
says_not 'fail-on'

# Without work afterwards.
{
	fill
	echo 'snapshot 76000 exit'
} | ./scriptlog idled.log >/dev/null
ask 0 --fail-on 0 idled.log
says ': stopped: 1 source, \+.*; none in the 1m 16s since; --fail-on lets that pass$'

# The same process runs: pid 1 does, and if it has for long enough it may be this one. Its log has its
# name: by another it would be a copy, of which nothing is known behind its end.
ago=$(date -u -d '-200 seconds' +%Y-%m-%dT%H:%M:%S.000Z)
mkdir alive waits waited
{
	printf 'pid 1\nhost %s\nstart %s\n' "$(uname -n)" "$ago"
	fill
} | ./scriptlog alive/pmem.1.log >/dev/null
sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" alive/pmem.1.log
if [ "$(ps -o etimes= -p 1 2>/dev/null || echo 0)" -gt 300 ]; then
	ask 0 --fail-on 0 alive/pmem.1.log
	says ': stopped: 1 source, \+.*; none in the 3m [0-9]+s since; '
	says '^snapshots .* on; it runs, the last was 3m [0-9]+s ago$'
	# Its log has a rate, and no room for another snapshot for hours: silence proves nothing.
	sed '/^# pmem/s/$/ begin=4096 rate=3600/' alive/pmem.1.log >waits/pmem.1.log
	ask 0 --fail-on 0 waits/pmem.1.log
	says '^snapshots .*; it runs, the last was 3m [0-9]+s ago, and the log may have no room for the next before 20[-0-9]* [:0-9]*Z \(PMEM_LOG_HOURS\)$'
	says ': too early: 1 source, \+.* in [0-9]+ms: '
	says_not 'stopped|none in the'
	# It had for minutes.
	sed '/^# pmem/s/$/ begin=4096 rate=36000000/' alive/pmem.1.log >waited/pmem.1.log
	ask 0 --fail-on 0 waited/pmem.1.log
	says ': stopped: 1 source, \+.*; none in the 3m '
	says_not 'no room'
	# Of several of which it is too early to tell, too, it says when to ask again.
	mkdir first
	for pid in 1 9; do
		printf "pid $pid\nhost %s\nstart %s\n" "$(uname -n)" "$(date -u -d '-20 seconds' +%Y-%m-%dT%H:%M:%S.000Z)"
		printf '+ forget/handle 1 1000\nsnapshot 5000 churn\n+ forget/handle 1 1000\nsnapshot 5000 churn\n'
	done >scripts
	head -7 scripts | ./scriptlog first/pmem.1.log >/dev/null
	tail -7 scripts | ./scriptlog first/pmem.9.log >/dev/null
	sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" first/pmem.1.log
	ask 0 first
	says '^too early to tell of 2 processes: .*; ask again in [0-9.]+s \(--all\)$'
	# Nobody knows of a time before its end.
	ask 0 --fail-on 0 --to 40 alive/pmem.1.log
	says ': too early: 1 source, \+.* in [0-9]+ms: '
fi

# A killed process of six minutes is judged at once. On another machine nobody knows that it was killed.
mkdir gone
sleep 0 &
gone=$!
wait $gone
# six_minutes HOST [START [SNAPSHOTS]]: or ten snapshots a minute.
six_minutes() {
	rm -f "gone/pmem.$gone.log"
	awk -v pid="$gone" -v host="$1" -v start="${2:-2026-11-21T00:00:03.000Z}" -v count="${3:-60}" 'BEGIN {
		print "pid " pid "\nhost " host "\nstart " start
		for (i = 0; i < count; i++)
			print "+ forget/handle 1 100000\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 6000 churn"
	}' | ./scriptlog gone/pmem.$gone.log >/dev/null
	sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" gone/pmem.$gone.log
}
six_minutes "$(uname -n)"
ask 3 -v --fail-on 0 gone/pmem.$gone.log
says '^1 source leaks '
says_not 'ask again'
# on_page SAID TIMES: of a log with a limit.
on_page() {
	sed '/^time=/s/$/ cgroup=1000000\/9000000/' gone/pmem.$gone.log >limited.log
	"$pmem" html --raw -o page.html limited.log
	[ "$(grep -oE "$1" page.html | wc -l)" -eq "$2" ] || wrong "on the page, not $2 times: $1"
}
on_page "process $gone, gone, last snapshot" 1
on_page ', full (in|at) ' 0
# A zombie is gone, too, but not while a thread of the process runs: the parent's first thread has ended.
cat >parent.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *
rest(void *nothing)
{
	sleep(60);
	return nothing;
}
int
main(void)
{
	pthread_t thread;
	pid_t child = fork();
	if (child == 0 || pthread_create(&thread, NULL, rest, NULL) != 0)
		return 0;
	printf("%d\n", (int)child);
	fflush(stdout);
	pthread_exit(NULL);
}
C
$CC -pthread -o parent parent.c
./parent >child &
parent=$!
trap 'kill $parent' EXIT
for pid in child parent; do
	until grep -q '^State:.*Z' "/proc/$([ $pid = parent ] && echo $parent || cat child)/status" 2>/dev/null; do
		kill -0 $parent
		sleep 0.1
	done
done
ended=$gone gone=$(cat child)
six_minutes "$(uname -n)"
ask 3 -v --fail-on 0 gone/pmem.$gone.log
says "\(process $gone, gone, last snapshot "
gone=$parent
six_minutes "$(uname -n)" "$(date -u +%Y-%m-%dT%H:%M:%S.999Z)"
ask 0 -v --fail-on 0 gone/pmem.$gone.log
says "\(process $gone[,)]"
says_not ', gone, '
# Its pid finds the log in our folder: it shows none of its own.
(cd gone && "$pmem" leaks -v "$gone") >out 2>err || wrong "by its pid: status $?"
says "\(process $gone[,)]"
kill $parent
trap - EXIT
gone=$ended
# In its first eight minutes nothing says when the limit is reached.
six_minutes elsewhere
on_page ', full (in|at) ' 0
# What became another program by exec() is gone, wherever it ran.
six_minutes elsewhere "" 100
on_page ', last heard ' 1
on_page ', full at ' 1
cp gone/pmem.$gone.log alone.log
sed 's/2026-11-21T00:/2026-11-21T01:/g; s/run=[0-9a-f]*/run=2/' alone.log >>gone/pmem.$gone.log
on_page 'gone, last snapshot 2026-11-21 00:09:57Z\) leaks' 1
on_page ', last heard 2026-11-21 01:10:03Z\)' 1
on_page ', full (in|at) ' 1
rm alone.log
six_minutes elsewhere
ask 0 -v --fail-on 0 gone/pmem.$gone.log
# Eight minutes are over at 00:08:03.
says ': too early: .*; ask again after 2026-11-21 00:09Z$'
fill | ./scriptlog killed.log >/dev/null
ask 0 --fail-on 0 killed.log
says ': too early: 1 source, \+.* in 4[0-9]0ms: .*\(--min-time\); --fail-on lets that pass; ask again after 2026-11-21 00:[0-9]+Z$'
ask 3 --fail-on 0 --min-time 0 killed.log
says '^1 source leaks '

# A process is as old as it is, whatever --from leaves out.
awk 'BEGIN {
	print "host elsewhere\nstart 2026-11-21T00:00:00.000Z"
	for (i = 0; i < 600; i++)
		print "+ forget/handle 1 100000\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 6000 churn"
}' | ./scriptlog hour.log >/dev/null
ask 3 --fail-on 0 --from 2026-11-21T00:55 hour.log
says '^1 source leaks '

# New sources come as long as there is a log.
awk 'BEGIN {
	for (i = 0; i < 60; i++) {
		for (k = 0; k < 5; k++)
			printf "+ read_%d/start 1 100\n", i * 5 + k
		print "+ learn/start 10 100\nsnapshot 1 churn"
	}
}' | ./scriptlog start.log >/dev/null
ask 0 --fail-on 0 --min-time 0 start.log
says ': too early: 1 source, \+5.\.. KiB in 5[0-9]ms, so soon after the start; --fail-on lets that pass; ask again after 2026-11-21 00:01Z$'
says '^ *too early +99\.9% +- +- '

# An hour of work and six of idling: it leaks, by less an hour.
awk 'BEGIN {
	for (i = 0; i < 60; i++)
		print "+ forget/handle 1 10000\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 60000 churn"
	print "snapshot 21600000 exit"
}' | ./scriptlog idle.log >/dev/null
ask 3 --fail-on 0 idle.log
says '^1 source leaks 8.\.. KiB an hour, '
says '^idle: no growth since 2026-11-21 0[01]:[05].:00Z, but hardly any work in these 6h [0-9]m$'

# A log that begins in the middle of the run.
awk 'BEGIN {
	print "first 80"
	for (i = 0; i < 60; i++)
		print "+ forget/handle 1 10000\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 60000 churn"
}' | ./scriptlog middle.log >/dev/null
ask 3 --fail-on 0 middle.log
says ' 2026-11-21 00:01:00Z or earlier  \{'
ask 3 --fail-on 0 --from 100 middle.log
says ' 2026-11-21 00:21:00Z or earlier  \{'

# Next to nothing is folded, and told.
awk 'BEGIN {
	print "+ hold/main 1 4000000"
	for (i = 0; i < 60; i++)
		print "+ forget/handle 13894 50\n- forget/handle 13893 50\nsnapshot 10000 churn"
}' | ./scriptlog little.log >/dev/null
ask 0 --fail-on 0 little.log
says ': no leak: live grows by 17\.. KiB an hour$'
says '^1 source grows by too little to matter, 2\.88 KiB in all \(--min-rate, --min-share, --all\)$'
says_not 'forget'
ask 0 --all --fail-on 0 little.log
says '^ *no leak .* forget < handle < main$'
says '^and 1 source grows by too little to matter, 2\.88 KiB in all \(--min-rate, --min-share\)$'
ask 3 --fail-on 0 --min-share 0 little.log
says '^ *leaks .* 1 of 13,89[0-9] .* forget < handle < main$'
ask 0 --fail-on 0 --min-share 0 --min-rate 1M little.log
says '^1 source grows by too little'

# So is a buffer that gave way to a larger one twelve times, unless it is much to the process.
buffer() {
	awk -v other="$1" 'BEGIN {
		print "+ hold/main 1 " other "\nsnapshot 1000 churn"
		for (i = 0; i < 96; i++) {
			if (i % 8 == 0)
				print "+ widen/handle 1 " i * 125 + 1000
			if (i % 8 == 0 && i > 0)
				print "- widen/handle 1 " i * 125
			print "+ parse/handle 100 640\n- parse/handle 100 640\nsnapshot 6000 churn"
		}
	}'
}
buffer 4000000 | ./scriptlog buffer.log >/dev/null
ask 0 --fail-on 0 buffer.log
says '^1 source grows by too little to matter, 10\.7 KiB in all \(--min-rate, --min-share, --all\)$'
ask 3 --fail-on 0 --min-share 0.01 buffer.log
says '^ *leaks .* larger .* widen < handle < main$'
buffer 400000 | ./scriptlog much.log >/dev/null
ask 3 --fail-on 0 much.log
# And blocks that are as few, and kept.
awk 'BEGIN {
	print "+ hold/main 1 4000000\nsnapshot 1000 churn"
	for (i = 0; i < 96; i++) {
		if (i % 8 == 0)
			print "+ forget/handle 1 1000"
		print "+ parse/handle 100 640\n- parse/handle 100 640\nsnapshot 6000 churn"
	}
}' | ./scriptlog few.log >/dev/null
ask 3 --fail-on 0 few.log
says '^ *leaks .* forget < handle < main$'

# What leaks is not all of a growth that others have made small by letting go.
awk 'BEGIN {
	print "+ fill/start 2000 1024\nsnapshot 10 churn"
	for (i = 1; i <= 200; i++)
		print "+ keep/handle 10 1024\n- fill/start 9 1024\nsnapshot 3000 churn"
}' | ./scriptlog letsgo.log >/dev/null
ask 0 letsgo.log
says '^1 source leaks 11\.. MiB an hour, by 1\.95 MiB, while the process as a whole grew by 200 KiB, in 10m 0s$'

# Where nothing is left for a table of the others there is none, nor its head.
awk 'BEGIN {
	for (i = 1; i <= 100; i++)
		print "+ keep/handle 10 1024\nsnapshot 6000 churn"
}' | ./scriptlog alone.log >/dev/null
ask 0 --all alone.log
says '^ *leaks .* keep < handle < main$'
says_not 'lowest'
ask 0 --all letsgo.log
says ' lowest  *highest  at the end '
