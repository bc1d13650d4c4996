#!/bin/sh
# --at peak means the process's peak: the snapshot that is nearest to it, and how near that is.
# Of several logs it means the moment when their processes had most together, with those alone
# that were there then.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
# make NAME PID START EXIT LIVE...: a snapshot a second, each of so many bytes.
make() {
	name=$1
	{
		echo "options.pid = $2; options.start = \"2026-11-21T00:00:$3.000Z\";"
		echo 'options.tells_once = true;'
		echo 'struct makelog *log = makelog_open(stdout, &options);'
		echo 'int source = makelog_source(log, "hold"); uint64_t had = 0;'
		exit=$4
		shift 4
		while [ $# -gt 0 ]; do
			reason=churn
			[ $# -gt 1 ] || [ "$exit" = no ] || reason=exit
			case $1 in
			spike:*) echo "makelog_spike(log, 200, ${1#spike:});" ;;
			*)
				echo "makelog_free(log, source, had > 0, had); had = $1;"
				echo "makelog_malloc(log, source, had > 0, had);"
				echo "makelog_snapshot(log, 1000, \"$reason\");"
				;;
			esac
			shift
		done
		echo 'makelog_close(log);'
	} | make_log >"$name"
}

make a.log 1 00 no 100 500 spike:900 300 200
"$PMEM_BUILD/pmem" report --bytes --at peak a.log >out
grep -q '^snapshot \[1\] of ' out || wrong "not the snapshot with most"
grep -qx 'peak 900 at 2026-11-21T00:00:02.200Z; this snapshot, 200ms before, has 500' out ||
	wrong "not how near: $(grep '^peak' out)"
"$PMEM_BUILD/pmem" report --bytes a.log >out
! grep '^peak' out || wrong "a peak that nobody asked for"

# b begins when a has its most; c ends before; together they have most when each has less.
make b.log 2 02 no 400 400 600
make c.log 3 00 yes 450 50
"$PMEM_BUILD/pmem" report --bytes --at peak a.log b.log c.log >out
# a: 500 at :02, 300 at :03, 200 at :04. b: 400 at :03 and :04, 600 at :05. c: 450 at :01, gone at :02.
grep -qx '2 processes: live 800 in 2 blocks, .*, the most that all had together, at 2026-11-21 00:00:05Z' out ||
	wrong "$(grep processes out)"
! grep 'process 3' out || wrong "one that was gone"
grep -q 'process 1: live 200 .* \[3\] of 2026-11-21 00:00:04Z' out || wrong "$(grep 'process 1' out)"
# Which is not found by each one's own.
"$PMEM_BUILD/pmem" report --bytes --at peak c.log a.log >out
grep -q "^2 processes: live 550 .* at 2026-11-21 00:00:01Z" out || wrong "$(grep processes out)"

# A page that cannot have all moments has that one. What a process had at its exit is gone when the
# other one has most.
make g.log 7 00 yes 100 1000 900 900 900 900 900 900 900 900 900 900
# shellcheck disable=SC2046
make h.log 8 00 no $(seq 900 | awk '{ print $1 == 9 ? 500 : $1 == 600 ? 510 : 10 }')
"$PMEM_BUILD/pmem" report --bytes --at peak g.log h.log >out
grep -q '^2 processes: live 1400 .* at 2026-11-21 00:00:09Z' out || wrong "$(grep processes out)"
"$PMEM_BUILD/pmem" html --raw -o page.html g.log h.log
grep -q '"times":\[[^]]*1795219209000,' page.html || wrong "the page lacks the peak of both"

# Who has freed most of it by the exit is told where it had more; who has not, or runs, is not.
says_exit='^that is at its exit, most was freed; its peak was 900 at 2026-11-21T00:00:02.200Z: --at peak$'
make d.log 4 00 yes 100 500 spike:900 300 450
"$PMEM_BUILD/pmem" report --bytes d.log >out
grep -q "$says_exit" out || wrong "not that it had more"
"$PMEM_BUILD/pmem" report --bytes --at peak d.log >out
! grep 'at its exit' out || wrong "of the peak itself"
make e.log 5 00 yes 100 500 spike:900 300 451
make f.log 6 00 no 100 500 spike:900 300 1
for log in e f; do
	"$PMEM_BUILD/pmem" report --bytes $log.log >out
	! grep 'at its exit' out || wrong "$log: of what has not gone"
done
