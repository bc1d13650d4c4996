#!/bin/sh
# A log says of itself what it likes. Where anybody may have put it, the reader says who did, if that
# was neither root nor whoever asks; once of each, and not where a process's own log was found by its
# pid. Another user's link in such a folder is not followed.

set -u
pmem=$PMEM_BUILD/pmem
log=$PMEM_ROOT/tests/cli/logs/format1.log
if [ "$(id -u)" -ne 0 ]; then
	echo "skipped: needs root, to have files of others"
	exit 77
fi
bad=0
# says WORDS LINES ARGUMENT...: so many lines of standard error have the words.
says() {
	words=$1 lines=$2
	shift 2
	"$pmem" "$@" >out 2>err </dev/null
	[ "$(grep -c -e "$words" err)" -eq "$lines" ] && return
	echo "pmem $*: not $lines times '$words':"
	cat err
	bad=1
}
mkdir -m 1777 all
mkdir own
chown nobody own
for folder in all own; do
	for number in 77 78; do
		cp "$log" $folder/pmem.$number.log
		chown nobody $folder/pmem.$number.log
		chmod 600 $folder/pmem.$number.log
	done
done
written='all/pmem.77.log: is read, though written by nobody (65534), not by root (0), in a folder where anybody can'
for words in "report --raw" "leaks --raw" "diff --raw" "export --to csv" "html --raw -o page.html" \
	"top --raw --once"; do
	# shellcheck disable=SC2086
	says "$written" 1 $words all/pmem.77.log
	# shellcheck disable=SC2086
	says written 0 $words own/pmem.77.log
done
says written 1 leaks --raw all
says written 0 leaks --raw own
cp "$log" all/pmem.90.log
says written 0 report --raw all/pmem.90.log
# A piece that another one has put there is his.
cp "$log" all/pmem.90.log.1
chown daemon all/pmem.90.log.1
says 'pmem.90.log.1: is read, though written by daemon' 1 report --raw all/pmem.90.log
rm all/pmem.90.log.1
chmod 666 all/pmem.90.log
says 'pmem.90.log: anybody can write to it (mode 666)' 1 report --raw all/pmem.90.log
# Links: of another one's where all can write; in his own folder he may have some; and one's own.
ln -s ../own/pmem.77.log all/pmem.91.log
chown -h nobody all/pmem.91.log
ln -s pmem.78.log own/pmem.91.log
chown -h nobody own/pmem.91.log
ln -s ../own/pmem.77.log all/pmem.92.log
says 'pmem.91.log: not opened: it is another user' 1 report --raw all/pmem.91.log
says 'not opened' 0 report --raw own/pmem.91.log
says 'not opened' 0 report --raw all/pmem.92.log
# Found by its process, in whatever folder it could write to.
cp "$PMEM_BUILD/libpmem.so" all/
if setpriv --reuid nobody --clear-groups perl -e 1 2>/dev/null; then
	(cd all && exec setpriv --reuid nobody --clear-groups env LD_PRELOAD=./libpmem.so \
		perl -e '@kept = map { "x" x 1000 } 1 .. 5000; sleep 60' 2>/dev/null) &
	running=$!
	for try in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.5
		"$pmem" report --raw $running >out 2>err && break
	done
	grep -q "process $running" out || { echo "try $try: $(cat err)"; bad=1; }
	says written 0 report --raw $running
	kill $running
	wait $running 2>/dev/null
	rm -f /tmp/pmem.$running.log
fi
exit $bad
