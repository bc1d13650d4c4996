// SPDX-License-Identifier: BSD-2-Clause
// format: the grammar of the log, format 4: the one header that library and reader share.
// FORMAT.md beside it has it to the letter, for whoever writes a parser.
//
// A log is runs; a run is a header, then snapshots; `# module` lines stand before the first
// snapshot that needs them, and all again behind each header. A header with the run= of an
// earlier one goes on with that run, and so do snapshots' numbers: a process repeats its header
// when the file is not as it left it. pidns is the pid namespace, 0: not known. A `# note`
// says, behind the header, why the log is not where it would be. `# command`, and `# comm NAME`,
// stand before a snapshot again where the process is called otherwise by then.
//
//	# pmem 4 pid=N ppid=N start=TIME exe=PATH comm=NAME version=X.Y.Z frames=N sources=N ...
//	    host=NAME pidns=N run=HEX                           (one line)
//	# forked from pid=N snapshots=N
//	# command ARGUMENT ARGUMENT...
//	# cwd PATH
//	# cgroup PATH
//	# module 0xSTART-0xEND BUILDID|- PATH
//	# moved 0xADDRESS
//	# note TEXT
//
//	[NNN]=========================================================
//	churn=BYTES/THRESHOLD
//	time=TIME reason=churn|exit|signal|first|look|peak|rss|sandbox|asked|reset live=BYTES/BLOCKS
//	    alloc=BYTES/CALLS                                   (one line with all up to losses)
//	    free=BYTES/CALLS peak=BYTES@TIME sources=N/MAX shown=N hidden=N emptied=SHOWN/ALL   (one line)
//	    inherited=BYTES/BLOCKS                              (the same, in a fork's child)
//	    rss=BYTES file=BYTES outside=BYTES malloc=N% hwm=BYTES (the same, where /proc is)
//	    mapped=BYTES/MAPPINGS map=BYTES/MAPPINGS unmap=BYTES/MAPPINGS (the same, where there are any)
//	    label=WORD                                          (the same, last, where it was asked for)
//	losses NAME=COUNT ...
//	thread ID NAME alloc:DELTA/TOTAL, free:DELTA/TOTAL, allocs:DELTA/TOTAL, frees:DELTA/TOTAL
//	label WORD live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, blocks:N, allocs:DELTA/TOTAL,
//	    frees:DELTA/TOTAL                                   (one line with the above)
//
//	{ID} live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, blocks:N, allocs:DELTA/TOTAL,
//	    frees:DELTA/TOTAL[ by:THREAD/NAME/PERCENT%]         (one line with the above)
//	{ID} mapped:BYTES, map:DELTA/TOTAL, unmap:DELTA/TOTAL, mappings:N, maps:DELTA/TOTAL,
//	    unmaps:DELTA/TOTAL[ resident:BYTES]                 (one line; behind all of the above)
//	  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS]
//	  {FRAME} PATH:LINE in FUNCTION [LANGUAGE]            (of an interpreter's program)
//	  {FRAME} (NAME+0xOFFSET) [0xADDRESS]               (code made at run time, by a perf map)
//	{ID} live:BYTES, ... as above < FUNCTION < FUNCTION
//
// A stack is told once behind each header; from then on the source's entry is one line, which
// ends in who called. (Format 1 told it each time.)
//
// A snapshot shows the sources that moved since the run's last one, or its start. First those
// that hold memory, largest live first, of which shown=N are here and hidden=N were not let
// in; behind them those that hold nothing now, most churn since the last snapshot first, of
// which emptied= tells how many are here, and how many there are. A snapshot of reason=exit
// shows those that hold memory and did not move, too. So where hidden=0, and the numbers of
// emptied= are equal, a source that is not here is as it was.
//
// Of the threads those are shown that moved, most churn first. ID is the kernel's; or `ended`: all
// that are gone; or `rest`: those that are not shown, and what several counted together. Their
// totals add up to the summary's, and their deltas to those of the entries. An entry's by: is
// the thread that has allocated more than half of its bytes.
//
// There is an empty line before each {ID} with a stack, before those without, between comments
// and the snapshot behind them, and at a snapshot's end: one without its own was cut off. A header
// that does not begin its file has an empty line before it, which also ends what a killed process
// left unfinished.
//
// ID is 16 hexadecimal digits, made of module names and offsets; or `other`: what could
// not be told apart; or `inherited`: in a fork's child, the sum over all sources that it has from
// before and has not allocated from since; or `rest`: over all others that are not shown.
// rss is what of the process is in memory, file of that what is pages of files and of
// shared memory; outside is rss - live, and malloc live's share of rss: 0 and 100 where live
// is the larger, since not all of it was touched, or is in memory.
// TIME is ISO 8601 in UTC with milliseconds. BYTES are what the program asked for. A DELTA
// counts from the previous snapshot of this run, or from its start. ADDRESS is a return
// address, but in frame 0: there it is the entry of the hook that was called. Bytes of a
// name outside 0x20..0x7e, and the backslash, are written \xHH. At an address that `moved` another
// function lies by now than the one that frames there were named by: they have no name any more.

#ifndef PMEM_FORMAT_H
#define PMEM_FORMAT_H

#define FORMAT_VERSION 4
#define FORMAT_VERSION_OLDEST 1
#define FORMAT_LOG_PREFIX "pmem."
#define FORMAT_LOG_SUFFIX ".log"
#define FORMAT_HEADER "# pmem "
#define FORMAT_FORKED "# forked from "
#define FORMAT_COMMAND "# command "
#define FORMAT_COMM "# comm "
#define FORMAT_CWD "# cwd "
#define FORMAT_CGROUP "# cgroup "
#define FORMAT_MODULE "# module "
#define FORMAT_NOTE "# note "
// Behind FORMAT_NOTE: since when nothing can be written; from when to when nothing could be.
#define FORMAT_UNWRITTEN "nothing can be written since "
#define FORMAT_WRITTEN "nothing could be written from "
// Likewise: which objects' calls go past us, between these.
#define FORMAT_PAST "these call malloc and free past the library: "
#define FORMAT_PAST_END "; what they allocate is not recorded"
#define FORMAT_MAP "# map "
#define FORMAT_MOVED "# moved "
// 57 of them, as in the first pmem.
#define FORMAT_RULE "========================================================="
#define FORMAT_OTHER "other"
#define FORMAT_INHERITED "inherited"
#define FORMAT_REST "rest"
#define FORMAT_THREAD "thread "
#define FORMAT_ENDED "ended"
#define FORMAT_LABEL_LINE "label "
#define FORMAT_BY " by:"
// Behind that: blocks of the source may be freed without the library's seeing it.
#define FORMAT_UNSEEN " unseen"
// Of a snapshot that the program asked for. Bytes that it may have, before any is escaped.
#define FORMAT_LABEL " label="
#define FORMAT_LABEL_BYTES 100
// Between the words of a trail.
#define FORMAT_FROM " < "
// At the end of one that is cut.
#define FORMAT_CUT "..."

#endif
