#!/bin/sh
# What -o names is written beside its place, under a name that was not there, and then renamed: a
# file that somebody has planted stays what it is. A new one can be read by those alone who can
# read all the logs; one that was there keeps its mode.

set -u
pmem=$PMEM_BUILD/pmem
umask 022
cp "$PMEM_ROOT/tests/cli/export/server.log" private.log
cp "$PMEM_ROOT/tests/cli/logs/format1.log" public.log
chmod 600 private.log
chmod 644 public.log
bad=0
wrong() {
	echo "$1"
	bad=1
}
# is MODE FILE
is() {
	[ "$(stat -c %a "$2")" = "$1" ] || wrong "$2: mode $(stat -c %a "$2"), not $1"
}
for words in "html --raw" "export --to csv" "export --to ndjson"; do
	rm -f out* victim
	echo precious >victim
	# shellcheck disable=SC2086
	{
		ln -s victim out.new
		"$pmem" $words -o out private.log || wrong "$words: status $?"
		[ "$(cat victim)" = precious ] || wrong "$words: wrote into what a planted link leads to"
		[ ! -h out ] || wrong "$words: left a link"
		is 600 out
		"$pmem" $words -o out2 public.log
		is 644 out2
		"$pmem" $words -o out3 public.log private.log
		is 600 out3
		chmod 640 out2
		"$pmem" $words -o out2 private.log
		is 640 out2
		(umask 077 && "$pmem" $words -o out4 public.log)
		is 600 out4
		# A disk that is full leaves what was there.
		cp out2 before
		(ulimit -f 1 && trap '' XFSZ && "$pmem" $words -o out2 private.log 2>err) && wrong "$words: no word"
		cmp -s out2 before || wrong "$words: half a file"
		# Nothing is left beside it.
		[ "$(ls out* | wc -l)" -eq 5 ] || wrong "$words: $(ls out*)"
		"$pmem" $words -o /dev/null private.log || wrong "$words: no device"
	}
done
if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 1777 all
	echo precious >victim
	ln -s ../victim all/out
	chown -h nobody all/out
	"$pmem" export --to csv -o all/out private.log 2>err && wrong "another user's link is followed"
	grep -q "all/out: not opened: it is another user's link" err || wrong "$(cat err)"
	[ "$(cat victim)" = precious ] || wrong "another user's link led away"
fi
exit $bad
