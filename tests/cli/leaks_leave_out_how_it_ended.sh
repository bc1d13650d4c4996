#!/bin/sh
# A process that lets go of what it has as it ends is judged by what it did before: `pmem leaks` leaves the
# snapshots of its end out where the exit comes at once behind them, and says so.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# One that grows, and frees all as it ends: that is left out, whether a snapshot is written then or not.
awk 'BEGIN {
	for (i = 0; i < 60; i++)
		print "+ drop/handle 10 1000\nblock 60000 churn"
	print "- drop/handle 600 1000\n+ last 1 50\nblock 1000 churn\nblock 10 exit"
}' | ./scriptlog ended.log >/dev/null
ask 0 --fail-on-lost ended.log
says '^snapshots \[0\] to \[60\], 59m 0s from .* on, without its end before the exit in \[61\]$'
says '^1 source leaks 586 KiB an hour, all of the growth of '
says '^freed as the process ended: held, not lost, but it grew until then; --fail-on-lost lets that pass$'
ask 3 --fail-on 0 ended.log
cp out judged
ask 3 --fail-on 0 --to 59 ended.log
[ "$(grep -c '^ *held .* drop < handle < main$' judged)" -eq 1 ] || wrong "not held"
says '^1 source leaks 586 KiB an hour, all of the growth of '

# Of an hour, with snapshots of which the last frees a part; in a second; and in some windows of many.
awk 'BEGIN {
	for (i = 0; i < 60; i++)
		print "+ drop/handle 10 1000\nblock 60000 churn"
	print "- drop/handle 200 1000\nblock 500 churn\n- drop/handle 390 1000\nblock 10 exit"
}' | ./scriptlog part.log >/dev/null
ask 3 --fail-on 0 part.log
says '^ *held .* drop < handle < main$'
awk 'BEGIN {
	for (i = 0; i < 97; i++)
		print "+ drop/handle 10 1000\n+ work 10 5000\n- work 10 5000\nblock 8 churn"
	print "- drop/handle 970 1000\nblock 8 churn\nblock 2 exit"
}' | ./scriptlog second.log >/dev/null
ask 3 --fail-on 0 --min-time 0 second.log
says '^ *held .* drop < handle < main$'
awk 'BEGIN {
	for (i = 0; i < 600; i++)
		print "+ drop/handle 10 1000\n+ work 10 5000\n- work 10 5000\nblock 6000 churn"
	for (i = 0; i < 10; i++)
		print "- drop/handle 590 1000\nblock 500 churn"
	print "block 10 exit"
}' | ./scriptlog steps.log >/dev/null
ask 3 --fail-on 0 steps.log
says '^ *held .* drop < handle < main$'

# What it has let go of before it stood still for a while is not how it ended; nor is a cache that it
# empties beside much that stays.
awk 'BEGIN {
	for (i = 0; i < 60; i++)
		print "+ drop/handle 10 1000\nblock 60000 churn"
	print "- drop/handle 600 1000\n+ last 1 50\nblock 1000 churn\nblock 900000 exit"
}' | ./scriptlog idle.log >/dev/null
ask 0 --fail-on 0 idle.log
says '^nothing leaks: live grew from .* to 586 KiB, and fell back to 50 B$'
says '^if that was only as the process ended, leave it out with --to, and ask again$'
awk 'BEGIN {
	print "+ hold 1000 1000"
	for (i = 0; i < 60; i++)
		print "+ drop/handle 10 1000\nblock 60000 churn"
	print "- drop/handle 600 1000\n+ last 1 50\nblock 1000 churn\nblock 10 exit"
}' | ./scriptlog emptied.log >/dev/null
ask 0 --fail-on 0 emptied.log
says '^nothing leaks: live grew from .* to 1.53 MiB, and fell back to 977 KiB as the process ended$'
says "^for what it did before, ask with --to '2026-11-21 0[01]:[0-9:]*Z'\$"
before=$(sed -n "s/.*ask with --to '\(.*\)'$/\1/p" out)
ask 3 --fail-on 0 --to "$before" emptied.log
says '^1 source leaks 586 KiB an hour, all of the growth of '

# It fell back long before that.
awk 'BEGIN {
	for (i = 0; i < 40; i++)
		print "+ drop/handle 10 1000\nblock 60000 churn"
	print "- drop/handle 400 1000\n+ last 1 50\nblock 1000 churn"
	for (i = 0; i < 20; i++)
		print "+ work/handle 10 1000\n- work/handle 10 1000\nblock 60000 churn"
	print "block 10 exit"
}' | ./scriptlog fell.log >/dev/null
ask 0 fell.log
says '^nothing leaks: live grew from .* to 391 KiB, and fell back to .*[0-9] B$'
says '^if that was only as the process ended, leave it out with --to, and ask again$'
