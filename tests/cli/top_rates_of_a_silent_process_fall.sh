#!/bin/sh
# What a process does a second is told of the time since the snapshot before its last one: while it
# runs and is silent, rates fall, and in the end they are 0. Of one that has ended, or of which it
# is not known whether it runs, they stay.

set -eu
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
pmem=$PMEM_BUILD/pmem
fail() {
	echo "$1"
	cat table words
	exit 1
}

# write_log PID SECONDS: of that process; its last snapshot was so long ago, at least, the one before
# it two seconds earlier: it allocated 100,000 bytes in between.
write_log() {
	began=$(date -u -d "@$(($(date +%s) - $2 - 4))" +%Y-%m-%dT%H:%M:%S.000Z)
	{
		printf 'pid %s\nstart %s\nhost %s\nexe /bin/sh\n' "$1" "$began" "$(uname -n)"
		printf '+ f 1 1000\nsnapshot 2000 churn\n+ f 2 50000\nsnapshot 2000 churn\n'
	} >script
	rm -f a.log
	./scriptlog a.log <script >answers
	# A run that begins after its process did, as by an exec; its snapshots are told earlier ones.
	pidns=$(readlink /proc/self/ns/pid | tr -dc 0-9)
	now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
	sed -i -e "/^# pmem/s/ start=[^ ]*/ start=$now/" -e "/^# pmem/s/ pidns=[0-9]*//" \
		-e "/^# pmem/s/\$/ pidns=$pidns/" a.log
}
# show: allocated a second, by the head and by the source's row.
show() {
	"$pmem" top --once --bytes --raw a.log >table 2>words || fail "status $?"
	[ ! -s words ] || fail "words"
	head=$(sed -n 's/^growth .* alloc \([0-9.<]*\)\/s in.*/\1/p' table)
	row=$(awk '/ f < main$/ { print $4 }' table)
	[ "$head" = "$row" ] && [ -n "$row" ] || fail "head $head, row $row"
	grep -Eq '^ +101000 +3 ' table || fail "not what it holds"
}

# Of 20 seconds at least, in place of two.
write_log $$ 20
show
grep -q ', up ' table && ! grep -q 'has ended' table || fail "does not run"
case $row in *.*) ;; *) [ "$row" -le 5000 ] || fail "did not fall" ;; esac
# Of so long a silence nothing is left.
write_log $$ 3600
show
[ "$row" = 0 ] || fail "not 0"
grep -Eq '^growth 0/s   alloc 0/s in 0/s   free 0/s in 0/s ' table || fail "the head is not 0"
# Nor of one that the log's rate explains.
sed '/^# pmem/s/$/ begin=1000 rate=100/' a.log >b.log
cp a.log c.log && mv b.log a.log
show
[ "$row" = 50000 ] || fail "fell, though its log has no room"
mv c.log a.log
# By snapshots that are seldom, an hour is none.
sed -i "s/^time=[^ ]*\(.* live=1000\/1 \)/time=2026-01-01T00:00:00.000Z\1/" a.log
show
[ "$row" != 0 ] || fail "0, though snapshots are seldom"
# It has ended; and on another machine it may run.
sh -c 'exit 0' &
gone=$!
wait $gone
write_log $gone 3600
show
grep -q '^the process has ended$' table || fail "has not ended"
[ "$row" = 50000 ] || fail "fell, though it has ended"
write_log $$ 3600
sed -i '/^# pmem/s/ host=[^ ]*/ host=elsewhere/' a.log
show
[ "$row" = 50000 ] || fail "fell, though nobody knows whether it runs"
