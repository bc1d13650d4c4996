#!/bin/sh
# What leaks is set against how much memory there is: of the control group, with the processes that the
# kernel has killed for it, or of the machine. Nothing is said of what is far away, of a process that has
# ended, and of a log that tells no limit.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# 1,000 bytes leak each 60 s, 60,000 bytes an hour.
awk 'BEGIN {
	print "pid 77"
	for (i = 0; i < 100; i++) {
		print "+ turn/work 9 100\n- turn/work 9 100\n+ drop/handle 1 1000"
		print "snapshot 60000 churn"
	}
}' | ./scriptlog plain.log >/dev/null

# with FIELDS [SED]: the log, whose snapshots tell these, too.
with() {
	sed "/^time=/s|\$| $1|; ${2:-}" plain.log >pmem.77.log
	ask 0 pmem.77.log
}

with "cgroup=1000000/1600000 oom_kills=2"
says ' leaks .* an hour, 99.9% sure: 977 KiB of 1.53 MiB \(memory.max\), full at 2026-11-21 11:40Z; the kernel has killed 2 of its processes for that$'
"$pmem" report pmem.77.log >out
says '^its control group has 977 KiB of 1.53 MiB in use; the kernel has killed 2 of its processes for that$'
"$pmem" top --once pmem.77.log >out 2>&1
says '977 KiB of 1.53 MiB \(memory.max\), full at 2026-11-21 11:40Z'
with "cgroup=1000000/1600000 oom_kills=2 swap=1000000/3000000"
says ' leaks .* an hour, 99.9% sure: 977 KiB of 1.53 MiB \(memory.max\), full at 2026-11-21 11:40Z, and 1.91 MiB of swap are free; the kernel has killed 2 of its processes for that$'
with "machine=1000000/1600000 swap=3000000/3000000"
says ' leaks .* an hour, 99.9% sure: 977 KiB of the machine.s 1.53 MiB in use, full at 2026-11-21 11:40Z$'
with "machine=1000000/1600000"
says ' leaks .* an hour, 99.9% sure: 977 KiB of the machine.s 1.53 MiB in use, full at 2026-11-21 11:40Z$'
"$pmem" report pmem.77.log >out
says_not 'in use'
with "cgroup=1600000/1600000"
says ', full at 2026-11-21 01:40Z'
with "cgroup=0/200000000"
says_not ', full '
# Thirty days away: nobody acts on it yet.
with "cgroup=0/43200000"
says_not ', full '
ask 0 -v pmem.77.log
says ': 0 B of 41\.2 MiB \(memory.max\), full at 2026-12-21 01:40Z$'
# The last snapshot is its exit's.
line=$(grep -n '^time=' plain.log | tail -n 1 | cut -d: -f1)
with "cgroup=1000000/1600000" "${line}s/reason=churn/reason=exit/"
says '\(process 77, ended 2026-11-21 01:40Z\) leaks '
says_not ', full '
ask 0 plain.log
says_not ', full '

# Memory outside of blocks grows, and nothing leaks: 1 MiB in 60 s.
rm plain.log
awk 'BEGIN {
	print "pid 77"
	for (i = 0; i < 100; i++) {
		print "memory " (10 + i) * 1048576 " 1048576"
		print "+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 60000 churn"
	}
}' | ./scriptlog plain.log >/dev/null
with "cgroup=1048576000/1363148800"
says ': outside malloc: \+.* since start 00:0[0-9]Z, .* an hour: '
says '^resident memory grows 60\.0 MiB an hour: 1000 MiB of 1.27 GiB \(memory.max\), full at 2026-11-21 06:40Z$'
"$pmem" top --once pmem.77.log >out 2>&1
says_not 'full in'
