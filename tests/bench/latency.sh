# Part latency: how long a single pair takes, and the longest of all. Sourced by run.

build_latency() {
	# shellcheck disable=SC2086
	$CC $bench_cflags -o "$work/latency" "$bench/latency.c"
}

# latency_run ROUND: appends `sources:threads contender round p50 p99 p99.99 longest status bytes`.
latency_run() {
	for row in 4:1 5000:1 4:2; do
		for name in $contenders; do
			count=$pairs_fast
			is_slow "$name" && count=$((pairs_fast / 100))
			pause=0
			[ "$name" != heaptrack ] || pause=500
			figures=$(under "$name" "$work/latency" 20 "${row#*:}" "${row%:*}" "$count" $pause)
			answer=$(cat "$work/output")
			# shellcheck disable=SC2086
			set -- "$1" ${answer:-0 0 0 0} $figures
			echo "$row $name $1 $2 $3 $4 $5 $9 ${10}" >>"$work/latency.results"
		done
	done
}

latency_print() {
	cat <<-TEXT

		LATENCY: ns of one pair of free() and malloc(), each timed by itself, two readings of the
		clock with it; depth 20, $pairs_fast pairs a thread from the program's start, where pmem
		adds a snapshot for each MiB; median of the rounds. The longest is that of all rounds: a
		snapshot, or the scheduler. heaptrack's interpreter had half a second to start.
	TEXT
	tabulate "$work/latency.results" '
	END {
		names = split(contenders, name, " ")
		for (r = 1; r <= row_count; r++) {
			split(rows[r], part, ":")
			printf "\n%s%9s %9s %9s %11s\n", pad(part[1] " sources, threads " part[2], 26), \
				"p50", "p99", "p99.99", "longest"
			for (c = 1; c <= names; c++) {
				if (!begins(rows[r], name[c], 26, 5, 6))
					continue
				for (figure = 1; figure <= 3; figure++)
					printf "%9.0f ", median_of(rows[r], name[c], figure)
				gather(rows[r], name[c], 4)
				printf "%11.0f\n", most()
			}
		}
	}'
}
