# Part scale: how pmem's costs grow with sources, depth and threads, and how long a block of
# the log holds up the thread that writes it. Sourced by run.

scale_blocks=15 # of a run of stall; by the sixth all names are known

scale_run() {
	for sources in 4 64 1024 16384 60000; do
		pairs_varying=4
		pairs_round "$work/scale.results" "$1" "inner:$sources" 20 1 $sources none pmem
		pairs_varying=20
		pairs_round "$work/scale.results" "$1" "all:$sources" 20 1 $sources none pmem
	done
	pairs_varying=0
	for depth in 2 5 10 20 40 60 64; do
		pairs_round "$work/scale.results" "$1" "depth:$depth" $depth 1 4 none pmem
	done
	for threads in 1 2 4 16 64 200 1000; do
		pairs_round "$work/scale.results" "$1" "threads:$threads" 20 $threads 4 none pmem
	done
	if [ -x "$work/pairs-new" ]; then
		pairs_program=pairs-new
		for depth in 2 5 20; do
			pairs_round "$work/scale.results" "$1" "new:$depth" $depth 1 4 none pmem
		done
		pairs_program=pairs
	fi
	for sources in 10 100 1000 10000; do
		stall_run "$1" $sources none none
		stall_run "$1" $sources all "$work/show-$sources"
	done
	stall_run "$1" 10000 "$default_show" "$build"
}

# build_scale: C++'s pairs; stall, and a library for each number of sources shown.
build_scale() {
	# shellcheck disable=SC2086
	$CC $bench_cflags -DPAIRS_NEW -o "$work/pairs-new" "$bench/pairs.c" -lstdc++ \
		|| echo "run: no pairs of C++: package g++" >&2
	awk 'BEGIN {
		print "#include <stdlib.h>"
		for (i = 0; i < 10000; i++)
			printf "void *leaf%d(size_t n)\n{\n\tint *p = malloc(n);\n\t" \
				"if (p)\n\t\t*p = %d;\n\treturn p;\n}\n", i, i
		print "void *(*const leaves[])(size_t) = {"
		for (i = 0; i < 10000; i++)
			printf "\tleaf%d,\n", i
		print "};"
	}' >"$work/leaves.c"
	# shellcheck disable=SC2086
	$CC $bench_cflags -w -rdynamic -I"$root" -o "$work/stall" "$bench/stall.c" "$work/leaves.c"
	for sources in 10 100 1000 10000; do
		mkdir -p "$work/show-$sources"
		(cd "$work/show-$sources" && PREFIX=$root \
			CFLAGS="-DPMEM_SHOW=$sources -DPMEM_LOG_MAX_BYTES=0 -DPMEM_LOG_HOURS=0" "$root/compile.sh" library)
	done
	default_show=$(printf '#include "config.h"\nPMEM_SHOW\n' \
		| $CC -E -P -I"$root" -D_GNU_SOURCE - | tail -n 1)
}

# stall_run ROUND SOURCES SHOWN LIBRARY_FOLDER: appends
# `row contender round first_ns later_median later_min later_max bytes_a_block`.
stall_run() {
	round=$1
	row=$2:$3
	configured=$build
	build=$4
	contender=pmem
	[ "$3" != none ] || contender=none
	figures=$(under $contender "$work/stall" "$2" $scale_blocks)
	build=$configured
	# shellcheck disable=SC2086
	set -- $figures
	sort -n >"$work/later" <<-TEXT
		$(sed 1,5d "$work/output")
	TEXT
	echo "$row pmem $round $(head -n 1 "$work/output") $(awk '{ all[NR] = $1 }
		END { print all[int((NR + 1) / 2)], all[1], all[NR] }' "$work/later") \
		$(($5 / scale_blocks))" >>"$work/stall.results"
}

scale_print() {
	cat <<-TEXT

		SCALE: what pmem adds to a pair of free() and malloc(), ns: median (min..max)
		of $rounds rounds of $pairs_fast pairs a thread, each compared with one without pmem
	TEXT
	tabulate "$work/scale.results" '
	END {
		printf "%s %9s %20s %20s %14s\n", pad("", 17), "none, cpu", "+ cpu, pmem", \
			"+ wall, pmem", "+ peak, MiB"
		series("inner", "sources that differ in the 4 innermost frames, depth 20, 1 thread")
		series("all", "sources that differ in all frames, depth 20, 1 thread")
		series("depth", "depth, 4 sources, 1 thread")
		series("new", "depth, 4 sources, 1 thread, C++ operators new and delete")
		series("threads", "threads, 4 sources, depth 20; wall as a thread sees it")
	}
	function series(kind, title, r, part, figure, why) {
		print title
		for (r = 1; r <= row_count; r++) {
			split(rows[r], part, ":")
			if (part[1] != kind)
				continue
			printf "%s %9.1f", pad("  " part[2], 17), median_of(rows[r], "none", 2)
			why = trouble(rows[r], "pmem", 4, 5)
			if (why) {
				print "   failed: " why
				continue
			}
			for (figure = 2; figure >= 1; figure--) {
				compare(rows[r], "pmem", "none", figure, "-")
				printf " %6.1f %13s", median(), sprintf("(%.1f..%.1f)", least(), most())
			}
			compare(rows[r], "pmem", "none", 3, "-")
			printf " %14.1f\n", median() / 1024
		}
	}'
	cat <<-TEXT

		STALLS: ms for which the thread that writes a block stands still: the longest malloc()
		in the program, $scale_blocks blocks a run; first: no function name is known yet; later: from
		the sixth on; median (min..max)
	TEXT
	tabulate "$work/stall.results" '
	END {
		printf "%s %s %26s %26s %12s\n", pad("live sources", 14), pad("shown", 6), \
			"first block", "later blocks", "KiB a block"
		for (r = 1; r <= row_count; r++) {
			split(rows[r], part, ":")
			gather(rows[r], "pmem", 1)
			printf "%s %s %8.3f %17s", pad(part[1], 14), pad(part[2], 6), median() / 1e6, \
				sprintf("(%.3f..%.3f)", least() / 1e6, most() / 1e6)
			printf " %8.3f", median_of(rows[r], "pmem", 2) / 1e6
			gather(rows[r], "pmem", 3)
			low = least()
			gather(rows[r], "pmem", 4)
			printf " %17s %12.1f\n", sprintf("(%.3f..%.3f)", low / 1e6, most() / 1e6), \
				median_of(rows[r], "pmem", 5) / 1024
		}
	}'
}
