#!/bin/sh
# long
# A log may have any number of sources, as one that somebody has made up: each subcommand reads it in
# 300 MiB. Those beyond the budget are in {rest}, so that all sums are right, and that is said.

set -eu
pmem=$PMEM_BUILD/pmem
if grep -q __asan_init "$pmem"; then
	echo "skipped: needs a build without sanitizers"
	exit 77
fi
$CC -std=gnu11 -D_GNU_SOURCE -O2 -o makemany "$PMEM_ROOT/tests/lib/makemany.c"
$CC -std=gnu11 -D_GNU_SOURCE -O2 -o measure "$PMEM_ROOT/tests/bench/measure.c"
./makemany sources 1000000 >many.log

most=0
# takes WORD...: a subcommand in that much, which tells what is in {rest}.
takes() {
	./measure /dev/null "$pmem" "$@" many.log 2>err >measured || { cat err; exit 1; }
	peak=$(cut -d ' ' -f 3 measured)
	if [ "$peak" -gt $((300 * 1024)) ] || ! grep -q 'many.log: more sources.*are in {rest}' err; then
		echo "pmem $*: $peak KiB"
		cat err
		exit 1
	fi
	[ "$peak" -lt "$most" ] || most=$peak
}
takes report --raw
takes report --raw --tree
takes leaks --raw --all
takes diff --raw --from first
takes export --to csv
takes html --raw -o page.html
echo "figure: $((most / 1024)) MiB at most"

"$pmem" report --raw --bytes many.log 2>err >out
grep -q 'live 200000000 in 2000000 blocks' out || { head -5 out; echo "the sum is another"; exit 1; }
grep -qF '{rest}' out || { tail -5 out; echo "there is no {rest}"; exit 1; }
# As many as a program can have are all there.
./makemany sources 65536 >few.log
"$pmem" report --raw --bytes few.log 2>err >out
if [ -s err ] || grep -qF '{rest}' out; then
	cat err
	echo "65536 sources are too many"
	exit 1
fi
