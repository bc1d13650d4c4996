#!/bin/sh
# A process that is silent for long, or was until its exit, stands still: that is known of it, however
# short it was at work, and however few its snapshots are. Of several it is one of those in which
# nothing leaks, and not of those of which there is too little to tell.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks --raw"

# Three snapshots in 13 seconds.
few() {
	printf '+ new_slab/start 1 1048576\nsnapshot 1000 churn\n+ new_slab/start 1 1048576\nsnapshot 2000 churn\n'
	printf '+ new_slab/start 1 1048576\nsnapshot 11000 churn\n'
}
script() {
	name=$1
	shift
	{ printf 'pid %s\nexe /usr/bin/%s\n' "$name" "$@"; cat; } | ./scriptlog "$name.log" >/dev/null
}
{ fill; echo 'snapshot 300000 exit'; } | script 11 cache
{ fill; printf -- '- new_slab/start 48 1048576\nsnapshot 300000 exit\n'; } | script 12 cache
{
	fill | sed 's/1048576/102400/'
	printf '+ new_slab/start 4 102400\nsnapshot 300000 exit\n'
} | script 15 cache
{ few; echo 'snapshot 840000 exit'; } | script 13 store
{ printf '+ new_slab/start 1 1048576\nsnapshot 1000 churn\nsnapshot 840000 exit\n'; } | script 14 idler

ask 0 -v 11.log
says ': stopped: 1 source, \+4.*; none in the 5m 0s since$'
# What came soon behind the last snapshot wrote none.
ask 0 -v 15.log
says ': stopped: 1 source, \+4\.59 MiB .*; none in the 5m 0s since$'
ask 0 -v --fail-on 0 13.log
says ': stopped: live \+2\.00 MiB in 13\.0s, until 2026-11-21 00:00:1.Z; none in the 14m 0s since; --fail-on lets that pass$'
says '^what has grown so far: pmem report --by growth 13\.log$'
says_not 'too early|let it run longer'
ask 0 -v 14.log
says ': no leak: live stands still at 1\.00 MiB since 2026-11-21 00:00:..Z, for 14m 0s$'
says_not 'too early|let it run longer'

ask 0 11.log 12.log 13.log 14.log
[ "$(cat out)" = 'nothing leaks in 4 processes: 2 cache, idler 14, store 13 (--all)' ] || wrong "more"
ask 0 --by process 11.log 12.log 13.log 14.log
says '^ *stopped .* 11 +cache$'
says '^ *too early .* 12 +cache$'
says '^ *stopped .* 13 +store$'
says '^ +no leak +- .* 14 +idler$'

# Silent for less than --min-time, or than it was at work; or a snapshot is lost, or somebody asks for
# a time before its end: too little to tell.
{ fill; echo 'snapshot 50000 exit'; } | script 21 brief
{ few; echo 'snapshot 59000 exit'; } | script 22 brief
{
	few
	printf '+ new_slab/start 9 1048576\nsnapshot 840000 exit\n'
} | script 23 lost
ask 0 21.log 22.log 23.log
says '^too early to tell of 3 processes: 2 brief, lost 23; live of brief 21 \+47.0 MiB in [0-9.]+m?s \(--all\)$'
ask 0 -v 22.log
says ': too early: 3 snapshots in 13\.0s'
ask 0 -v --min-time 15m 13.log
says ': too early: 3 snapshots in 13\.0s'
ask 0 -v --to 2 13.log
says ': too early: 3 snapshots in 13\.0s'

# The same while the process runs: pid 1 does, and if it has for long enough it may be this one.
alive() {
	mkdir "$1"
	{
		printf 'pid 1\nexe /usr/bin/%s\nhost %s\nstart %s\n' "$1" "$(uname -n)" \
			"$(date -u -d '-200 seconds' +%Y-%m-%dT%H:%M:%S.000Z)"
		cat
	} | ./scriptlog "$1/pmem.1.log" >/dev/null
	sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" "$1/pmem.1.log"
}
if [ "$(ps -o etimes= -p 1 2>/dev/null || echo 0)" -gt 300 ]; then
	fill | alive filled
	few | alive started
	ask 0 -v started/pmem.1.log
	says ': stopped: live \+2\.00 MiB in 13\.0s, until .*; none in the 3m '
	ask 0 filled/pmem.1.log 13.log
	[ "$(cat out)" = 'nothing leaks in 2 processes: filled 1, store 13 (--all)' ] || wrong "more"
	ask 0 --by process filled/pmem.1.log 13.log
	[ "$(grep -c '^ *stopped ' out)" -eq 2 ] || wrong "not told"
	ask 0 started/pmem.1.log 13.log
	[ "$(cat out)" = 'nothing leaks in 2 processes: started 1, store 13 (--all)' ] || wrong "more"
	# A copy says what there was when it was made: it has another name, or comes from a pipe.
	cp started/pmem.1.log incident.log
	ask 0 -v incident.log
	says ': too early: 3 snapshots in 13\.0s'
	says_not 'it runs'
	"$pmem" leaks - <started/pmem.1.log >out
	says ': too early: 3 snapshots in 13\.0s'
	# The log's rate may keep it silent.
	for log in filled:47.0 started:2.00; do
		grew=${log#*:} log=${log%:*}
		sed -i '/^# pmem/s/$/ begin=1024 rate=3600/' $log/pmem.1.log
		ask 0 $log/pmem.1.log 13.log
		says "^too early to tell of 1 process: $log 1; live \\+$grew MiB in [0-9.]+m?s; ask again in [0-9.ms ]+ \(--all\)\$"
	done
fi
