// SPDX-License-Identifier: BSD-2-Clause
// pmem's knobs. Edit, then run ./compile.sh; or set one for a single build:
// CFLAGS=-DPMEM_CHURN_THRESH=65536 ./compile.sh
// A value that cannot work stops the build with a sentence that says why.

#ifndef PMEM_CONFIG_H
#define PMEM_CONFIG_H

// --- What to record ---

// The programs that are recorded, by the names of their files, or links or scripts, without a
// folder, and with blanks or commas between: "redis-server nginx". "" = all. Others run as
// without us: so a preload for a whole service need not log its shell scripts.
#ifndef PMEM_PROGRAMS
#define PMEM_PROGRAMS ""
#endif

// Distinct stacks that can be told apart, and one for {other}, under which what comes after the
// table is full is counted together: a power of two, 2 to 1048576. From half full on new stacks
// are told apart by ever fewer of their frames and lines, 4 frames in the end. Memory: about 150
// bytes a source in the tables, and 32 for each thread that comes to it: for all threads beyond
// what comes with their slots at most four times for each source, mapped as it is used. What has
// no room then is counted in the shared slot.
#ifndef PMEM_SOURCES
#define PMEM_SOURCES 65536
#endif

// 0 = every block is recorded. Else one in so many bytes is, on an average, up to 1 GiB: each
// byte that is asked for has the same chance, by which a block of s bytes is chosen with one of
// 1 - exp(-s / PMEM_SAMPLE_BYTES). All others have no stack and no tag, and what sources have is
// estimated: of b bytes, to about the square root of b * PMEM_SAMPLE_BYTES. Snapshots come by
// estimated churn. Higher: cheaper, and rougher; 512 KiB costs next to nothing.
#ifndef PMEM_SAMPLE_BYTES
#define PMEM_SAMPLE_BYTES 0
#endif

// What is chosen: 0 = other blocks in each run. Else the same in each, as far as the program does
// the same: for tests.
#ifndef PMEM_SAMPLE_SEED
#define PMEM_SAMPLE_SEED 0
#endif

// Bytes of the table that has the tags of large blocks: of 64 KiB and more on glibc, of 505 bytes and
// more, and some aligned ones, on other allocators. 0 = no table: each block is asked for with 8 bytes
// more, and so are those that come when the table is full. Memory: 8 bytes for each 512 of such a heap,
// mapped as it is used. The default is enough for 8 GiB of heap.
#ifndef PMEM_TAG_TABLE_BYTES
#define PMEM_TAG_TABLE_BYTES (128 << 20)
#endif

// Innermost frames kept of a stack, 2 to 256. Deeper stacks are cut at the outer end.
// Memory: 8 bytes a frame of each source, and of a thread's own stack during a call.
#ifndef PMEM_FRAMES
#define PMEM_FRAMES 64
#endif

// Innermost lines of the program's own code kept of a stack, 0 to 64, in a Python, Ruby or Java process:
// they stand for the interpreter's own frames outwards of its loop, and tell sources apart; 0 = none.
// Higher: more sources, and some 4 ns for each line and allocation there.
#ifndef PMEM_LANGUAGE_FRAMES
#define PMEM_LANGUAGE_FRAMES 8
#endif

// Slots in which threads count, 2 to 4096: one each, and the last for all threads beyond, with
// atomic instructions: slower, as exact. Memory: for as many threads as there were at a time,
// 64 KiB each, with counters for some 860 sources, and at most 142 for the thread's last
// stacks; of both some 36 are touched by a thread that does little.
#ifndef PMEM_THREADS
#define PMEM_THREADS 1024
#endif

// ELF objects (programs and shared libraries) that can be named at a time: those that are
// loaded, and those that are gone but have memory left; 16 to 32767. Frames of those beyond
// show their address alone. Memory: 300 bytes each, touched as used.
#ifndef PMEM_MODULES
#define PMEM_MODULES 1024
#endif

// Program counters whose function name is kept, a power of two, 1024 to 16777216. Those
// beyond show module and offset. Memory: 16 bytes each, and 32 of text.
#ifndef PMEM_SYMBOLS
#define PMEM_SYMBOLS 65536
#endif

// Pieces of code made at run time, as by V8, and places in them, that are known by name, 1024 to
// 16777216: where /tmp/perf-PID.map or a jitdump tells of it. Of more pieces the last ones are
// known; places beyond show their address alone. Memory: 24 bytes a piece, 44 a place, and 32
// of text, touched as used. Time: some 50 us for each new place, to look through so many pieces.
#ifndef PMEM_CODE
#define PMEM_CODE 65536
#endif

// --- When to write ---

// Bytes allocated plus bytes freed after which a snapshot is written, at least 1; by default some
// samples more where blocks are sampled. Lower: finer history, more snapshots.
#ifndef PMEM_CHURN_THRESH
#define PMEM_CHURN_THRESH ((1UL << 20) + 16UL * (PMEM_SAMPLE_BYTES))
#endif

// Hours back that the log reaches, a year at most: once it has its beginning, a process writes
// no more snapshots than its disk below has room for in that time. 0 = every crossing of the
// threshold writes one. Higher: fewer snapshots.
#ifndef PMEM_LOG_HOURS
#define PMEM_LOG_HOURS 24
#endif

// The beginning: bytes of log beyond that rate, of the disk below at most half. A process has
// them as it ages, all of them at half an hour: so a short one leaves little, and the beginning
// of a long one lasts. Once a 16th of what the process has had is spent, a snapshot waits for 20
// times what the middle one of the last three took; once a 16th of all is, for a 32nd of the
// process's age. Its sources take at most a 32nd of what the process has had so far, in the last one
// a quarter, those that hold most first.
// What is not used up comes back at the rate. A forked child has a quarter of it. Higher: a finer
// beginning, and a finer history when a quiet process becomes busy.
#ifndef PMEM_LOG_BEGIN_BYTES
#define PMEM_LOG_BEGIN_BYTES (8UL << 20)
#endif

// Bytes of these that a process has at once; half of them is room for a snapshot's sources in any
// case. Higher: more sources in the first snapshots, and larger logs of short processes.
#ifndef PMEM_LOG_FIRST_BYTES
#define PMEM_LOG_FIRST_BYTES (64UL << 10)
#endif

// 1 = a last snapshot at exit, with every source that still holds memory. 0 = none.
#ifndef PMEM_SNAPSHOT_AT_EXIT
#define PMEM_SNAPSHOT_AT_EXIT 1
#endif

// Bytes of churn in its whole life below which a process that has written no snapshot leaves
// none at exit either: no file, unless it has 64 MiB of memory that are not its blocks; 0 =
// whoever allocated leaves one. Higher: fewer files of short commands, and nothing of what
// these leak.
#ifndef PMEM_EXIT_MIN_CHURN
#define PMEM_EXIT_MIN_CHURN PMEM_CHURN_THRESH
#endif

// Milliseconds for which a forked child must have run before it writes anything, an hour at
// most; 0 = none. Higher: fewer files of short children.
#ifndef PMEM_CHILD_MS
#define PMEM_CHILD_MS 1000
#endif

// Milliseconds without a snapshot after which the next 256 bytes that a thread allocates and
// frees write one, if the rate has room: so a process that does little has its words, too. Where
// more than 4 KiB have come since the last one, it may take a 16th of that, at most a 64th
// of PMEM_CHURN_THRESH. 0 = none.
#ifndef PMEM_LOOK_MS
#define PMEM_LOOK_MS 30000
#endif

// A signal that asks for a snapshot: its handler sets a flag, the next allocation or free
// writes. 0 = none. It is not taken when the program has a handler of its own by then.
#ifndef PMEM_SNAPSHOT_SIGNAL
#define PMEM_SNAPSHOT_SIGNAL 0
#endif

// New function names looked up for one snapshot, at least 1: it bounds how long the thread
// that writes stands still. The rest show module and offset, and have their turn later.
#ifndef PMEM_SYMBOLS_PER_SNAPSHOT
#define PMEM_SYMBOLS_PER_SNAPSHOT 4096
#endif

// Bytes of that map read for one snapshot, 64 KiB to 1 GiB; for the last one 16 times as many.
// Higher: the thread that writes stands still for longer where a program has made much code since.
#ifndef PMEM_CODE_MAP_BYTES
#define PMEM_CODE_MAP_BYTES (1UL << 20)
#endif

// --- Where to write, and how much ---

// Sources shown in a snapshot, of those that hold memory and moved: largest live first, at
// least 1; the rest are summed up. The last snapshot shows all that hold memory. Higher: longer
// snapshots.
#ifndef PMEM_SHOW
#define PMEM_SHOW 100
#endif

// Of these, how many come with their whole stacks though the file has told them; at least 0. The
// others' entries are one line, which ends in who called. Higher: longer snapshots.
#ifndef PMEM_SHOW_STACKS
#define PMEM_SHOW_STACKS 0
#endif

// Sources shown behind them, of those that moved and hold nothing now: most churn since the
// last snapshot first, at least 0. Where all of them are shown, and all that hold memory, a
// reader knows what each source holds. Higher: longer snapshots.
#ifndef PMEM_SHOW_EMPTY
#define PMEM_SHOW_EMPTY 25
#endif

// Threads shown in a snapshot, of those that moved: most churn since the last snapshot first, 0 to
// 4096; the rest are summed up. Higher: longer snapshots, and six system calls for each name.
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

// An absolute path: where the log goes when the directory the program was started in
// cannot be written. "" = nowhere.
#ifndef PMEM_LOG_FALLBACK_DIR
#define PMEM_LOG_FALLBACK_DIR "/tmp"
#endif

// Bytes that the logs in one folder, pmem.*.log*, take at most, at least 1 MiB; 0 = no limit. Each
// log takes at most a 64th of what the others leave, and is rotated before; where nearly nothing is
// left no process begins another. Nothing of others is deleted. Each step of an 8192nd that a log
// grows by looks through the folder.
#ifndef PMEM_LOG_FOLDER_BYTES
#define PMEM_LOG_FOLDER_BYTES (8UL << 30)
#endif

// Logs in one folder, pmem.*.log*, from which on only processes that have run for a minute begin
// another there, 1 to 20000; 0 = no limit. Nothing is deleted. It bounds what a server's short
// commands leave; each process that begins a log looks through the folder once for it.
#ifndef PMEM_LOG_FILES
#define PMEM_LOG_FILES 1000
#endif

// --- How to take stacks ---

// 1 = every stack is taken twice, by the unwinder and by backtrace(), and differences are
// counted in the log: for tests, many times slower. 0 = once.
#ifndef PMEM_ORACLE
#define PMEM_ORACLE 0
#endif

// 1 = the library tries what it relies on as it runs, and counts what does not hold in the log's
// losses, as checks_failed: for tests, slower. 0 = it does not.
#ifndef PMEM_CHECK
#define PMEM_CHECK 0
#endif

#endif
