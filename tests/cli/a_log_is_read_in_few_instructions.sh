#!/bin/sh
# long
# What a byte of a log costs: its share of the instructions that 15 MiB more take. A log of a GiB
# is read in seconds. And what a page of a log of 22 MB with 1,000 sources costs.

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
case " ${CFLAGS:-} " in
*" -O0 "*)
	echo "skipped: needs an optimized build"
	exit 77
	;;
esac
# Valgrind 3.19 ends at what clang 14 writes for debuggers.
strip -g -o reader "$pmem" && pmem=./reader
lib=$PMEM_ROOT/tests/lib
$CC -std=gnu11 -D_GNU_SOURCE -O2 -I"$lib" -o makebig "$lib/makebig.c" "$lib/makelog.c"

# instructions COMMAND LOG
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$pmem" "$1" --raw "$2" 2>&1 \
		>/dev/null | sed -n 's/.*Collected : //p'
}

./makebig short.log 5000000 1000
./makebig long.log 20000000 1000
bytes=$(($(wc -c <long.log) - $(wc -c <short.log)))
tenths=$((($(instructions report long.log) - $(instructions report short.log)) * 10 / bytes))
echo "figure: $((tenths / 10)).$((tenths % 10)) instructions a byte"
# 2.7 where it was written.
[ $tenths -gt 5 ] && [ $tenths -lt 60 ]

millions=$(($(instructions html long.log) / 1000000))
echo "figure: $millions million instructions for a page"
# 979 where it was written; 1,015 when each stack asked anew whether a name is a library's.
[ $millions -lt 1030 ]
