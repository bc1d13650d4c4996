#!/bin/sh
# A note is written where stacks of V8 mapped half of the memory at least, or where stacks of Perl hold it.
# The note says why there is no line of the program, and which tool of the runtime tells more. Stacks alone
# decide, not the program's name.

. "$PMEM_ROOT/tests/lib/maplog.sh"

# notes WORDS SCRIPT [NAME=VALUE...]: what report and leaks say of such a log, changed by the sed script. "":
# no such note.
notes() {
	words=$1 script=$2
	shift 2
	maplog "$@" | sed "$script" >a.log
	for command in report "leaks -v"; do
		# shellcheck disable=SC2086
		"$pmem" $command --color never a.log >out 2>err || wrong "pmem $command"
		if [ -n "$words" ]; then
			says "^note: $words"
			[ "$(grep -cE 'V8 keeps|Nothing outside of Perl' out)" -eq 1 ] || wrong "more than a note"
		else
			says_not 'V8 keeps|Nothing outside of Perl'
		fi
	done
}

v8='s/(grow+/(_ZN2v88internal15MemoryAllocator12AllocatePageEv+/'
notes 'V8 keeps .* With --heapsnapshot-signal=SIGUSR2 node writes ' "$v8"
notes 'V8 keeps ' "$v8" spill=300000
notes '' "$v8" spill=1000000
# Blocks of V8 are no objects.
notes '' 's/(turn+/(_ZN2v88internal15MemoryAllocator12AllocatePageEv+/' spill=1000000
notes '' 's,/usr/bin/server,/usr/bin/node,g' leak=0

perl='s/(turn+/(Perl_runops_standard+/'
notes 'Nothing outside of Perl .* PERL5OPT=-MDevel::MAT::Dumper=-dump_at_SIGQUIT ' "$perl" spill=1000000
notes '' "$perl" spill=500000
notes '' 's,/usr/bin/server,/usr/bin/perl,g' leak=0 spill=1000000
