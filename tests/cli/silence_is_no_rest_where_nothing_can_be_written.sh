#!/bin/sh
# A process that is silent while nothing can be written to its log does not stand still: `pmem leaks` looks at
# the disk, at the process's limits and at the log's own notes, says which it is, and judges nothing by the
# silence; so does a service.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
command -v prlimit >/dev/null || { echo "skipped: needs util-linux"; exit 77; }

sleep 600 &
pid=$!
trap 'kill $pid' EXIT
began=$(date +%s)
# Eight MiB in the second before the process is silent, of a log that is where the process would write it.
{
	printf 'pid %s\nexe /usr/bin/store\nhost %s\nstart %s\n' $pid "$(uname -n)" \
		"$(date -u -d "@$began" +%Y-%m-%dT%H:%M:%S.000Z)"
	fill
} | ./scriptlog pmem.$pid.log >/dev/null
sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" pmem.$pid.log
while [ $(($(date +%s) - began)) -lt 12 ]; do sleep 1; done

# told WHY: nothing is taken for rest, and why is said.
told() {
	ask 0 --raw --min-time 1 pmem.$pid.log
	says "not judged: nothing is known since [-0-9]+ [0-9:]+Z: the log could not be written; $1"
	says_not 'stands still|stopped|none in the'
	ask 0 --raw --min-time 1 --by process pmem.$pid.log pmem.$pid.log.old
	says '^ *(not judged: unwritten|too early|stopped) .* store$'
	ask 0 --raw --min-time 1 pmem.$pid.log pmem.$pid.log.old
	says "the log could not be written; $1"
}
cp pmem.$pid.log pmem.$pid.log.old
sed -i 's/^# pmem 2 pid=[0-9]*/# pmem 2 pid=1234567/' pmem.$pid.log.old
ask 0 -v --raw --min-time 1 pmem.$pid.log
says '; it runs, the last was [0-9.]+s ago$'
says_not 'could not be written'

bytes=$(wc -c <pmem.$pid.log)
prlimit --pid $pid --fsize=$((bytes + 100)):
told "it has .* KiB, and the process's files .* KiB at most \(RLIMIT_FSIZE, systemd's LimitFSIZE\): raise that$"
# Where there is room it rests.
prlimit --pid $pid --fsize=$((bytes * 10)):
ask 0 --raw --min-time 1 pmem.$pid.log
says_not 'could not be written'

prlimit --pid $pid --nofile=1:
told 'the process has all 1 files open that it may have \(RLIMIT_NOFILE\): raise that$'
prlimit --pid $pid --nofile=1024:

# By the log's own words, until it says that something was written again.
cp pmem.$pid.log whole
printf '# note nothing can be written since 2026-11-21T00:00:00.500Z: Disk quota exceeded\n' >>pmem.$pid.log
told 'Disk quota exceeded$'
printf '# note nothing could be written from 2026-11-21T00:00:00.500Z to 2026-11-21T00:00:01.500Z: Disk quota exceeded\n' \
	>>pmem.$pid.log
ask 0 --raw --min-time 1 pmem.$pid.log
says_not 'nothing is known since'
cp whole pmem.$pid.log

# A full disk, where one can be made.
mkdir disk
cat >full <<END
set -e
mount -t tmpfs -o size=64k,mode=0777 tmpfs disk
mv pmem.$pid.log disk
cat /dev/zero >disk/rest 2>/dev/null || :
"$pmem" leaks --raw --min-time 1 disk/pmem.$pid.log >out
END
if unshare -m true 2>/dev/null && unshare -m sh ./full 2>err; then
	says 'not judged: nothing is known since .*: the log could not be written; its file system is full: make room$'
	says_not 'stands still|stopped|none in the'
else
	echo "figure: no disk could be filled here"
fi
