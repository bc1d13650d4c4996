#!/bin/sh
# long
# Memory grows with the sources of a log and not with its length: 300 MiB are read in no more than
# 64 MiB, and in what 100 MiB take, by each subcommand that reads to the end.

set -eu
pmem=$PMEM_BUILD/pmem
if grep -q __asan_init "$pmem"; then
	echo "skipped: needs a build without sanitizers"
	exit 77
fi
lib=$PMEM_ROOT/tests/lib
$CC -std=gnu11 -D_GNU_SOURCE -O2 -I"$lib" -o makebig "$lib/makebig.c" "$lib/makelog.c"
$CC -std=gnu11 -D_GNU_SOURCE -O2 -o measure "$PMEM_ROOT/tests/bench/measure.c"
./makebig 100.log 104857600
./makebig 300.log 314572800

# peak_kib ARGUMENT...: of pmem.
peak_kib() {
	./measure /dev/null "$pmem" "$@" 2>err | {
		read -r _ _ peak status
		[ "$status" -eq 0 ] || {
			echo "pmem $*: status $status" >&2
			cat err >&2
			exit 1
		}
		echo "$peak"
	}
}

most=0
for words in "report" "report --tree" "report --at peak" "report --by growth --at 50" "leaks" \
	"diff --from first --to last" "export --to csv" "export --to ndjson"; do
	# Not there yet, or not in this build.
	"$pmem" help "${words%% *}" >/dev/null 2>&1 || continue
	raw=--raw
	[ "${words%% *}" != export ] || raw=
	# shellcheck disable=SC2086
	less=$(peak_kib $words $raw 100.log)
	# shellcheck disable=SC2086
	more=$(peak_kib $words $raw 300.log)
	# What it writes of one block is in memory whole: the last one's, and twice while that grows.
	[ "$words" != "export --to ndjson" ] || less=$((less + 32768))
	if [ "$more" -gt 65536 ] || [ "$more" -gt $((less + 4096)) ]; then
		echo "$words: $less KiB for 100 MiB, $more KiB for 300 MiB"
		exit 1
	fi
	[ "$more" -lt "$most" ] || most=$more
done
echo "figure: $((most / 1024)) MiB at most"

# A line that does not end is none of a log's.
head -c 200000000 /dev/zero | tr '\0' x >line.log
cat 100.log >>line.log
peak=$(./measure /dev/null "$pmem" report --raw line.log 2>err | cut -d' ' -f3)
[ "$peak" -le 65536 ] || {
	echo "$peak KiB for a line of 200 MB"
	exit 1
}
