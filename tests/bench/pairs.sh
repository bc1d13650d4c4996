# Part pairs: what a free and an allocation cost, over call sites, depths and threads.
# Sourced by run.

pairs_varying=0 # frames that differ from source to source; 0: as paths.h chooses
pairs_program=pairs # or that of C++

# pairs_round RESULTS ROUND ROW DEPTH THREADS SOURCES CONTENDER...: appends
# `row contender round wall_ns cpu_ns peak_kib status bytes`.
pairs_round() {
	results=$1
	row=$3
	round=$2
	cell="$4 $5 $6"
	running=$5
	shift 6
	for name; do
		count=$pairs_fast
		is_slow "$name" && count=$((pairs_fast / 100))
		# A thousand threads share what else sixteen have.
		[ "$running" -le 16 ] || count=$((count * 16 / running))
		pause=0
		[ "$name" != heaptrack ] || pause=500
		# shellcheck disable=SC2086
		figures=$(under "$name" "$work/$pairs_program" $cell $count $pairs_varying $pause)
		answer=$(cat "$work/output")
		# shellcheck disable=SC2086
		set -- ${answer:-0 0} $figures
		echo "$row $name $round $1 $2 $5 $6 $7" >>"$results"
	done
}

pairs_run() {
	for sources in 4 5000; do
		for threads in $pairs_threads; do
			for depth in $pairs_depths; do
				# shellcheck disable=SC2086
				pairs_round "$work/pairs.results" "$1" "$sources:$threads:$depth" \
					"$depth" "$threads" "$sources" $contenders
			done
		done
	done
}

pairs_print() {
	cat <<-TEXT

		PAIRS: ns per pair of one free() and one malloc() of the same size, 32 to 144 bytes
		wall and cpu are as a thread sees them; a profiler's own threads are not in cpu;
		median (min..max); + is over no profiler, compared within each round, then the median.
		4 sources differ in their innermost frame, 5000 in all frames: the worst for pmem's memo.
		$pairs_fast pairs a thread; jemalloc-exact and gperftools a 100th. heaptrack's interpreter
		had half a second to start before the clock did.
	TEXT
	tabulate "$work/pairs.results" '
	function cell(row, who, why) {
		why = trouble(row, who, 4, 5)
		if (why)
			return sprintf("%43s", why)
		gather(row, who, 1)
		text = sprintf("%7.0f %15s", median(), sprintf("(%.0f..%.0f)", least(), most()))
		if (who == "none")
			return text pad("", 20)
		compare(row, who, "none", 1, "-")
		text = text sprintf(" %+8.0f", median())
		compare(row, who, "none", 2, "-")
		return text sprintf(" cpu %+7.0f", median())
	}
	END {
		split(sources, source, " ")
		count = split(depths, depth, " ")
		names = split(contenders, name, " ")
		grids = split(threads, thread, " ")
		for (s = 1; s <= 2; s++)
			for (t = 1; t <= grids; t++) {
				printf "\n%s sources, threads %s\n", source[s], thread[t]
				printf "%s", pad("", 17)
				for (d = 1; d <= count; d++)
					printf "%s", pad("  depth " depth[d] ": wall, + wall, + cpu", 45)
				print ""
				for (c = 1; c <= names; c++) {
					printf "%s", pad(name[c], 17)
					for (d = 1; d <= count; d++)
						printf "%s", pad(cell(source[s] ":" thread[t] ":" depth[d], name[c]),
							45)
					print ""
				}
			}
		pairs_over_jemalloc()
	}
	function pairs_over_jemalloc() {
		if (!index(contenders, "jemalloc-exact"))
			return
		print "\njemalloc with its profiler over jemalloc without: + wall ns per pair"
		for (c = 1; c <= names; c++) {
			if (name[c] !~ /^jemalloc-/)
				continue
			for (s = 1; s <= 2; s++)
				for (t = 1; t <= grids; t++) {
					printf "%s", pad(name[c] ", " source[s] " sources, threads " thread[t], 45)
					for (d = 1; d <= count; d++) {
						compare(source[s] ":" thread[t] ":" depth[d], name[c],
							"jemalloc", 1, "-")
						printf "  depth %2d: %+8.0f", depth[d], median()
					}
					print ""
				}
		}
	}' -v sources="4 5000" -v depths="$pairs_depths" -v threads="$pairs_threads"
}
