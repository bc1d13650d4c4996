# Part reader: how fast `pmem` reads a log of a GiB, and the memory that takes; wc reads the
# same bytes. Sourced by run.

reader_bytes=1073741824
[ -z "$quick" ] || reader_bytes=104857600

build_reader() {
	# shellcheck disable=SC2086
	$CC $bench_cflags -I"$root/tests/lib" -o "$work/makebig" "$root/tests/lib/makebig.c" \
		"$root/tests/lib/makelog.c" && "$work/makebig" "$work/pmem.1.log" $reader_bytes \
		&& "$work/makebig" "$work/pmem.2.log" $((reader_bytes / 16))
}

# reader_measure ROUND NAME BYTES PROGRAM ARGUMENT...: appends
# `name round wall_ns cpu_ns peak_kib bytes`.
reader_measure() {
	round=$1
	name=$2
	read_bytes=$3
	shift 3
	# shellcheck disable=SC2046
	set -- $("$work/measure" /dev/null "$@" 2>/dev/null)
	[ "${4:-1}" -eq 0 ] || return 0
	echo "$name $round $1 $2 $3 $read_bytes" >>"$work/reader.results"
}

reader_run() {
	pmem=$build/pmem
	large=$work/pmem.1.log
	small=$work/pmem.2.log
	bytes=$(wc -c <"$large")
	cat "$large" >/dev/null
	reader_measure "$1" wc "$bytes" wc -l "$large"
	reader_measure "$1" report "$bytes" "$pmem" report --raw "$large"
	reader_measure "$1" report-a-16th "$(wc -c <"$small")" "$pmem" report --raw "$small"
	reader_measure "$1" report-at-peak "$bytes" "$pmem" report --raw --at peak "$large"
	reader_measure "$1" report-tree "$bytes" "$pmem" report --raw --tree "$large"
	reader_measure "$1" leaks "$bytes" "$pmem" leaks --raw "$large"
	reader_measure "$1" diff "$bytes" "$pmem" diff --raw "$large" --from first --to last
	reader_measure "$1" export-csv "$bytes" "$pmem" export --raw --to csv "$large"
	reader_measure "$1" export-ndjson "$bytes" "$pmem" export --raw --to ndjson "$large"
}

reader_print() {
	printf '\nreader: a log of %d MiB, %s blocks; medians, output to /dev/null\n\n' \
		$((reader_bytes / 1048576)) "$(grep -c '^\[' "$work/pmem.1.log")"
	printf '%-16s %10s %10s %10s\n' command MB/s MB/cpu-s peak-MiB
	for name in $(awk '!seen[$1]++ { print $1 }' "$work/reader.results"); do
		for field in 3 4 5 6; do
			awk -v name="$name" -v field=$field '$1 == name { print $field }' \
				"$work/reader.results" | sort -n | awk '{ line[NR] = $1 }
				END { print line[int((NR + 1) / 2)] }'
		done | tr '\n' ' ' | awk -v name="$name" '{
			printf "%-16s %10.0f %10.0f %10.1f\n", name, $4 / $1 * 1000, $4 / $2 * 1000, $3 / 1024 }'
	done
}
