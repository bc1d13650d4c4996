#!/bin/sh
# Where a question has no answer, or another one than it seems, that is said: a pattern of names that the
# shell found none for, --match of nothing, two programs, a process that has ended, Python with
# PYTHONMALLOC=malloc set already, a program that has freed all.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# A pattern.
ask 1 'pmem.*.log'
grep -q '^pmem: pmem.\*.log: no log has such a name here, where the shell looked: name the folder' err ||
	wrong "the bare error"

# Nothing that matches.
turns server 20 '+ drop/handle 10 1000\n+ work 100 50000\n- work 100 50000\nsnapshot 60000 churn' </dev/null
leaks=report
ask 0 --match nowhere server.log
says '^nothing is of what was asked for '
ask 0 --match drop server.log
says_not 'nothing is of what'
# All of it matches, and is below --min: that is another thing.
ask 0 --match drop --min 1G server.log
says_not 'nothing is of what'

# Another program is no other build.
leaks=diff
turns other 20 '+ fetch/serve 10 1000\nsnapshot 60000 churn' 'exe /usr/bin/other' </dev/null
ask 0 server.log other.log
grep -q '^pmem: other.log: is of another program, other, and the other log of server$' err ||
	wrong "not that these are two programs"
! grep -q 'build' err || wrong "another build"

# What is let go of at the exit is no rate.
turns ended 20 '+ drop/handle 10 100000\nsnapshot 60000 churn' <<'END'
- drop/handle 200 100000
snapshot 10 exit
END
leaks='top --once'
ask 0 ended.log
says 'growth 0'
says_not 'growth -'

# Python: what its arenas had would be in blocks, and the log has no note of pools.
python() {
	awk -v names="$2" 'BEGIN {
		print "exe /usr/bin/python3.11"
		for (i = 0; i < 60; i++)
			print "memory " 60000000 + i * 3000000 " 4000000\n+ " names " 1 1000\nsnapshot 60000 churn"
	}' | ./scriptlog "$1.log" >/dev/null
}
leaks=leaks
python arenas get
ask 0 arenas.log
says 'with PYTHONMALLOC=malloc in its environment'
python blocks get
sed -i 's|^  {2} .*|  {2} /srv/app.py:12 in get [python]|' blocks.log
ask 0 blocks.log
says_not 'PYTHONMALLOC|arenas'
