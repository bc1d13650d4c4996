#!/bin/sh
# leaks judges mapped memory as it does blocks: of a planted leak and a store that has filled it finds
# the first alone, says that it is mapped, and fails by it where that is asked. Memory outside of blocks
# is told to be what was mapped, as far as it is, and the rest is not guessed by a runtime's name.

. "$PMEM_ROOT/tests/lib/maplog.sh"

maplog >pmem.77.log
ask 0 -v pmem.77.log
says '^1 source leaks 30\.0 MiB an hour of mapped memory, 84\.3% of the growth of 70\.0 MiB in 1h 59m$'
says '^ *leaks .* 30\.0 MiB .* 59\.0 MiB .* \{3{16}\}  mmap < grow < main$'
says '^outside malloc: \+.* since .*, 30\.0 MiB an hour: up to 53\.5 MiB of it the program mapped itself, which is judged by source$'
says_not '< store|looks like'
# Without -v its growth outside is not told twice.
ask 0 pmem.77.log
says ' leaks 30\.0 MiB an hour of mapped memory, '
says_not 'outside malloc'
ask 3 --fail-on 29M pmem.77.log
ask 0 --fail-on 31M pmem.77.log
ask 0 --all pmem.77.log
says '^levelled off .* 12\.0 MiB .*  mmap < store < main$'
ask 0 -v --match store pmem.77.log
says '^no leak: of what was asked for, 1 of 4 sources$'
# Without the planted one.
maplog leak=0 >none.log
ask 0 -v --fail-on 0 none.log
says ': no leak: live and mapped memory (is 13\.0 MiB since start-up|grew from .*, and has levelled off at 13\.0 MiB)$'
says_not 'outside'
# Beside a leak of blocks.
maplog spill=100000 >both.log
ask 0 -v both.log
says '^2 sources leak 35\.7 MiB an hour, 30\.0 MiB of it mapped memory, 86\.6% of the growth of 81\.8 MiB in 1h 59m$'
says '^ *leaks .*  turn < main$'
ask 0 --by process --all both.log
says '81\.8 MiB  12\.4 MiB  88\.4 MiB       77  server$'
# A release that leaks as before.
ask 0 -v --baseline pmem.77.log pmem.77.log
says 'no leak: 1 source, 30\.0 MiB an hour, no more than in the release before'
ask 3 --baseline none.log pmem.77.log
# The exit shows all that is mapped: what it does not show was let go of, and was held.
last=$(grep -n '^time=' pmem.77.log | tail -n 1 | cut -d: -f1)
sed "$last,\$s/^{rest} mapped/{4444444444444444} mapped/; ${last}s/reason=churn/reason=exit/" pmem.77.log >exit.log
ask 0 -v exit.log
says '^1 source leaks 30\.0 MiB an hour of mapped memory'
says_not '^ *kept |^kept: | kept [0-9]|freed (it )?as the process ended'
# beside BYTES: the log of a process that grows by so much a minute otherwise outside.
beside() {
	awk -v bytes="$1" '/^time=/ {
		n++
		for (i = 1; i <= NF; i++)
			if (split($i, part, "=") && part[1] ~ /^(rss|outside|hwm)$/)
				$i = part[1] "=" part[2] + bytes * n
	} { print }' pmem.77.log
}
# More of it than was mapped is not known; a runtime's own heap is among what was mapped.
beside 2097152 | sed 's,/usr/bin/server,/nowhere/python3.11,' >more.log
ask 0 -v more.log
says '^outside malloc: \+.* since .*, 15[0-6] MiB an hour: up to .* of it the program mapped itself, which is judged by source; the rest (looks like memory mapped past malloc|is not known)'
says_not "Python's own arenas"
"$pmem" report more.log >out
says_not "Python's own arenas"
# The rest alone counts as growth outside: 120 MiB an hour, and 10 MiB, beside 30 MiB that are mapped.
ask 4 --fail-on 100M more.log
ask 0 --fail-on 125M more.log
beside 174763 >less.log
ask 4 --fail-on 100M --fail-on-outside 1M less.log
ask 0 --fail-on 100M --fail-on-outside 15M less.log
# A process that has nothing else to do.
sed '/^{2222222222222222}.*[0-9]$/,/^$/d; /^{2222222222222222}/d; /^churn=/s/=[0-9]*/=0/; 6s/=0/=1000000/
	s/ alloc=[0-9/]* free=[0-9/]*/ alloc=1000000\/1 free=0\/0/; s/emptied=1\/1/emptied=0\/0/' pmem.77.log >alone.log
ask 0 -v alone.log
says '^1 source leaks 30\.0 MiB an hour of mapped memory'
[ ! -s err ] || wrong 'it complains'
