// SPDX-License-Identifier: BSD-2-Clause
// pmem.h: what a program may say to pmem, and ask it, while it runs.
//
//	pmem_snapshot("after deploy");      // pmem report --at "after deploy" LOG
//
// Copy this header into your program. It needs nothing to link with: where libpmem.so is not
// preloaded each function answers PMEM_ABSENT, and costs a comparison. Each says what it cannot do
// by a negative number (enum pmem_answer), and never ends the program, raises an error, changes
// errno, allocates, or takes a lock of anybody's.
//
// From other languages call the functions by their names: `ctypes.CDLL(None).pmem_snapshot` in
// Python, `Fiddle::Handle::DEFAULT["pmem_snapshot"]` in Ruby. node can call no function of a
// library without an addon that is built for it: build pmem with PMEM_SNAPSHOT_SIGNAL there.
//
// Unless said otherwise any thread may call at any moment, in a signal handler, too: there the
// answer is PMEM_BUSY where the signal interrupted pmem itself.
//
// The library of the Persistent Memory Development Kit is called libpmem, too, and its functions
// pmem_*; it has none of these, and a program may have both.

#ifndef PMEM_H
#define PMEM_H

#ifdef __cplusplus
extern "C" {
#endif

enum pmem_answer {
	PMEM_ABSENT = -1,    // the library is not there
	PMEM_OFF = -2,       // it does not record: before it started, at the very end of exit(), or as
	                     // its log says
	PMEM_BUSY = -3,      // a handler that interrupted pmem; or others wrote for a second
	PMEM_VFORK = -4,     // a child of vfork() shares its parent's memory, and has no log
	PMEM_UNWRITTEN = -5, // no log could be written: disk, rights, a sandbox, too many logs
	PMEM_INVALID = -6,   // a label, number or pointer that cannot be meant
	PMEM_NO_ROOM = -7,   // there is no memory for it
	PMEM_NOT_PAUSED = -8,
};

// Bytes that a label may have: UTF-8, 1 byte at least, without control characters.
#define PMEM_LABEL_BYTES 100

// Counters of a source, a call stack that allocates, and under which label. Bytes are what was
// asked for; where the library samples (PMEM_SAMPLE_BYTES) all are estimates.
struct pmem_source {
	unsigned long long id;  // of the stack, as in the log; 0: all that has no source of its own
	long long live;         // bytes that are allocated and not yet freed
	long long blocks;       // that hold them
	unsigned long long alloc, allocs; // bytes and calls since the process began, or its
	unsigned long long free, frees;   // oldest ancestor that was forked from
	// The same since pmem_reset() was called last.
	unsigned long long alloc_since, allocs_since, free_since, frees_since;
	int depth; // frames of its stack
	int label; // the number of its label; 0: none
};

// What follows is how a program links without the library: by weak symbols. In a program that is
// not position-independent a linker takes these for 0 for good, unless the global offset table
// is asked.
#ifndef PMEM_IS_LIBRARY
#if defined(__x86_64__) && !defined(__ILP32__)
#define PMEM_FIND(name, found) \
	__asm__(".weak " #name "\n\tmovq " #name "@GOTPCREL(%%rip), %0" : "=r"(found))
#else
#define PMEM_FIND(name, found) (found = pmem_weak_##name)
#endif
#define PMEM_FUNCTION(result, name, parameters, arguments) \
	extern result pmem_weak_##name parameters __asm__(#name) __attribute__((weak)); \
	static inline result name parameters __asm__("here_" #name) \
		__attribute__((always_inline, unused)); \
	static inline result name parameters \
	{ \
		result(*found) parameters; \
		PMEM_FIND(name, found); \
		return found ? found arguments : (result)PMEM_ABSENT; \
	}
#else
#define PMEM_FUNCTION(result, name, parameters, arguments)
#endif

// Writes a snapshot now, which the log shows as `reason=asked label=...`: `pmem report --at`
// and `pmem diff --from --to` take the label. Returns its number, [N] in the log, from 0 on. Of
// several with a label the last is meant. It stands still meanwhile, as who writes one does: for
// 0.3 to 4 ms, and for a second at most where other threads write. The log's size stays bounded:
// who asks often has less history. In a child that was just forked it begins the log.
PMEM_FUNCTION(long, pmem_snapshot, (const char *label), (label))

// Counts anew from here: writes a snapshot (`reason=reset`), from which on `pmem report` counts
// growth, and the `_since` fields of pmem_source_at() count. Totals go on. Returns the snapshot's
// number; where that could not be written, nothing was changed.
PMEM_FUNCTION(long, pmem_reset, (void), ())

// From here on what the calling thread allocates is counted as one source, the stack of this
// call, and has no stack of its own: `pmem_pause < load_plugins < main`. All is counted as exactly
// as before, and freed blocks count where they were allocated, so nothing is lost but where
// exactly they came from; each call costs less. Pauses nest, and the first counts. Returns how
// many there are now, from 1 on.
PMEM_FUNCTION(int, pmem_pause, (void), ())

// Ends a pause of the calling thread. Returns how many are left, PMEM_NOT_PAUSED: there was none.
PMEM_FUNCTION(int, pmem_resume, (void), ())

// From here on what the calling thread allocates counts under this label, until it says another:
// what it works for, a tenant, a kind of request. NULL: none, as at a thread's start. `pmem report
// --by label` tells what is live of each, wherever and by whomever it is freed; stacks are as
// without labels. Says the label's number, from 1 on, the same each time; 0 for none. Of 256
// different ones the last answers PMEM_NO_ROOM, and then the thread has none. A pause goes on with
// the label that it began with. Costs a microsecond or two where it is another than before, since
// the next stack is taken from scratch; and a source more for each stack under each label, of which
// up to half of the table may be.
PMEM_FUNCTION(int, pmem_label, (const char *label), (label))

// The name of a label's number, with a NUL behind it, into `room` bytes; its length. Never
// PMEM_BUSY.
PMEM_FUNCTION(int, pmem_label_name, (int number, char *name, int room), (number, name, room))

// Bytes that are live in the whole process, exactly those of all calls that have returned. Never
// PMEM_BUSY. Looks at each source in each thread: some 30 us for a thousand sources and ten
// threads.
PMEM_FUNCTION(long long, pmem_live, (void), ())

// How many sources there are: they have the numbers below that. Never PMEM_BUSY.
PMEM_FUNCTION(long, pmem_sources, (void), ())

// Fills in what the source of a number has by now, and the first `room` frames of its stack,
// innermost first: frames[0] is the function that was called, malloc() for one, the others are
// return addresses. backtrace_symbols() and dladdr() name them, as long as no library was unloaded;
// behind them may be lines of Python, Ruby or Java, which pmem_frame_line() names.
// Returns 1; 0: no source has the number (yet), or it has nothing; PMEM_INVALID: no such number,
// or frames are missing. `frames` may be NULL where `room` is 0. Never PMEM_BUSY.
//
//	struct pmem_source source;
//	void *frames[64];
//	for (long number = 0; number < pmem_sources(); number++)
//		if (pmem_source_at(number, &source, frames, 64) > 0) ...
PMEM_FUNCTION(int, pmem_source_at,
	(long number, struct pmem_source *source, void **frames, int room),
	(number, source, frames, room))

// The text of a frame that is a line of Python, Ruby or Java, as in the log, with a NUL behind it, into
// `room` bytes: `/srv/app.rb:42 in Order#total [ruby]`. Its length; PMEM_INVALID: it is another
// frame; PMEM_NO_ROOM: 1 KiB is enough. Never PMEM_BUSY.
PMEM_FUNCTION(int, pmem_frame_line, (const void *frame, char *text, int room), (frame, text, room))

#ifdef __cplusplus
}
#endif

#endif
