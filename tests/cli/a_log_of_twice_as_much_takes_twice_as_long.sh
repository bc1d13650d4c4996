#!/bin/sh
# long
# What a log may have any number of costs so much for each: twice as many take twice the
# instructions, and never four times. Of modules, of code that moved away, of sources of one id, of
# names of losses and labels, of notes, of processes in one file.

set -eu
pmem=$PMEM_BUILD/pmem
if ! command -v valgrind >/dev/null; then
	echo "skipped: needs valgrind"
	exit 77
fi
if grep -q __asan_init "$pmem"; then
	echo "skipped: needs a build without sanitizers"
	exit 77
fi
# Valgrind 3.19 ends at what clang 14 writes for debuggers.
strip -g -o reader "$pmem" && pmem=./reader
$CC -std=gnu11 -D_GNU_SOURCE -O2 -o makemany "$PMEM_ROOT/tests/lib/makemany.c"

# instructions KIND NUMBER
instructions() {
	./makemany "$1" "$2" >"$1.log"
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$pmem" export --to collapsed "$1.log" \
		2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

bad=0
for kind in modules moved twins losses labels notes runs; do
	number=3000
	less=$(instructions $kind $number)
	more=$(instructions $kind $((2 * number)))
	tenths=$((more * 10 / less))
	echo "figure: $kind $((tenths / 10)).$((tenths % 10))"
	if [ $tenths -gt 26 ]; then
		echo "$number $kind take $less instructions, and twice as many $more"
		bad=1
	fi
done
exit $bad
