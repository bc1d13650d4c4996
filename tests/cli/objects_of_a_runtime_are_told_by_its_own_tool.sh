#!/bin/sh
# Where at least half of the memory is in stacks of V8 that mapped it, or of Perl, a note says why no line
# of the program is there, and which tool of the runtime tells more. Stacks alone prove that, no name of a
# program.

. "$PMEM_ROOT/tests/lib/maplog.sh"

# notes WORDS: in what report and leaks say of a.log. "": no such note.
notes() {
	for command in report leaks; do
		"$pmem" $command --color never a.log >out 2>err || wrong "pmem $command"
		if [ -n "$1" ]; then
			says "^note: $1"
			[ "$(grep -cE 'V8 keeps|Nothing outside of Perl' out)" -eq 1 ] || wrong "more than a note"
		else
			says_not 'V8 keeps|Nothing outside of Perl'
		fi
	done
}

v8='s/(grow+/(_ZN2v88internal15MemoryAllocator12AllocatePageEv+/'
perl='s/(turn+/(Perl_runops_standard+/'
maplog | sed "$v8" >a.log
notes 'V8 keeps .* With --heapsnapshot-signal=SIGUSR2 node writes '
maplog spill=300000 | sed "$v8" >a.log
notes 'V8 keeps '
maplog spill=1000000 | sed "$v8" >a.log
notes ''
# Blocks of V8 are no objects.
maplog spill=1000000 | sed 's/(turn+/(_ZN2v88internal15MemoryAllocator12AllocatePageEv+/' >a.log
notes ''
maplog leak=0 | sed 's,/usr/bin/server,/usr/bin/node,g' >a.log
notes ''

maplog spill=1000000 | sed "$perl" >a.log
notes 'Nothing outside of Perl .* PERL5OPT=-MDevel::MAT::Dumper=-dump_at_SIGQUIT '
maplog spill=500000 | sed "$perl" >a.log
notes ''
maplog leak=0 spill=1000000 | sed 's,/usr/bin/server,/usr/bin/perl,g' >a.log
notes ''
