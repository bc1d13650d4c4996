#!/bin/sh
# long
# What `pmem leaks` says of one process, and of a folder of them, is these screens, whole: at 80, 120 and 200
# columns at most 24 lines, none of them wider, and each row's file and line are there, however narrow it is.
# MADE=$PWD/tests/cli/leaks/screens writes the screens anew, after a change on purpose.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
command -v zstd >/dev/null || { echo "skipped: needs zstd"; exit 77; }
logs=$PMEM_ROOT/tests/corpus/logs
screens=$PMEM_ROOT/tests/cli/leaks/screens
mkdir nothing here

# How long ago a log was heard of depends on the clock, which stands still here: 2026-11-29 14:00:00Z.
cat >clock.c <<'END'
#include <time.h>
int
clock_gettime(clockid_t clock, struct timespec *now)
{
	*now = (struct timespec){clock == CLOCK_REALTIME ? 1795960800 : 1000, 0};
	return 0;
}
END
$CC -shared -fPIC -o clock.so clock.c

# screen NAME PATH...: it is as it was, at each width. Names are those in the logs.
screen() {
	name=$1
	shift
	(cd here && env -u COLUMNS LD_PRELOAD=../clock.so "$pmem" leaks --sysroot ../nothing "$@") >whole 2>err || wrong "status $?"
	# The first file and line of each row: its own, or where it has none, its caller's.
	awk '/^ *[0-9.]+ ([KMG]i)?B( in [0-9hms. ]+)?  / {
		for (i = 1; i <= NF; i++)
			if ($i ~ /:[0-9]+$/) {
				print $i
				next
			}
	}' whole | sort -u >places
	for width in 80 120 200; do
		(cd here && COLUMNS=$width LD_PRELOAD=../clock.so "$pmem" leaks --sysroot ../nothing "$@") >out 2>err || wrong "status $?"
		[ -z "${MADE:-}" ] || cp out "$MADE/$name.$width"
		[ "$(wc -l <out)" -le 24 ] || wrong "$name: more than a screen"
		awk -v width=$width 'length($0) > width { exit 1 }' out || wrong "$name: wider than $width"
		while read -r place; do
			grep -qF -- "$place" out || wrong "$name: $place is cut at $width"
			shown=$((shown + 1))
		done <places
		diff "$screens/$name.$width" out || wrong "$name: another screen at $width"
		count=$((count + 1))
	done
}

shown=0 count=0
for name in bash_note.leak c_late.leak cc_pool.twin cc_route.leak haproxy.leak java_connect.leak \
	lua_token.leak memcached.twin pl_order.leak py_slow.leak rb_slow.leak; do
	mkdir "here/$name"
	# The process that has most to say.
	file=$(ls -S "$logs/$name" | head -n 1)
	cp "$logs/$name/$file" "here/$name"
	screen "$name" "$name/$file"
done
for name in c_workers.leak postgres.leak; do
	cp -r "$logs/$name" here
	screen "$name" "$name"
done
# An incident: eight services at once.
screen incident bash_note.leak c_late.leak cc_pool.twin haproxy.leak java_connect.leak py_slow.leak \
	rb_slow.leak postgres.leak

# What the program maps itself, with the line of a caller.
mkdir here/mapped
cp -r "$logs/py_link.leak" "$logs/c_slow.leak" here/mapped
screen mapped mapped/py_link.leak mapped/c_slow.leak

# Fifteen places in as many processes, one of which leaks at two.
mkdir here/many
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	worker here/many/pmem.$number.log "service$number" $number $number $((number == 14))
	sed -i "s/drop/drop$number/" here/many/pmem.$number.log
done
worker here/many/pmem.15.log quiet 15 0 0
screen many many
[ "$(grep -c ' < main$' out)" -eq 15 ] || wrong "not fifteen rows"
[ "$shown" -ge 30 ] || wrong "rows have no places"
echo "figure: $count screens; $shown files and lines are whole"
