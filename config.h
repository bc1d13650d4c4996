// SPDX-License-Identifier: BSD-2-Clause
// pmem's knobs. Edit, then run ./compile.sh; or set one for a single build:
// CFLAGS=-DPMEM_CHURN_THRESH=65536 ./compile.sh
// A value that cannot work stops the build with a sentence that says why.

#ifndef PMEM_CONFIG_H
#define PMEM_CONFIG_H

// --- What to record ---

// The programs that are recorded, with blanks or commas between: "redis-server nginx". A program is
// named by its file, link or script, without a folder. "" = all. Others run as without us, so a
// preload for a whole service need not log its shell scripts.
#ifndef PMEM_PROGRAMS
#define PMEM_PROGRAMS ""
#endif

// Distinct stacks that can be told apart, and one for {other}, a power of two, 2 to 1048576. When
// the table is full, further stacks are counted together under {other}. From half full on, fewer
// and fewer frames of a new stack count, down to 4. Of a Python, Ruby or Java stack only the lines
// count from three eighths on, and the innermost line from half full on. Memory: about 150 bytes a
// source in the tables, and 32 for each thread that uses it. For all threads together, what exceeds
// their slots is at most four times 32 for each source. It is mapped as it is used. Counts that
// have no room then go to the shared slot.
#ifndef PMEM_SOURCES
#define PMEM_SOURCES 65536
#endif

// 0 = every block is recorded. Otherwise one block is recorded in so many bytes on average, up to 1
// GiB. Each byte that is asked for has the same chance. A block of s bytes is chosen with
// probability 1 - exp(-s / PMEM_SAMPLE_BYTES). Other blocks have no stack and no tag, and the
// counters of sources are estimates. For b bytes the error is about the square root of b *
// PMEM_SAMPLE_BYTES. Snapshots come by estimated churn. Higher: cheaper and less exact; 512 KiB
// costs next to nothing.
#ifndef PMEM_SAMPLE_BYTES
#define PMEM_SAMPLE_BYTES 0
#endif

// Which blocks are chosen: 0 = other blocks in each run. Otherwise the same in each run, as far as
// the program does the same: for tests.
#ifndef PMEM_SAMPLE_SEED
#define PMEM_SAMPLE_SEED 0
#endif

// Bytes of the table that has the tags of large blocks. These are 64 KiB or more on glibc, and 505
// bytes or more, and some aligned ones, on other allocators. 0 = no table: 8 more bytes are asked
// for with each block. The same is done while the table is full. Memory: 8 bytes for each 512 of
// such a heap, mapped as it is used. The default is enough for 8 GiB of heap.
#ifndef PMEM_TAG_TABLE_BYTES
#define PMEM_TAG_TABLE_BYTES (128 << 20)
#endif

// Innermost frames kept of a stack, 2 to 256. Deeper stacks are cut at the outer end.
// Memory: 8 bytes a frame of each source, and of a thread's own stack during a call.
#ifndef PMEM_FRAMES
#define PMEM_FRAMES 64
#endif

// Innermost lines of the program's own code kept of a stack, 0 to 64, in a Python, Ruby or Java
// process. They replace the interpreter's own frames outwards of its loop, and tell sources apart.
// 0 = none. Higher: more sources, and about 4 ns for each line and allocation in such a process.
#ifndef PMEM_LANGUAGE_FRAMES
#define PMEM_LANGUAGE_FRAMES 8
#endif

// Slots in which threads count, 2 to 4096: one for each thread. The last one is for all further
// threads, with atomic instructions: slower, but as exact. Memory: for as many threads as there
// were at a time, 64 KiB each for counters of about 860 sources. At most 142 KiB each are for the
// thread's last stacks. A thread that does little touches about 36 KiB of both.
#ifndef PMEM_THREADS
#define PMEM_THREADS 1024
#endif

// ELF objects (programs and shared libraries) that can be named at a time, 16 to 32767. These are
// the loaded ones, and unloaded ones that still have memory. Frames in further objects show only
// their address. Memory: 300 bytes each, touched as used.
#ifndef PMEM_MODULES
#define PMEM_MODULES 1024
#endif

// Program counters whose function name is kept, a power of two, 1024 to 16777216. Further ones show
// module and offset. Memory: 16 bytes each, and 32 of text.
#ifndef PMEM_SYMBOLS
#define PMEM_SYMBOLS 65536
#endif

// Pieces of code made at run time, as by V8, and places in them, that have names; 1024 to 16777216.
// The names come from /tmp/perf-PID.map or a jitdump. Of more pieces the last ones are known;
// further places show only their address. Memory: 24 bytes a piece, 44 a place, and 32 of text,
// touched as used. Time: about 50 us for each new place, to search so many pieces.
#ifndef PMEM_CODE
#define PMEM_CODE 65536
#endif

// --- When to write ---

// Bytes allocated plus bytes freed after which a snapshot is written, at least 1. If blocks are
// sampled, the default is a few samples more. Lower: finer history, more snapshots.
#ifndef PMEM_CHURN_THRESH
#define PMEM_CHURN_THRESH ((1UL << 20) + 16UL * (PMEM_SAMPLE_BYTES))
#endif

// Hours back that the log reaches, a year at most. After its beginning, a process writes no more
// snapshots than its disk below has room for in that time. 0 = every crossing of the threshold
// writes one. Higher: fewer snapshots.
#ifndef PMEM_LOG_HOURS
#define PMEM_LOG_HOURS 24
#endif

// The beginning: bytes of log beyond that rate, at most half of the disk below. A process gets them
// as it ages, and has all of them at half an hour. So a short process leaves little, and the
// beginning of a long one lasts. Once a 16th of what it has got is spent, a snapshot waits: for 20
// times the median duration of the last three. Once a 16th of all is spent, it waits for a 32nd of
// the process's age. A snapshot's sources take at most a 32nd of what the process has got, the last
// one's a quarter. Sources that hold most come first. While the rate is not used up, spent bytes
// come back. A forked child has a quarter of all this. Higher: a finer beginning, and a finer
// history when a quiet process becomes busy.
#ifndef PMEM_LOG_BEGIN_BYTES
#define PMEM_LOG_BEGIN_BYTES (8UL << 20)
#endif

// Bytes of the beginning that a process has at once. Half of them is always room for a snapshot's
// sources. Higher: more sources in the first snapshots, and larger logs of short processes.
#ifndef PMEM_LOG_FIRST_BYTES
#define PMEM_LOG_FIRST_BYTES (64UL << 10)
#endif

// 1 = a last snapshot at exit, with every source that still holds memory. 0 = none.
#ifndef PMEM_SNAPSHOT_AT_EXIT
#define PMEM_SNAPSHOT_AT_EXIT 1
#endif

// Bytes of churn, in its whole life, that a process needs to write its first snapshot at exit.
// Below that it leaves no file, unless it has 64 MiB of memory that are not its blocks. 0 = each
// process that allocated leaves one. Higher: fewer files of short commands, and no record of what
// these leak.
#ifndef PMEM_EXIT_MIN_CHURN
#define PMEM_EXIT_MIN_CHURN PMEM_CHURN_THRESH
#endif

// Milliseconds for which a forked child must have run before it writes anything, an hour at
// most; 0 = none. Higher: fewer files of short children.
#ifndef PMEM_CHILD_MS
#define PMEM_CHILD_MS 1000
#endif

// Milliseconds without a snapshot. After them the next 256 bytes that a thread allocates and frees
// write one, if the rate has room. So a process that does little is shown, too. If more than 4 KiB
// have come since the last one, more may be needed: a 16th of them, at most a 64th of
// PMEM_CHURN_THRESH. 0 = none.
#ifndef PMEM_LOOK_MS
#define PMEM_LOOK_MS 30000
#endif

// A signal that asks for a snapshot: its handler sets a flag, and the next allocation or free
// writes. 0 = none. If the program has a handler of its own by then, the signal is not taken.
#ifndef PMEM_SNAPSHOT_SIGNAL
#define PMEM_SNAPSHOT_SIGNAL 0
#endif

// New function names looked up for one snapshot, at least 1. It bounds how long the thread that
// writes is stopped. The other functions show module and offset, and are looked up later.
#ifndef PMEM_SYMBOLS_PER_SNAPSHOT
#define PMEM_SYMBOLS_PER_SNAPSHOT 4096
#endif

// Bytes of a perf map read for one snapshot, 64 KiB to 1 GiB; 16 times as many for the last one.
// Higher: the thread that writes is stopped for longer if a program has made much code since.
#ifndef PMEM_CODE_MAP_BYTES
#define PMEM_CODE_MAP_BYTES (1UL << 20)
#endif

// --- Where to write, and how much ---

// Sources shown in a snapshot, of those that hold memory and moved: largest live first, at least 1.
// The rest are summed up. The last snapshot shows all that hold memory. Higher: longer snapshots.
#ifndef PMEM_SHOW
#define PMEM_SHOW 100
#endif

// How many of these are shown with their whole stacks though the file already has them; at least 0.
// The entries of the others are one line, which ends in their callers. Higher: longer snapshots.
#ifndef PMEM_SHOW_STACKS
#define PMEM_SHOW_STACKS 0
#endif

// Sources shown after them, of those that moved and hold nothing now, at least 0. Most churn since
// the last snapshot comes first. If all of them are shown, and all that hold memory, a reader knows
// what each source holds. Higher: longer snapshots.
#ifndef PMEM_SHOW_EMPTY
#define PMEM_SHOW_EMPTY 25
#endif

// Threads shown in a snapshot, of those that moved, 0 to 4096. Most churn since the last snapshot
// comes first. The rest are summed up. Higher: longer snapshots, and six system calls for each
// name.
#ifndef PMEM_SHOW_THREADS
#define PMEM_SHOW_THREADS 16
#endif

// Bytes at which pmem.<pid>.log becomes pmem.<pid>.log.1, at least 65536; 0 = no limit.
#ifndef PMEM_LOG_MAX_BYTES
#define PMEM_LOG_MAX_BYTES (64UL << 20)
#endif

// Rotated logs kept beside the current one, 0 to 99 (0: the old one is deleted). Disk: at
// most (PMEM_LOG_KEEP + 1) * PMEM_LOG_MAX_BYTES a process.
#ifndef PMEM_LOG_KEEP
#define PMEM_LOG_KEEP 1
#endif

// An absolute path: where the log goes if the directory in which the program was started cannot be
// written. "" = nowhere.
#ifndef PMEM_LOG_FALLBACK_DIR
#define PMEM_LOG_FALLBACK_DIR "/tmp"
#endif

// Bytes that the logs in one folder, pmem.*.log*, take at most, at least 1 MiB; 0 = no limit. Each
// log takes at most a 64th of what the others leave, and is rotated before that. If nearly nothing
// is left, no process begins another. No log of another process is deleted. The folder is searched
// each time a log grows by an 8192nd of this.
#ifndef PMEM_LOG_FOLDER_BYTES
#define PMEM_LOG_FOLDER_BYTES (8UL << 30)
#endif

// Logs in one folder, pmem.*.log*, 1 to 20000; 0 = no limit. If there are so many, only processes
// that have run for a minute begin another there. Nothing is deleted. It bounds what a server's
// short commands leave. Each process that begins a log searches the folder once for it.
#ifndef PMEM_LOG_FILES
#define PMEM_LOG_FILES 1000
#endif

// --- How to take stacks ---

// 1 = every stack is taken twice, by the unwinder and by backtrace(), and the log counts
// differences: for tests, many times slower. 0 = once.
#ifndef PMEM_ORACLE
#define PMEM_ORACLE 0
#endif

// 1 = the library checks its assumptions as it runs, and counts failures in the log's losses, as
// checks_failed: for tests, slower. 0 = it does not.
#ifndef PMEM_CHECK
#define PMEM_CHECK 0
#endif

#endif
