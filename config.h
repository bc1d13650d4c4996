// SPDX-License-Identifier: BSD-2-Clause
// pmem's knobs. Edit, then run ./compile.sh; or set one for a single build:
// CFLAGS=-DPMEM_CHURN_THRESH=65536 ./compile.sh
// A value that cannot work stops the build with a sentence that says why.

#ifndef PMEM_CONFIG_H
#define PMEM_CONFIG_H

// --- What to record ---

// The programs that are recorded, with blanks or commas between: "redis-server nginx". A program is
// named by its file, link or script, without a folder. "" = all. All other programs run as without
// the library. So a preload for a whole service need not log its shell scripts.
#ifndef PMEM_PROGRAMS
#define PMEM_PROGRAMS ""
#endif

// How many distinct stacks have counters of their own, {other} included: a power of two, 2 to
// 1048576. When the table is full, further stacks are counted together under {other}. Once the
// table is half full, new stacks are told apart by fewer of their frames, at last by 4. For new
// stacks with lines of Python, Ruby, Java or PHP this begins earlier. Once the table is three
// eighths full, they are told apart by their lines alone. Once it is half full, they are told apart
// by their innermost line alone. A stack of a Python import has two lines, and one once the table
// is an eighth full. A source is a distinct stack with its counters. Memory for each source: about
// 150 bytes in the tables, and 32 in each thread that allocates or frees the source's blocks.
// Counters that do not fit into a thread's slot (PMEM_THREADS) lie in memory that all threads
// share. That memory takes at most 4 * 32 bytes for each source, mapped as it is used. When that
// memory is full, threads count together in one shared slot.
#ifndef PMEM_SOURCES
#define PMEM_SOURCES 65536
#endif

// 0 = every block is recorded. Otherwise, on average, one block is recorded for each
// PMEM_SAMPLE_BYTES requested bytes; at most 1 GiB. Each requested byte has the same chance. A
// block of s bytes is chosen with probability 1 - exp(-s / PMEM_SAMPLE_BYTES). Other blocks have no
// stack and no tag. So the counters of sources are estimates. An estimate of b bytes is wrong by
// about the square root of b * PMEM_SAMPLE_BYTES. The churn that is compared with PMEM_CHURN_THRESH
// is estimated, too. Higher: cheaper and less exact; 512 KiB costs next to nothing.
#ifndef PMEM_SAMPLE_BYTES
#define PMEM_SAMPLE_BYTES 0
#endif

// Which blocks are chosen if not all are recorded. 0 = other blocks in each run. Any other number
// is for tests. If the program then allocates in the same way in two runs, the same blocks are
// chosen.
#ifndef PMEM_SAMPLE_SEED
#define PMEM_SAMPLE_SEED 0
#endif

// Bytes of the table that has the tags of large blocks. A block's tag says which source allocated
// the block, and how many bytes. On glibc, blocks of 64 KiB or more are large. On other allocators,
// blocks of 505 bytes or more are large, and some aligned ones. Without the table (0), and while
// the table is full, a large block has its tag at its own end. Then 8 more bytes are requested for
// it. Memory: 8 bytes for each 512 bytes of large blocks, mapped as it is used. The default is
// enough for 8 GiB of large blocks.
#ifndef PMEM_TAG_TABLE_BYTES
#define PMEM_TAG_TABLE_BYTES (128 << 20)
#endif

// How many innermost frames are kept for a stack, 2 to 256. Deeper stacks are cut at the outer end.
// Memory: 8 bytes for each frame of each source. During an allocation, 8 bytes for each frame on
// the calling thread's own stack.
#ifndef PMEM_FRAMES
#define PMEM_FRAMES 64
#endif

// How many lines of Python, Ruby, Java or PHP are kept for a stack, innermost first, 0 to 64. The
// lines replace all frames outwards of the interpreter's loop. Stacks with different lines are
// different sources. 0 = none. Higher: more sources, and each allocation in such a process takes
// about 4 ns longer for each line.
#ifndef PMEM_LANGUAGE_FRAMES
#define PMEM_LANGUAGE_FRAMES 8
#endif

// Slots, each with the counters of one thread, 2 to 4096. All further threads share the last slot,
// with atomic instructions: slower, but as exact. There are only as many slots as threads ever ran
// at the same time. Memory for each slot: 64 KiB for counters of about 860 sources, and at most 142
// KiB for the thread's last stacks. A thread that does little touches about 36 KiB of that memory.
#ifndef PMEM_THREADS
#define PMEM_THREADS 1024
#endif

// How many ELF objects (programs and shared libraries) can be named at a time, 16 to 32767. An
// object is named while it is loaded, and then while it is in the stack of a live block. Frames in
// further objects show only their address. Memory: 300 bytes each, touched as used.
#ifndef PMEM_MODULES
#define PMEM_MODULES 1024
#endif

// How many program counters keep the name of their function, a power of two, 1024 to 16777216.
// Further program counters show module and offset. Memory: 16 bytes each, and 32 of text.
#ifndef PMEM_SYMBOLS
#define PMEM_SYMBOLS 65536
#endif

// How many pieces of code made at run time, as by V8, are kept, 1024 to 16777216. As many addresses
// can have names. The names come from /tmp/perf-PID.map or a jitdump. If the file has more pieces,
// the last ones are kept. Further addresses have no name. Memory: 24 bytes a piece, 44 an address,
// and 32 of text, touched as used. Time: about 50 us for each new address, if PMEM_CODE pieces must
// be searched.
#ifndef PMEM_CODE
#define PMEM_CODE 65536
#endif

// --- When to write ---

// Bytes allocated plus bytes freed after which a snapshot is written, at least 1. If blocks are
// sampled, the default is 16 * PMEM_SAMPLE_BYTES more. Lower: finer history, more snapshots.
#ifndef PMEM_CHURN_THRESH
#define PMEM_CHURN_THRESH ((1UL << 20) + 16UL * (PMEM_SAMPLE_BYTES))
#endif

// How many hours back the log reaches, a year at most. This sets a rate that holds once the
// allowance of PMEM_LOG_BEGIN_BYTES is spent. The log then grows so slowly that its disk space
// (PMEM_LOG_MAX_BYTES, PMEM_LOG_KEEP) lasts for these hours. 0 = no rate: every crossing of
// PMEM_CHURN_THRESH writes a snapshot. Higher: fewer snapshots.
#ifndef PMEM_LOG_HOURS
#define PMEM_LOG_HOURS 24
#endif

// An allowance: bytes of its log that a process may write faster than the rate of PMEM_LOG_HOURS.
// The allowance is at most half of PMEM_LOG_KEEP * PMEM_LOG_MAX_BYTES; if PMEM_LOG_KEEP is 0, at
// most a quarter of PMEM_LOG_MAX_BYTES. PMEM_LOG_FIRST_BYTES of the allowance may be written at
// once, and all of it after half an hour. In between, the part that may be written grows evenly. So
// a short process leaves little, and a long one does not spend its whole allowance at its start.
// Each snapshot spends the bytes that it has. While the log grows more slowly than the rate, spent
// bytes come back.
//
// Once a 16th of the bytes allowed so far is spent, a snapshot comes only after a pause. The pause
// is 20 times as long as a snapshot takes, by the median of the last three. Once a 16th of the
// whole allowance is spent, it is also at least a 32nd of the process's age. In a snapshot, the
// sources take at most a 32nd of the bytes allowed so far. In the process's last snapshot, they
// take at most a quarter. Sources that hold most memory come first. A forked child has a quarter of
// the allowance. Higher: a finer history of a process's start, and of a quiet process that becomes
// busy.
#ifndef PMEM_LOG_BEGIN_BYTES
#define PMEM_LOG_BEGIN_BYTES (8UL << 20)
#endif

// How many bytes of the allowance PMEM_LOG_BEGIN_BYTES a process may write as soon as it starts. A
// snapshot's sources may take at least half of these bytes. The exception is a snapshot that is
// written although all bytes allowed so far are spent. Its sources may take an eighth. Higher: more
// sources in the first snapshots, and larger logs of short processes.
#ifndef PMEM_LOG_FIRST_BYTES
#define PMEM_LOG_FIRST_BYTES (64UL << 10)
#endif

// 1 = a last snapshot at exit, with every source that still holds memory. 0 = none.
#ifndef PMEM_SNAPSHOT_AT_EXIT
#define PMEM_SNAPSHOT_AT_EXIT 1
#endif

// Bytes of churn from which a process without a snapshot writes one at exit. A process with less
// churn in its whole life leaves no file. The exception is a process whose resident memory exceeds
// its live blocks by 64 MiB. 0 = each process that allocated leaves a file. Higher: fewer files of
// short commands, and no record of what these leak.
#ifndef PMEM_EXIT_MIN_CHURN
#define PMEM_EXIT_MIN_CHURN PMEM_CHURN_THRESH
#endif

// Milliseconds for which a forked child writes no snapshot, unless one is asked for; an hour at
// most. 0 = it need not wait. Higher: fewer files of short children.
#ifndef PMEM_CHILD_MS
#define PMEM_CHILD_MS 1000
#endif

// Milliseconds after the last snapshot at which another is due, even if PMEM_CHURN_THRESH is not
// reached. So a process that does little is shown, too. A thread looks at the clock when it has
// allocated and freed another 256 bytes. If the churn of all threads since the last snapshot is
// more than 4 KiB, the thread may look later. It then looks after a 16th of that churn, at most
// after a 64th of PMEM_CHURN_THRESH. Nothing is written while the rate of PMEM_LOG_HOURS is used
// up. 0 = no such snapshots.
#ifndef PMEM_LOOK_MS
#define PMEM_LOOK_MS 30000
#endif

// A signal that asks for a snapshot: its handler sets a flag, and the next allocation or free
// writes. 0 = none. If the signal has another action than the default when the library starts, the
// library leaves it alone.
#ifndef PMEM_SNAPSHOT_SIGNAL
#define PMEM_SNAPSHOT_SIGNAL 0
#endif

// New function names looked up for one snapshot, at least 1. This bounds how long the thread that
// writes is stopped. The other functions show module and offset until a later snapshot looks them
// up.
#ifndef PMEM_SYMBOLS_PER_SNAPSHOT
#define PMEM_SYMBOLS_PER_SNAPSHOT 4096
#endif

// Bytes of a perf map read for one snapshot, 64 KiB to 1 GiB. For the process's last snapshot, 16
// times as many are read. Higher: the thread that writes is stopped for longer if the program has
// made much code since the snapshot before.
#ifndef PMEM_CODE_MAP_BYTES
#define PMEM_CODE_MAP_BYTES (1UL << 20)
#endif

// --- Where to write, and how much ---

// How many sources that hold memory a snapshot shows, at least 1. A source is shown only if it
// changed since the snapshot before. The order is by live memory, largest first. All other sources
// are summed up. The process's last snapshot shows all sources that hold memory. Higher: longer
// snapshots.
#ifndef PMEM_SHOW
#define PMEM_SHOW 100
#endif

// How many sources of a snapshot always have their whole stacks, at least 0. This holds even if the
// log file already has these stacks. They are the first of the sources that PMEM_SHOW admits. Any
// other source whose stack is in the file is one line, which ends in the names of callers. Higher:
// longer snapshots.
#ifndef PMEM_SHOW_STACKS
#define PMEM_SHOW_STACKS 0
#endif

// How many sources that hold no memory a snapshot shows, at least 0. A source is shown only if it
// changed since the snapshot before. The order is by churn since then, largest first. If a snapshot
// shows all changed sources, a reader knows what each source holds. Higher: longer snapshots.
#ifndef PMEM_SHOW_EMPTY
#define PMEM_SHOW_EMPTY 25
#endif

// How many threads a snapshot shows, 0 to 4096. A thread is shown only if it allocated or freed
// since the snapshot before. The order is by churn since then, largest first. All other threads are
// summed up. Higher: longer snapshots, and six system calls for each thread's name.
#ifndef PMEM_SHOW_THREADS
#define PMEM_SHOW_THREADS 16
#endif

// When the log has grown to this many bytes, it is rotated: pmem.<pid>.log becomes
// pmem.<pid>.log.1. At least 65536; 0 = no limit.
#ifndef PMEM_LOG_MAX_BYTES
#define PMEM_LOG_MAX_BYTES (64UL << 20)
#endif

// Rotated logs kept beside the current one, 0 to 99 (0: the old one is deleted). Disk: at
// most (PMEM_LOG_KEEP + 1) * PMEM_LOG_MAX_BYTES a process.
#ifndef PMEM_LOG_KEEP
#define PMEM_LOG_KEEP 1
#endif

// An absolute path: where the log goes if it cannot be written in the directory where the program
// was started. "" = nowhere.
#ifndef PMEM_LOG_FALLBACK_DIR
#define PMEM_LOG_FALLBACK_DIR "/tmp"
#endif

// What the log says of the program's command line, in the line `# command`. 1 = all of it, as `ps`
// shows it, with any passwords. 0 = the program alone, which is the first argument. Of a title
// written over the arguments, or of a lone argument, it is the first word. Then a reader cannot
// tell processes of one interpreter apart, such as app.py from job.py.
#ifndef PMEM_LOG_COMMAND
#define PMEM_LOG_COMMAND 1
#endif

// Upper limit of the bytes that all logs in one folder, pmem.*.log*, take together. The limit is at
// least 1 MiB; 0 = no limit. A process's log and its rotated logs take at most a 64th of the bytes
// left below this limit. So the log is rotated early. If nearly nothing is left, no process begins
// another log in the folder. No log of another process is deleted. The folder is searched each time
// a log grows by an 8192nd of this limit.
#ifndef PMEM_LOG_FOLDER_BYTES
#define PMEM_LOG_FOLDER_BYTES (8UL << 30)
#endif

// How many logs one folder may have, pmem.*.log*, 1 to 20000; 0 = no limit. If a folder has this
// many logs, only a process that has run for a minute begins another there. Nothing is deleted. The
// limit bounds what a server's short commands leave. Each process that begins a log searches the
// folder once to count the logs.
#ifndef PMEM_LOG_FILES
#define PMEM_LOG_FILES 1000
#endif

// --- How to take stacks ---

// For tests. 1 = every stack is taken twice, by the unwinder and by backtrace(), and the log counts
// differences. This is many times slower. 0 = once.
#ifndef PMEM_ORACLE
#define PMEM_ORACLE 0
#endif

// For tests. 1 = the library checks its assumptions as it runs, and counts failures as the loss
// checks_failed. This is slower. 0 = it does not check.
#ifndef PMEM_CHECK
#define PMEM_CHECK 0
#endif

#endif
