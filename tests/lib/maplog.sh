# maplog: a log of two hours with memory that the program mapped itself, a snapshot a minute. What
# grow() maps leaks 524,288 bytes a minute; store() has filled 12 MiB in the first 12 minutes and
# keeps them; turn() allocates and frees; a million bytes in init() stay. Sourced by tests, in a folder
# of their own.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# maplog [NAME=VALUE...]: to standard output. leak=BYTES a minute, by=mremap as hook, minutes=N;
# spill=BYTES of blocks a minute that turn() keeps.
maplog() {
	set -- leak=524288 by=mmap minutes=120 spill=0 "$@"
	for pair; do set -- "$@" -v "$pair"; shift; done
	awk "$@" '
	function time(i) { return sprintf("2026-11-21T%02d:%02d:00.000Z", int(i / 60), i % 60) }
	function stack(hook, name, place) {
		printf "  {0} /usr/lib/libpmem.so(%s+0x0) [0x7f0020001000]\n", hook
		printf "  {1} /usr/bin/server(%s+0x10) [0x55555500%s]\n", name, place
		printf "  {2} /usr/bin/server(main+0x20) [0x555555003020]\n"
	}
	function blocks(id, live, more, less, all, gone, n, come, go, in_all, out) {
		printf "{%s} live:%d, alloc:%d/%d, free:%d/%d, blocks:%d, allocs:%d/%d, frees:%d/%d", id,
			live, more, all, less, gone, n, come, in_all, go, out
	}
	function maps(id, live, more, n, come) {
		printf "{%s} mapped:%d, map:%d/%d, unmap:0/0, mappings:%d, maps:%d/%d, unmaps:0/0", id,
			live, more, live, n, come, n
	}
	function turn(n, spill, keeps) {
		blocks("2222222222222222", n * spill, 100000 + spill, 100000, n * (100000 + spill), n * 100000,
			n * keeps, 1 + keeps, 1, n + n * keeps, n)
	}
	BEGIN {
		print "# pmem 4 pid=77 ppid=1 start=2026-11-21T00:00:00.000Z exe=/usr/bin/server" \
			" frames=64 sources=65536 threads=64 show=100 show_empty=25 show_threads=16 hours=24" \
			" begin=8388608 rate=2446677 memory_max=181583872 log_max=67108864 log_keep=1" \
			" host=box pidns=4026531836 run=667828defef6549c"
		print "# module 0x555555000000-0x555565000000 81f059285fa684fe /usr/bin/server"
		print "# module 0x7f0020000000-0x7f0030000000 f4ff91dd296fa447 /usr/lib/libpmem.so"
		print ""
		for (i = 0; i < minutes; i++) {
			n = i + 1
			filled = n < 12 ? n : 12
			grown = n * leak
			mapped = grown + filled * 1048576
			count = (leak ? n : 0) + filled
			kept = n * spill
			keeps = spill ? 1 : 0
			live = 1000000 + kept
			rss = live + mapped + 4194304
			printf "[%3d]=========================================================\n", i
			printf "churn=%d/1048576\n", (i ? 200000 : 1200000) + spill
			printf "time=%s reason=churn live=%d/%d alloc=%d/%d free=%d/%d", time(n),
				live, 1 + n * keeps, live + n * 100000, 1 + n + n * keeps, n * 100000, n
			printf " peak=%d@2026-11-21T00:01:00.000Z sources=4/65536 shown=%d hidden=0" \
				" emptied=%d/%d rss=%d file=2097152 outside=%d malloc=1%% hwm=%d", live + 100000,
				!i + keeps, !keeps, !keeps, rss, rss - live, rss
			if (count)
				printf " mapped=%d/%d map=%d/%d unmap=0/0", mapped, count, mapped, count
			printf "\n"
			if (i == 0) {
				printf "\n"; blocks("1111111111111111", 1000000, 1000000, 0, 1000000, 0, 1, 1, 0, 1, 0)
				printf "\n"; stack("malloc", "init", "1010")
				printf "\n"
				turn(n, spill, keeps)
				printf "\n"; stack("malloc", "turn", "2010")
			} else {
				printf "\n"
				turn(n, spill, keeps)
				printf " < turn < main\n"
				blocks("rest", 1000000, 0, 0, 1000000, 0, 1, 0, 0, 1, 0); printf "\n"
			}
			if (leak) {
				if (i == 0) printf "\n"
				maps("3333333333333333", grown, leak, n, 1)
				printf i ? " < grow < main\n" : "\n"
				if (i == 0) stack(by, "grow", "4010")
			}
			if (n <= 12) {
				if (i == 0) printf "\n"
				maps("4444444444444444", n * 1048576, 1048576, n, 1)
				printf i ? " < store < main\n" : "\n"
				if (i == 0) stack("mmap", "store", "5010")
			} else {
				maps("rest", 12 * 1048576, 0, 12, 0); printf "\n"
			}
			printf "\n"
		}
	}'
}
