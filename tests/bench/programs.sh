# Part programs: whole programs from start to end, and redis-server under redis-benchmark.
# Sourced by run.

# takes_part CONTENDER ROUND: slow ones take part in the first round alone.
takes_part() {
	[ "$2" -eq 1 ] || ! is_slow "$1"
}

programs_run() {
	for row in $programs; do
		for contender in $contenders; do
			takes_part "$contender" "$1" || continue
			echo "$row $contender $1 $(program "$row" "$work/inputs" "$work_amount" \
				under "$contender")" >>"$work/programs.results"
		done
	done
	[ -n "$redis" ] || return 0
	for contender in $contenders; do
		takes_part "$contender" "$1" && redis_run "$contender" "$1"
	done
}

find_redis() {
	redis=
	command -v redis-server >/dev/null && command -v redis-benchmark >/dev/null || return 0
	redis=$(ldd "$(command -v redis-server)" \
		| sed -n 's/^[^a-z]*\(lib\(jemalloc\|tcmalloc\)[^ ]*\).*/\1/p' | head -n 1)
	: "${redis:=libc or one inside}"
}

ask_redis() {
	redis-cli -s "$work/redis.sock" "$@" 2>/dev/null
}

# redis_run CONTENDER ROUND: wall is the client's, between its first request and the last
# answer; all else is the server's.
redis_run() {
	under "$1" redis-server --port 0 --unixsocket "$work/redis.sock" --save "" \
		--appendonly no >"$work/server" &
	tries=0
	until [ "$(ask_redis ping)" = PONG ] || [ $tries -ge 100 ]; do
		tries=$((tries + 1))
		kill -0 $! 2>/dev/null || tries=100
		sleep 0.1
	done
	: >"$work/benchmark"
	: >"$work/client"
	[ $tries -ge 100 ] || timeout 120 "$work/measure" "$work/benchmark" redis-benchmark \
		-s "$work/redis.sock" -n $((work_amount * 3000)) -c 20 -P 16 -r 100000 -d 100 \
		-t set,get,lpush --csv >"$work/client"
	ask_redis shutdown nosave
	wait
	read -r wall _ <"$work/client" || wall=0
	read -r _ figures <"$work/server"
	echo "redis $1 $2 $wall $figures" >>"$work/programs.results"
	# "test","rps","avg_latency_ms","min","p50","p95","p99","max"
	sed 1d "$work/benchmark" | tr -d '"' | awk -F, -v who="$1" -v round="$2" \
		'{ print $1, who, round, $2, $7 }' >>"$work/redis.results"
}

programs_print() {
	cat <<-TEXT

		PROGRAMS: wall and CPU seconds, peak memory, and the bytes that the contender wrote
		Started directly, no shell between. x is over no profiler, compared within each round,
		then the median. heaptrack's CPU time includes its interpreter's; its wall time is the
		program's own, and ends before the interpreter does. In it is a fifth of a second for
		which its pipe is full at first, while the interpreter reads debug information.
		jemalloc and gperftools bring their allocator: its speed is in x none, too.
		python3-malloc is python3 with PYTHONMALLOC=malloc. redis-server is linked to
		${redis:-(missing)}; its wall is redis-benchmark's: 20 clients, pipelines of 16, a unix socket.
	TEXT
	tabulate "$work/programs.results" '
	function line(row, who) {
		if (!begins(row, who, 19, 4, 5))
			return
		printf "%7.3f %17s", median() / 1e9, sprintf("(%.3f..%.3f)", least() / 1e9, most() / 1e9)
		runs = n
		compare(row, who, "none", 1, "/")
		printf " %7.2f", median()
		printf " %9.3f", median_of(row, who, 2) / 1e9
		compare(row, who, "none", 2, "/")
		printf " %7.2f %9.1f %12.3f %5d\n", median(), median_of(row, who, 3) / 1024, \
			median_of(row, who, 5) / 1048576, runs
	}
	END {
		names = split(contenders, name, " ")
		for (r = 1; r <= row_count; r++) {
			printf "\n%s%7s %17s %7s %9s %7s %9s %12s %5s\n", pad(rows[r], 19), \
				"wall s", "(min..max)", "x none", "cpu s", "x none", "peak MiB", \
				"written MiB", "runs"
			for (c = 1; c <= names; c++)
				line(rows[r], name[c])
		}
		summary("wall time over no profiler", 1, "none", 4, 5)
		if (index(contenders, "jemalloc-exact"))
			summary("wall time over plain jemalloc", 1, "jemalloc", 4, 5)
		ratios()
	}
	function ratios(r, added) {
		if (!index(contenders, "heaptrack"))
			return
		print "\ntime that heaptrack adds, in times what pmem adds"
		for (r = 1; r <= row_count; r++) {
			if (trouble(rows[r], "pmem", 4, 5) || trouble(rows[r], "heaptrack", 4, 5))
				continue
			compare(rows[r], "pmem", "none", 1, "-")
			added = median()
			compare(rows[r], "heaptrack", "none", 1, "-")
			printf "%s %s\n", pad(rows[r], 17), (added > 0 ? \
				sprintf("%7.1f", median() / added) : "pmem adds nothing measurable")
		}
	}'
	[ -z "$redis" ] || redis_print
}

redis_print() {
	tabulate "$work/redis.results" '
	END {
		names = split(contenders, name, " ")
		print "\nredis: requests/s (min..max) and 99th percentile of latency, ms"
		printf "%s", pad("", 17)
		for (r = 1; r <= row_count; r++)
			printf "%37s", rows[r]
		print ""
		for (c = 1; c <= names; c++) {
			printf "%s", pad(name[c], 17)
			for (r = 1; r <= row_count; r++) {
				gather(rows[r], name[c], 1)
				if (!most()) {
					printf "%37s", "failed"
					continue
				}
				printf "%9.0f %18s", median(), sprintf("(%.0f..%.0f)", least(), most())
				printf " p99 %5.2f", median_of(rows[r], name[c], 2)
			}
			print ""
		}
	}'
}

# A table of its own, on a tenth of the work: valgrind is another kind of tool. It runs once.
valgrind_run() {
	for row in $programs; do
		# It would be given the variable as its program.
		[ "$row" != python3-malloc ] || continue
		for contender in none pmem massif dhat; do
			case $contender-$1 in massif-1 | dhat-1) ;; massif-* | dhat-*) continue ;; esac
			echo "$row $contender $1 $(program "$row" "$work/small" $((work_amount / 10 + 1)) \
				under "$contender")" >>"$work/valgrind.results"
		done
	done
}

valgrind_print() {
	cat <<-TEXT

		VALGRIND: wall time over no profiler, on a tenth of the work; in brackets peak MiB
	TEXT
	tabulate "$work/valgrind.results" '
	END {
		printf "%s %9s %18s %18s %18s\n", pad("", 17), "none, s", "pmem", "massif", "dhat"
		split("pmem massif dhat", name, " ")
		for (r = 1; r <= row_count; r++) {
			printf "%s %9.3f", pad(rows[r], 17), median_of(rows[r], "none", 1) / 1e9
			for (c = 1; c <= 3; c++) {
				text = trouble(rows[r], name[c], 4, 5)
				compare(rows[r], name[c], "none", 1, "/")
				if (!text)
					text = sprintf("%.2f", median())
				printf " %9s (%6.1f)", text, median_of(rows[r], name[c], 3) / 1024
			}
			print ""
		}
	}'
}
