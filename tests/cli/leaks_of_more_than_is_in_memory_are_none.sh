#!/bin/sh
# Small blocks are in memory as a whole. Where more of them are live than that ever was, swap included,
# blocks are freed that the library does not see: `pmem leaks` says so, and judges nothing by live. It is
# known of a process that runs, and of one whose log tells of such frees.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# grown NAME BYTES COUNT [LINE]: so many such blocks more each minute, 60 times.
grown() {
	{
		[ $# -lt 4 ] || echo "$4"
		i=0
		while [ $i -lt 60 ]; do
			printf '+ keep/handle %s %s\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn\n' "$3" "$2"
			i=$((i + 1))
		done
		echo '+ keep/handle 1 1'
	} | ./scriptlog "$1.log" >/dev/null
	# 4 MiB are resident.
	sed -i 's/ rss=[0-9]*/ rss=4194304/' "$1.log"
}
impossible() {
	ask 0 -v --raw --fail-on 0 "$1.log"
	says ': not judged: 68\.7 MiB of live must be in memory, and at most 4\.00 MiB was: the library misses frees$'
	says_not '^ *leaks |nothing leaks|no leak:|source.* leak'
}
possible() {
	ask 3 -v --raw --fail-on 0 "$1.log"
	says '^1 source leaks '
	says_not 'not judged: [0-9]'
}

# 72 MB in blocks of 300 bytes, of a process that has ended: it may be swapped out, as far as is known.
grown ended 300 4000
possible ended
# The log says that blocks are freed past it.
grown frees 300 4000 'lose unseen_frees 3'
impossible frees
cp ended.log note.log
sed -i '1a # note these call malloc and free past the library: /usr/lib/php/ffi.so; what they allocate is not recorded' note.log
impossible note
ask 0 --raw --fail-on 0 frees.log note.log
says ': not judged: '
ask 0 --raw --by process frees.log note.log
says '^not judged: impossible .* server$'
"$pmem" html -o page.html frees.log
grep -q 'not judged: 68.7 MiB' page.html || wrong "not in the page"
# Blocks of a MiB need not have been touched.
grown large 1048576 1 'lose unseen_frees 3'
possible large
# All of it is there.
grown there 300 4000 'lose unseen_frees 3'
sed -i 's/ rss=[0-9]*/ rss=104857600/' there.log
possible there

# A process that runs: of a shell the most that ever was in memory is known.
sleep 600 &
pid=$!
trap 'kill $pid' EXIT
began=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
grown pmem.$pid 300 4000 "pid $pid
exe /bin/sleep
host $(uname -n)
start $began"
sed -i "s/pidns=[0-9]*/pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)/" pmem.$pid.log
impossible pmem.$pid
