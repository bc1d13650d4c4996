// SPDX-License-Identifier: BSD-2-Clause
// format: the grammar of the log, format 5: the one header that library and reader share. FORMAT.md
// beside it has all details, for the author of a parser.
//
// A log consists of runs. A run is a header, and snapshots behind it. `# module` lines precede the
// first snapshot that needs them, and all of them are repeated after each header. A process writes
// its header again if the file is not as the process left it. A header with the run= of an earlier
// one continues that run, and so do the snapshots' numbers. pidns is the pid namespace; 0 if not
// known. After the header a `# note` says why the log is not at its usual place. If the process has
// changed its command line or name, `# command` and `# comm` precede its next snapshot. A line
// indented by four blanks here continues the line above it.
//
//	# pmem 5 pid=N ppid=N start=TIME exe=PATH comm=NAME version=X.Y.Z frames=N sources=N ...
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
//	    alloc=BYTES/CALLS                                   (one line with all up to memory)
//	    peak=BYTES@TIME sources=N/MAX shown=N hidden=N emptied=SHOWN/ALL
//	    inherited=BYTES/BLOCKS                              (in a fork's child)
//	    sampled=BYTES exact=BYTES/CALLS/FREES               (where not all blocks are recorded)
//	    label=WORD                                          (where it was asked for)
//	memory rss=BYTES file=BYTES outside=BYTES malloc=N% hwm=BYTES threads=N shmem=BYTES
//	    mapped=BYTES/MAPPINGS map=BYTES/MAPPINGS            (one line; where /proc is)
//	    cgroup|machine=BYTES/LIMIT oom_kills=N swap=BYTES/MOST
//	losses NAME=COUNT ...
//	thread ID NAME alloc:DELTA/TOTAL, free:DELTA/TOTAL, allocs:DELTA/TOTAL, frees:DELTA/TOTAL
//	label WORD live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, blocks:N, allocs:DELTA/TOTAL,
//	    frees:DELTA/TOTAL                                   (one line with the above)
//
//	{ID} live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, blocks:N, allocs:DELTA/TOTAL,
//	    frees:DELTA/TOTAL[ by:THREAD/NAME/PERCENT%]         (one line with the above)
//	{ID} mapped:BYTES, map:DELTA/TOTAL, unmap:DELTA/TOTAL, mappings:N, maps:DELTA/TOTAL,
//	    unmaps:DELTA/TOTAL[ resident:BYTES/BYTES]           (one line; behind all of the above)
//	  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS]
//	  {FRAME} PATH:LINE in FUNCTION [LANGUAGE]            (of an interpreter's program)
//	  {FRAME} (NAME+0xOFFSET) [0xADDRESS]               (code made at run time, by a perf map)
//	{ID} live:BYTES, ... as above < FUNCTION < FUNCTION
//
// A stack is written once after each header. From then on its source's entry is one line, which
// ends in the callers. In format 1 the stack was repeated each time.
//
// A snapshot shows the sources that moved: whose counters changed since the run's last snapshot, or
// since its start. First come sources that hold memory, largest live first: shown=N are here,
// hidden=N are left out. Then come sources that hold nothing now, most churn since the last
// snapshot first. emptied= says how many of these are here, and how many there are. A snapshot of
// reason=exit also shows sources that hold memory and did not move. So if hidden=0 and the two
// numbers of emptied= are equal, a source that is not here is unchanged.
//
// Threads whose counters changed are shown, most churn first. ID is the kernel's. `ended` is the
// sum of all ended threads. `rest` is the sum of the threads that are not shown, and of counters
// that several threads share. The totals of all these lines add up to the summary's, and their
// deltas to those of the entries. An entry's by: names the thread that has allocated more than half
// of the entry's bytes.
//
// In the lines time= and memory, a field that is missing is 0, or follows from others. free= is then
// alloc - live, hwm= is rss, and map= is mapped. A peak without a date has the snapshot's own. Up to
// format 4 these stood there, and the fields of memory in the line time=.
//
// An empty line precedes each {ID} with a stack, each group of {ID}s without stacks, and a snapshot
// that follows comments. An empty line also ends each snapshot: a snapshot without it was cut off.
// A header that does not begin its file has an empty line before it. That line also ends a line
// that a killed process left unfinished.
//
// ID is 16 hexadecimal digits, a hash of module names and offsets. `other` is the sum of
// allocations without a source of their own. `inherited`, in a fork's child, is the sum over the
// sources that the child inherited and has not allocated from since. `rest` is the sum over all
// others that are not shown. rss is the process's resident memory, and file the part of rss in
// pages of files and of shared memory. outside is rss - live, and malloc is live's share of rss. If
// live is larger than rss, they are 0 and 100: not all of live was touched, or is resident. TIME is
// ISO 8601 in UTC with milliseconds. BYTES are what the program asked for. A DELTA counts from the
// previous snapshot of this run, or from its start. ADDRESS is a return address. In frame 0 it is
// the entry of the hook that was called. Bytes of a name outside 0x20..0x7e, and the backslash, are
// written \xHH. A `moved` ADDRESS now belongs to another function than the one that named earlier
// frames there. These frames have no name any more.

#ifndef PMEM_FORMAT_H
#define PMEM_FORMAT_H

#define FORMAT_VERSION 5
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
// Each of these follows FORMAT_NOTE. FORMAT_UNWRITTEN tells that nothing can be written since a
// time. FORMAT_WRITTEN tells that nothing could be written between two times.
#define FORMAT_UNWRITTEN "nothing can be written since "
#define FORMAT_WRITTEN "nothing could be written from "
// FORMAT_PAST follows FORMAT_NOTE, too. The objects whose calls bypass the library are listed
// between FORMAT_PAST and FORMAT_PAST_END.
#define FORMAT_PAST "these call malloc and free past the library: "
#define FORMAT_PAST_END "; what they allocate is not recorded"
// Begins a note that new stacks are shortened, because the table of sources fills. A later note of
// this kind in the same run replaces it.
#define FORMAT_CALLERS "CALLERS ARE MISSING from here on: "
#define FORMAT_MAP "# map "
#define FORMAT_MOVED "# moved "
// 57 characters `=`, as in the first pmem.
#define FORMAT_RULE "========================================================="
#define FORMAT_OTHER "other"
#define FORMAT_INHERITED "inherited"
#define FORMAT_REST "rest"
#define FORMAT_MEMORY "memory" // fields of the line follow
#define FORMAT_THREAD "thread "
#define FORMAT_ENDED "ended"
#define FORMAT_LABEL_LINE "label "
#define FORMAT_BY " by:"
// Follows FORMAT_BY if blocks of the source may be freed without the library's seeing it.
#define FORMAT_UNSEEN " unseen"
#define FORMAT_RESIDENT " resident:" // follows the counts of mapped memory
// FORMAT_LABEL precedes the label of a snapshot that the program asked for. FORMAT_LABEL_BYTES is
// the most bytes of a label before it is escaped.
#define FORMAT_LABEL " label="
#define FORMAT_LABEL_BYTES 100
// Separates the callers at the end of an entry.
#define FORMAT_FROM " < "
// Ends a name that is cut.
#define FORMAT_CUT "..."

#endif
