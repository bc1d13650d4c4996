#!/bin/sh
# --follow writes the page at most each second, however often a log has a snapshot more: it rests for
# a second or longer between two pages, and puts each in its place as a whole.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
needs strace

mkfifo script
./scriptlog pmem.1.log <script >/dev/null &
exec 3>script
printf '+ keep 1 100\nsnapshot 100 churn\n' >&3
strace -D -f -qq -o trace -e trace=rename,clock_nanosleep "$pmem" html --raw --follow -o page.html \
	pmem.1.log 2>/dev/null 3>&- &
follower=$!
trap 'kill $follower 2>/dev/null || true' EXIT
tries=0
while [ "$(grep -c rename trace 2>/dev/null || true)" -lt 4 ] 2>/dev/null || [ ! -s trace ]; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || fail "there are no four pages: $(cat trace)"
	printf '+ keep 1 100\nsnapshot 100 churn\n' >&3
	sleep 0.1
done
exec 3>&-
kill $follower
wait $follower 2>/dev/null || true
# A page is written by a child, and may be in its place before or after the rest behind it has begun;
# the rest before it has.
awk '/rename\("[^"]*page.html[.][^"]*", "[^"]*page.html"\)/ { pages++; if (rests < pages - 1) bad = 1 }
	/clock_nanosleep/ && match($0, /tv_sec=[0-9]+/) \
		&& substr($0, RSTART + 7, RLENGTH - 7) + 0 >= 1 { rests++ }
	END { exit bad || pages < 4 }' trace || fail "it does not rest: $(cat trace)"
[ "$(grep -c '^\[.*===' pmem.1.log)" -gt 8 ] || fail "the log had few snapshots"
