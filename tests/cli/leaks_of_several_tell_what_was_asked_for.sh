#!/bin/sh
# Of several processes `pmem leaks` with --match, --not or --thread says how many sources were asked
# for, in all of them, and does not say that nothing leaks where only of these nothing does: a filter
# that finds nothing must not look like a good release.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# process PID LEAKS: has two sources, the first of which leaks or does not.
process() {
	awk -v pid="$1" -v leaks="$2" 'BEGIN {
		print "pid " pid
		print "exe /usr/bin/worker"
		for (i = 0; i < 120; i++) {
			print "+ drop/handle 2 100"
			if (!leaks)
				print "- drop/handle 2 100"
			print "+ gather/flush 5 1000"
			if (i % 9 == 8)
				print "- gather/flush 45 1000"
			print "snapshot 60000 churn"
		}
	}' | ./scriptlog "$1.log" >/dev/null
}
process 11 1
process 12 1
process 13 0
{
	printf 'pid 14\nexe /usr/bin/short\n+ drop/handle 1 100\nsnapshot 1000 churn\nsnapshot 1000 exit\n'
} | ./scriptlog 14.log >/dev/null

# Of one it says so itself.
ask 0 -v --fail-on 0 --match nosuch 11.log
says ': no leak: of what was asked for, 0 of 2 sources$'
says_not '^asked for'

ask 0 --fail-on 0 --match nosuch 11.log 12.log 13.log
says '^nothing leaks of what was asked for in 1 process: worker 13 \(--all\)$'
says '^asked for: 0 of 6 sources in 3 processes \(--match, --not, --thread\)$'
says_not '^nothing leaks in'
ask 0 --fail-on 0 --not . 11.log 12.log
says '^asked for: 0 of 4 sources in 2 processes '
ask 0 --fail-on 0 --thread nobody 11.log 12.log
says '^asked for: 0 of 4 sources in 2 processes '

# Where some leak, where they are too short, and whatever is printed of each.
ask 3 --fail-on 0 --match drop 11.log 12.log 13.log
says '^2 of 3 processes leak '
says '^nothing leaks of what was asked for in 1 process: worker 13 \(--all\)$'
says '^asked for: 3 of 6 sources in 3 processes '
ask 0 --match nosuch 14.log 13.log
says '^too early to tell of 1 process: short 14 \(--all\)$'
says '^asked for: 0 of 3 sources in 2 processes '
for how in --all '--by process'; do
	# shellcheck disable=SC2086
	ask 0 $how --match nosuch 11.log 12.log
	says '^asked for: 0 of 4 sources in 2 processes '
done

# All that there is, or no filter: nothing to say.
ask 0 --match handle --match flush 11.log 13.log
says '^nothing leaks in 1 process: worker 13 \(--all\)$'
says_not 'asked for'
ask 0 11.log 13.log
says_not 'asked for'
