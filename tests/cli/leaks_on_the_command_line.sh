#!/bin/sh
# What `pmem leaks` says and returns: --fail-on, --min, --match, --from and --to, several logs, a log
# without times, one that is too short, and one of a process that grows outside malloc.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# 100 bytes a minute in drop(), and 600 a minute in spill() from snapshot 60 on; teeth beside them.
write_log() {
	./scriptlog "$1" >/dev/null
}
awk 'BEGIN {
	print "pid 77"
	for (i = 0; i < 120; i++) {
		print "+ drop/handle 10 10"
		if (i >= 60)
			print "+ spill/flush 2 300"
		print "+ gather/flush 5 1000"
		if (i % 9 == 8)
			print "- gather/flush 45 1000"
		print "snapshot 60000 churn"
	}
}' >script
write_log two.log <script

ask 0 -v two.log
says '^/usr/bin/server, process 77 on box, started 2026-11-21 00:00:00Z$'
says '^2 sources leak 41\.0 KiB an hour, .* in 1h 59m$'
! grep -q 'min-time' out || wrong 'two hours are no short time'
says '^ *leaks +99\.9% +35\.2 KiB +34\.[0-9] KiB - 35\.[2-9] KiB .* all +2026-11-21 01:0[0-2]:00Z .* spill < flush < main$'
says '^ *leaks +99\.9% +5\.86 KiB .* all +2026-11-21 00:01:00Z .* drop < handle < main$'
says '^other sources: up and down: 1 \(--all\)$'
ask 0 -v --bytes two.log
says '^2 sources leak 42000 an hour'
ask 0 --all two.log
says '^ *up and down .* gather < flush < main$'
ask 0 -v --stacks -n 1 two.log
says '^ +malloc  /opt/pmem/libpmem.so$|^ +malloc  .*libpmem.so$'
says '^and 1 more source: 5\.86 KiB an hour$'

# What is judged is up to the exit; what was left out is told.
{
	cat script
	echo '+ drop/handle 1000 10'
	echo 'snapshot 60000 exit'
} >to_exit
write_log exited.log <to_exit
ask 0 -v exited.log
says '^snapshots \[0\] to \[119\], 1h 59m from 2026-11-21 00:01:00Z on, before the exit in \[120\]$'
says '^2 sources leak 41\.0 KiB an hour, '
head -c -100 exited.log >cut.log
ask 0 -v cut.log
says '^note: cut.log: 1 snapshot cut off in the middle and left out: '
says '^snapshots \[0\] to \[119\], 1h 59m from 2026-11-21 00:01:00Z on$'

# The exit status is for scripts.
ask 3 -v --fail-on 0 two.log
ask 3 --fail-on 41K two.log
ask 0 --fail-on 42K two.log
ask 0 --fail-on 7K --match drop two.log
ask 3 --fail-on 5K --match drop two.log
says ' leaks 5\.86 KiB an hour'
ask 3 --fail-on 0 --not drop two.log
ask 0 --fail-on 0 --not 'drop|spill' two.log
says ': no leak: '
ask 0 --fail-on 0 --min 1M two.log
says ': no leak: '

# A part of the time.
ask 0 -v --to 50 two.log
says '^snapshots \[0\] to \[50\]'
says '^1 source leaks 5\.86 KiB an hour'
ask 0 -v --from 70 two.log
says '^snapshots \[70\] to \[119\]'
says '^2 sources leak 41\.0 KiB an hour'
ask 0 -v --from 2026-11-21T01:30:00 --to 2026-11-21T01:40 two.log
says '^snapshots \[89\] to \[99\]'
ask 1 --from 2027-01-01 two.log
grep -q 'two.log: no snapshot of that time in this log' err || wrong "no word"
ask 2 --from peak two.log
grep -Eq "^pmem: leaks: --from: expected a snapshot's number or a time; see 'pmem help leaks'$" err || wrong "--from peak"
ask 2
grep -q '^pmem: leaks: no log given' err || wrong "no log"

# A server's processes come and go: those without a snapshot of that time are left out, in one line.
brief() {
	printf 'pid %s\n+ a/main 1 10\nsnapshot 60000 churn\nsnapshot 60000 exit\n' "$1"
}
for pid in 91 92; do
	brief $pid | ./scriptlog $pid.log >/dev/null
done
sed 's/pid 77/pid 93\nexe \/usr\/bin\/longer/; /drop/d; /spill/d' script | ./scriptlog longer.log >/dev/null
printf 'pid 94\nstart 2026-11-21T01:30:00.000Z\n+ a/b 1 1\nsnapshot 1000 churn\n' | ./scriptlog late.log >/dev/null
printf 'pid 95\nexe /usr/bin/other\n+ a/b 1 1\nsnapshot 1000 churn\n' | ./scriptlog other.log >/dev/null
left_out() {
	[ "$(cat err)" = "pmem: no snapshot $1: left out" ] || wrong "not told: $1"
}
ask 0 -v --from 2026-11-21T01:00 91.log two.log 92.log
left_out 'from 2026-11-21 01:00:00Z on in 2 of the logs'
says '^2 sources leak 41\.0 KiB an hour'
says_not 'too early'
ask 3 --fail-on 41K --from -30m --to -1m 91.log two.log 92.log
left_out 'from 2026-11-21 01:30:00Z to 2026-11-21 01:59:00Z in 2 of the logs'
ask 0 --to 2026-11-21T01:00 late.log two.log
left_out 'by 2026-11-21 01:00:00Z in 1 of the logs, which begin later'
ask 0 --from 2026-11-21T01:00 --exe server 91.log other.log two.log
left_out 'from 2026-11-21 01:00:00Z on in 1 of the logs'
# Where nothing is left there is no answer; nor where a log does not know the time, or by numbers.
ask 1 --from 2027-01-01 91.log two.log 92.log
left_out 'from 2027-01-01 00:00:00Z on in 3 of the logs'
ask 1 --from 2026-11-21T01:00 --exe server 91.log longer.log
left_out 'from 2026-11-21 01:00:00Z on in 1 of the logs'
ask 1 --from 2026-11-21T01:00 two.log "$PMEM_ROOT/tests/cli/logs/seed.log"
grep -q 'seed.log: no snapshot of that time in this log' err || wrong "no word of a log without times"
ask 1 --from 70 two.log 91.log
grep -q '91.log: no snapshot of that time in this log' err || wrong "no word of a number"
# A damaged log is one, whatever its time.
sed 's/^time=/tame=/' 91.log >damaged.log
ask 1 --from 2026-11-21T01:00 damaged.log two.log

# Each process by itself, from standard input as well; what cannot be read is told.
head -60 script | sed 's/pid 77/pid 78/; /drop/d; /spill/d' >quiet
write_log quiet.log <quiet
ask 3 -v --fail-on 0 quiet.log - <two.log
says '^1 of 2 processes leaks 41\.0 KiB an hour in all, each 99.9% sure$'
says '^2 sources leak'
says '^nothing leaks in 1 process: server 78 \(--all\)$'
ask 3 --all --fail-on 0 quiet.log - <two.log
[ "$(grep -c '^/usr/bin/server, process 7[78]' out)" -eq 2 ] || wrong "two processes"
ask 1 missing.log quiet.log
says 'process 78'
# That something leaks is worth more than that something could not be read.
ask 3 --fail-on 0 missing.log two.log quiet.log
ask 1 --fail-on 50K missing.log two.log quiet.log

# Short ones, and only the exit.
head -8 script >short
write_log short.log <short
ask 0 -v --fail-on 0 short.log
says ': too early: 2 snapshots in 1m 0s, live \+[0-9.]+ KiB; at least 8 are needed'
printf '+ a/main 1 10\nsnapshot 10 exit\n' >exit
write_log exit.log <exit
ask 0 -v exit.log
says ': too early: no snapshot but that of the exit; '

# The first pmem's logs have no times: bytes a snapshot.
awk 'BEGIN {
	for (i = 0; i < 40; i++) {
		printf "[%3d]=========================================================\n", i
		print "churn=1048600/1048576\n"
		printf "{00000000000000aa} live:%d, alloc:100/%d, free:0/0\n", (i + 1) * 100, (i + 1) * 100
		print "  {0} ./libpmem.so(malloc+0x1c) [0x7fd4fca1d89c]"
		print "  {1} ./old(leak_it+0x11b0) [0x556298df01b0]"
		printf "\n{00000000000000bb} live:%d, alloc:5000/%d, free:5000/%d\n", 5000 + i % 5, 5000 * (i + 2), 5000 * (i + 1) - i % 5
		print "  {0} ./libpmem.so(malloc+0x1c) [0x7fd4fca1d89c]"
		print "  {1} ./old(keep_it+0x11b0) [0x556298df02b0]\n"
	}
}' >old.log
ask 3 -v --fail-on 100 --min 100 old.log
says '^1 source leaks 100 B a snapshot'
says ' leaks .* \[0\] .*leak_it'
ask 0 -v --fail-on 101 --min 100 old.log
# Of several such logs there is no rate by the hour, and what leaks is told all the same.
sed 's/leak_it/lose_it/' old.log >older.log
ask 3 --fail-on 100 --min 100 old.log older.log
says '^2 of 2 processes leak, each 99.9% sure$'
says '^leaks: .*, most of it since start in leak_it'
says '^leaks: .*, most of it since start in lose_it'
# What leaks is no part of a whole that shrank meanwhile.
awk '{ print } /^{00000000000000bb}/ { bytes = n++ < 3 ? 30000 : 0; last = NR }
	last && NR == last + 2 {
		printf "\n{00000000000000cc} live:%d, alloc:0/30000, free:0/%d\n", bytes, 30000 - bytes
		print "  {0} ./libpmem.so(malloc+0x1c) [0x7fd4fca1d89c]\n  {1} ./old(boot+0x11b0) [0x556298df03b0]"
	}' old.log >shrunk.log
ask 0 shrunk.log older.log
says 'leaks: .*-25\.5 KiB.*, \+3\.81 KiB since start in leak_it'

# What leaks and was not asked for is no growth without a source.
ask 0 -v --match gather two.log
says ': no leak: of what was asked for, 1 of 3 sources$'
grep -q '^live grows' out && wrong "of a source that was left out"

# The first pmem's logs have no times.
ask 0 -v "$PMEM_ROOT/tests/cli/logs/seed.log"
says ': too early: 3 snapshots; at least 8 are needed, spread over time$'

# The same in seconds.
sed 's/snapshot 60000/snapshot 400/' script | ./scriptlog soon.log >/dev/null
ask 0 -v --fail-on 0 soon.log
says ': too early: 2 sources, \+4[0-9]\.[0-9] KiB in 47\.[0-9]s: .*\(--min-time\); --fail-on lets that pass; ask again after 2026-11-21 00:[0-9]+Z$'
says '^ *too early +99\.9% +- +- +35\.2 KiB .* spill < flush < main$'
! grep -q ' leaks\? ' out || wrong "a leak within a minute"
# A live process is young for eight times --min-time. A process that has ended is judged at once.
ask 0 -v --fail-on 0 --min-time 40s soon.log
says 'ask again after 2026-11-21 00:06Z$'
{
	sed 's/snapshot 60000/snapshot 400/' script
	echo 'snapshot 400 exit'
} | ./scriptlog ended.log >/dev/null
ask 3 -v --fail-on 0 --min-time 40s ended.log
says '^1 source leaks '
says '^too early: 1 source, \+35\.2 KiB in 23\.[0-9]s: '
ask 3 -v --fail-on 0 --min-time 0 soon.log
says '^2 sources leak '
ask 2 --min-time soon soon.log

# A leak of twice what the process has grown by, since another source lets go of the half, is not all of it.
awk 'BEGIN {
	print "+ hold/main 60 1000"
	for (i = 0; i < 120; i++) {
		print "+ drop/handle 1 1000"
		if (i % 2)
			print "- hold/main 1 1000"
		print "+ work/handle 10 1000\n- work/handle 10 1000\nsnapshot 60000 churn"
	}
}' | ./scriptlog twice.log >/dev/null
ask 3 -v --fail-on 0 twice.log
says '^1 source leaks 58\.[0-9] KiB an hour, by 11[0-9] KiB, while the process as a whole grew by [56][0-9]\.[0-9] KiB, in '
says '^ *leaks .* (19|20)[0-9]\.[0-9]% .* drop < handle < main$'

# spaced LOG: a snapshot each second, so that the machine's load does not decide what is a leak.
spaced() {
	awk '/^# pmem/ { sub(/start=[^ ]*/, "start=2026-11-21T00:00:00.000Z") }
		/^time=/ {
			n++
			sub(/time=[^ ]*/, sprintf("time=2026-11-21T00:%02d:%02d.000Z", n / 60, n % 60))
			sub(/@[^ ]*/, "@2026-11-21T00:00:00.000Z")
		}
		{ print }' "$1" >"$1.spaced"
	mv "$1.spaced" "$1"
}

# A process that grows by mmap(), and one that asks the kernel past the C library, which nobody sees.
cat >map.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int
main(int count, char **words)
{
	(void)words;
	for (int i = 0; i < 60; i++) {
		char *pages = count == 1 ? mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
			: (char *)syscall(SYS_mmap, 0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(pages, 1, 1 << 20);
		char *block = malloc(600000);
		memset(block, i, 600000);
		free(block);
	}
}
C
$CC -o map map.c
LD_PRELOAD=$PMEM_BUILD/libpmem.so ./map
spaced pmem.*.log
ask 3 -v --fail-on 0 --min-time 0 pmem.*.log
says '^1 source leaks .* an hour of mapped memory, '
says ' mmap < main$'
says '^outside malloc: \+.* since .* an hour: up to .* of it the program mapped itself, which is judged by source$'
ask 0 pmem.*.log
says ': too early: 1 source, \+.* in .*'
rm pmem.*.log
LD_PRELOAD=$PMEM_BUILD/libpmem.so ./map past
spaced pmem.*.log
ask 4 --fail-on 0 --min-time 0 pmem.*.log
says 'outside malloc: \+.* since .*: memory mapped past malloc, '
ask 0 pmem.*.log
says 'outside malloc: \+.* MiB in .*s$'
