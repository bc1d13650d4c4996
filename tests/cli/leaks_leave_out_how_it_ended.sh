#!/bin/sh
# A process that lets go of what it has as it ends is judged by what it did before: `pmem leaks` leaves the
# snapshots of its end out where the exit comes at once behind them, and says so.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

grows='+ drop/handle 10 1000\nsnapshot 60000 churn'
works='+ drop/handle 10 1000\n+ work 10 5000\n- work 10 5000\nsnapshot'

# One that grows, and frees all as it ends: that is left out, whether a snapshot is written then or not.
turns ended 60 "$grows" <<'END'
- drop/handle 600 1000
+ last 1 50
snapshot 1000 churn
snapshot 10 exit
END
ask 0 -v --fail-on-lost ended.log
says '^snapshots \[0\] to \[60\], 59m 0s from .* on, before the exit in \[61\]$'
says '^1 source leaks 586 KiB an hour, all of the growth of '
says ' kept 586 KiB an hour, and freed it as the process ended; --fail-on-lost lets that pass$'
says '^ *kept .* drop < handle < main$'
ask 3 -v --fail-on 0 ended.log
ask 3 -v --fail-on 0 --to 59 ended.log
says '^1 source leaks 586 KiB an hour, all of the growth of '

# Of an hour, with a last snapshot that frees a part.
turns part 60 "$grows" <<'END'
- drop/handle 200 1000
snapshot 500 churn
- drop/handle 390 1000
snapshot 10 exit
END
ask 3 -v --fail-on 0 part.log
says '^ *kept .* drop < handle < main$'

# In a second, of which its end takes a tenth.
turns second 97 "$works 8 churn" <<'END'
- drop/handle 970 1000
snapshot 8 churn
snapshot 100 exit
END
ask 3 -v --fail-on 0 --min-time 0 second.log
says '^ *kept .* drop < handle < main$'

# In some snapshots of many.
{
	i=0
	while [ $i -lt 10 ]; do
		printf -- '- drop/handle 590 1000\nsnapshot 500 churn\n'
		i=$((i + 1))
	done
	echo 'snapshot 10 exit'
} | turns steps 600 "$works 6000 churn"
ask 3 -v --fail-on 0 steps.log
says '^ *kept .* drop < handle < main$'

# In a part that begins before the last hundredth of the time.
turns part_of 354 '+ drop/handle 10 1000\n+ work 1000 50000\n- work 1000 50000\nsnapshot 6000 churn' <<'END'
- drop/handle 3530 1000
snapshot 100 churn
snapshot 10 exit
END
ask 3 -v --fail-on 0 part_of.log
says '^ *kept .* drop < handle < main$'

# Where nothing is let go of before the exit itself, nothing is left out.
turns at_exit 97 "$works 8 churn" <<'END'
- drop/handle 970 1000
snapshot 2 exit
END
ask 3 -v --fail-on 0 --min-time 0 at_exit.log
says '^snapshots \[0\] to \[96\], [0-9]+ms from .* on, before the exit in \[97\]$'

# What it has let go of before it stood still for a while is not how it ended, of hours and of a second.
turns idle 60 "$grows" <<'END'
- drop/handle 600 1000
+ last 1 50
snapshot 1000 churn
snapshot 900000 exit
END
ask 0 -v --fail-on 0 idle.log
says ': no leak: live grew from .* to 586 KiB, and fell back to 50 B$'
says '^if that was only as the process ended, leave it out with --to, and ask again$'
turns long 1500 '+ drop/handle 10 1000\nsnapshot 6000 churn' <<'END'
- drop/handle 15000 1000
+ last 1 50
snapshot 1000 churn
snapshot 80000 exit
END
ask 0 -v --fail-on 0 long.log
says '^snapshots \[0\] to \[1500\], .* on, before the exit in \[1501\]$'
turns brief 97 "$works 8 churn" <<'END'
- drop/handle 970 1000
snapshot 8 churn
snapshot 30000 exit
END
ask 0 -v --fail-on 0 --min-time 0 brief.log
says '^snapshots \[0\] to \[97\], .* on, before the exit in \[98\]$'
says ': no leak: live grew from .* to .*, and fell back to 0 B'

# Nor is a cache that it empties beside much that stays.
turns emptied 60 "$grows" '+ hold 1000 1000' <<'END'
- drop/handle 600 1000
+ last 1 50
snapshot 1000 churn
snapshot 10 exit
END
ask 0 -v --fail-on 0 emptied.log
says ': no leak: live grew from .* to 1.53 MiB, and fell back to 977 KiB as the process ended$'
says '^for what it did before, ask with --to 2026-11-21T0[01]:[0-9:]*\.[0-9]*Z$'
before=$(sed -n 's/.*ask with --to //p' out)
ask 3 -v --fail-on 0 --to "$before" emptied.log
says '^1 source leaks 586 KiB an hour, all of the growth of '

# It fell back long before that.
{
	printf -- '- drop/handle 400 1000\n+ last 1 50\nsnapshot 1000 churn\n'
	i=0
	while [ $i -lt 20 ]; do
		printf '+ work/handle 10 1000\n- work/handle 10 1000\nsnapshot 60000 churn\n'
		i=$((i + 1))
	done
	echo 'snapshot 10 exit'
} | turns fell 40 "$grows"
ask 0 -v fell.log
says ': no leak: live grew from .* to 391 KiB, and fell back to .*[0-9] B$'
says '^if that was only as the process ended, leave it out with --to, and ask again$'
