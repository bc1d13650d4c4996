# Part page: how fast `pmem html` makes pages, how soon browsers show them, and how smooth they are:
# of a log of 10,000 sources, of one of 5,000 snapshots, and of 60 processes. Needs playwright-core
# (PMEM_NODE_MODULES) and the browsers. Sourced by run.

page_browsers=
for page_name in chromium firefox-esr; do
	command -v "$page_name" >/dev/null && page_browsers="$page_browsers $page_name"
done

# page_log LOG SNAPSHOTS PID SOURCES
page_log() {
	awk -v snapshots="$2" -v pid="$3" -v sources="$4" 'BEGIN {
		printf "pid %d\nstart 2026-11-21T00:%02d:00.000Z\n", pid, pid % 60
		for (i = 0; i < snapshots; i++) {
			for (s = i % 50; s < sources; s += 50)
				printf "+ f%d/g%d/h%d 3 %d\n- f%d/g%d/h%d %d %d\n", s, s % 40, s % 7, 16 + s,
					s, s % 40, s % 7, s % 9 ? 3 : 2, 16 + s
			print "snapshot 5000 churn"
		}
	}' | "$work/scriptlog" "$1" >/dev/null
}

build_page() {
	mkdir -p "$work/page/service"
	for page_tool in makebig scriptlog; do
		# shellcheck disable=SC2086
		$CC $bench_cflags -I"$root" -I"$root/src" -I"$root/tests/lib" -o "$work/$page_tool" \
			"$root/tests/lib/$page_tool.c" "$root/tests/lib/makelog.c" -lm || return 1
	done
	page_most=128000000
	[ -z "$quick" ] || page_most=20000000
	"$work/makebig" "$work/page/sources" $page_most 10000
	page_log "$work/page/snapshots" 5000 1 400
	for page_pid in $(seq 60); do
		page_log "$work/page/service/pmem.$page_pid.log" 60 "$page_pid" 400
	done
}

page_run() {
	for page_name in sources snapshots service; do
		# shellcheck disable=SC2046
		set -- "$1" $("$work/measure" /dev/null "$build/pmem" html --raw -o "$work/page.html" \
			"$work/page/$page_name" 2>/dev/null)
		page_bytes=$(du -sb "$work/page/$page_name" | cut -f1)
		echo "$page_name made in $(($2 / 1000000)) ms, $(($3 / 1000000)) of CPU, of" \
			"$((page_bytes / 1000000)) MB; $(wc -c <"$work/page.html") bytes"
		[ -z "${PMEM_NODE_MODULES:-}" ] || [ -z "$page_browsers" ] \
			|| HOME=$work node "$bench/page.js" "$work/page.html" $page_browsers \
			| sed "s/^/$page_name in /"
	done >>"$work/page.results"
}

page_print() {
	printf '\npage: ms until it is shown; from one frame to the next, median, of 95 in 100, longest\n\n'
	sort "$work/page.results"
}
