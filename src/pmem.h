// SPDX-License-Identifier: BSD-2-Clause
// pmem.h: functions by which a program controls pmem, and reads its counters, while the program
// runs.
//
//	pmem_snapshot("after deploy");      // pmem report --at "after deploy" LOG
//
// Copy this header into your program. It needs nothing to link with. If libpmem.so is not
// preloaded, each function returns PMEM_ABSENT, and costs a comparison. If a function cannot do its
// work, it returns a negative number (enum pmem_answer). No function ends the program, raises an
// error, changes errno, allocates, or takes a lock that others may hold.
//
// From other languages call the functions by their names: `ctypes.CDLL(None).pmem_snapshot` in
// Python, `Fiddle::Handle::DEFAULT["pmem_snapshot"]` in Ruby. node can call functions of a library
// only through an addon that is built for it. For node, build pmem with PMEM_SNAPSHOT_SIGNAL: that
// signal causes a snapshot.
//
// Unless said otherwise, any thread may call any function at any moment, in a signal handler, too.
// If the signal interrupted pmem itself, the function returns PMEM_BUSY.
//
// The library of the Persistent Memory Development Kit is called libpmem, too, and its functions
// pmem_*. It has none of the functions here, and a program may have both libraries.

#ifndef PMEM_H
#define PMEM_H

#ifdef __cplusplus
extern "C" {
#endif

enum pmem_answer {
	PMEM_ABSENT = -1,    // the library is not there
	PMEM_OFF = -2,       // it does not record: before it started, at the very end of exit(), or for
	                     // a reason that its log gives
	PMEM_BUSY = -3,      // a handler interrupted pmem; or other threads wrote snapshots for 1 s
	PMEM_VFORK = -4,     // a child of vfork() shares its parent's memory, and has no log
	PMEM_UNWRITTEN = -5, // no log could be written: disk, permissions, a sandbox, too many logs
	PMEM_INVALID = -6,   // a label, number or pointer that cannot be valid
	PMEM_NO_ROOM = -7,   // no memory, too many labels or pauses, or `room` is too small
	PMEM_NOT_PAUSED = -8,
};

// The most bytes of a label: UTF-8, at least 1 byte, without control characters.
#define PMEM_LABEL_BYTES 100

// Counters of a source: a call stack that allocates, under one label or none. Bytes are what the
// program asked for. If the library samples (PMEM_SAMPLE_BYTES), all counters are estimates.
struct pmem_source {
	// Hash of the stack, as in the log; 0 for the sum of all stacks without a source of their own.
	unsigned long long id;
	long long live;         // bytes that are allocated and not yet freed
	long long blocks;       // number of blocks that hold these bytes
	// Bytes and calls since the process began. If it was forked, since its oldest ancestor began.
	unsigned long long alloc, allocs;
	unsigned long long free, frees;
	// Bytes and calls since pmem_reset() was called last.
	unsigned long long alloc_since, allocs_since, free_since, frees_since;
	int depth; // frames of its stack
	int label; // the number of the label; 0 if none
};

// What follows lets a program link without the library. The functions are weak symbols, and 0 if
// the library is not there. In a program that is not position-independent, a linker takes such a
// symbol for 0 even if a library will be preloaded. Reading the global offset table avoids this.
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

// Writes a snapshot now, which the log shows as `reason=asked label=...`. `pmem report --at` and
// `pmem diff --from --to` take the label. If several snapshots have the label, the last one is
// meant. Returns the snapshot's number, [N] in the log, from 0 on. The calling thread is stopped
// while the snapshot is written, for 0.3 to 4 ms. If other threads are writing snapshots, it waits
// for a second at most. The log's size stays bounded: a program that asks often has less history.
// In a child that was just forked the snapshot begins the log.
PMEM_FUNCTION(long, pmem_snapshot, (const char *label), (label))

// Begins to count growth anew. Writes a snapshot (`reason=reset`), from which `pmem report` counts
// growth, and pmem_source_at() the `_since` fields. Totals are not reset. Returns the snapshot's
// number. If the snapshot could not be written, nothing changes.
PMEM_FUNCTION(long, pmem_reset, (void), ())

// Begins a pause. From here on all that the calling thread allocates counts as one source, the
// stack of this call: `pmem_pause < load_plugins < main`. Bytes and calls are counted as exactly as
// before. A freed block counts at the source that allocated it. So only the exact place of each
// allocation is lost, and each call costs less. Pauses nest, and the stack of the first one counts.
// Returns how many pauses the thread is in now, from 1 on.
PMEM_FUNCTION(int, pmem_pause, (void), ())

// Ends a pause of the calling thread. Returns how many pauses are left, or PMEM_NOT_PAUSED if the
// thread was in none.
PMEM_FUNCTION(int, pmem_resume, (void), ())

// Sets the calling thread's label: what the thread allocates counts under this label, until the
// thread sets another. A label names what the thread works for: a tenant, a kind of request. NULL
// is no label, as at a thread's start. `pmem report --by label` shows what is live under each
// label. A block stays under its label, whichever thread frees it. Stacks are as without labels.
// Returns the label's number, from 1 on, the same each time, or 0 for no label. There may be 255
// different labels. For any other label returns PMEM_NO_ROOM, and then the thread has no label. A
// pause keeps the label that it began with. A change of the label costs a microsecond or two, since
// the next stack is taken from scratch. Each stack under each label is a source of its own. Once
// half of the table of sources is used, a new pair of stack and label counts without the label.
PMEM_FUNCTION(int, pmem_label, (const char *label), (label))

// Writes the name of the label with this number, and a NUL, into the `room` bytes at `name`.
// Returns the name's length. Never PMEM_BUSY.
PMEM_FUNCTION(int, pmem_label_name, (int number, char *name, int room), (number, name, room))

// Returns how many bytes are live in the whole process. The number is exact for all calls that have
// returned. Never PMEM_BUSY. The function looks at each source in each thread: about 30 us for a
// thousand sources and ten threads.
PMEM_FUNCTION(long long, pmem_live, (void), ())

// Returns the number of sources. The sources are numbered from 0 on. Never PMEM_BUSY.
PMEM_FUNCTION(long, pmem_sources, (void), ())

// Stores the current counters of the source with this number, and the first `room` frames of its
// stack, innermost first. frames[0] is the function that was called, such as malloc(); the others
// are return addresses. backtrace_symbols() and dladdr() name them, as long as no library was
// unloaded. Behind these frames there may be lines of Python, Ruby, Java or PHP, which
// pmem_frame_line() names. Returns 1, or 0 if no source has the number yet, or if the source has
// counted nothing. Returns PMEM_INVALID if the number is not below pmem_sources(), or a pointer is
// NULL. Only `frames` may be NULL, if `room` is 0. Never PMEM_BUSY.
//
//	struct pmem_source source;
//	void *frames[64];
//	for (long number = 0; number < pmem_sources(); number++)
//		if (pmem_source_at(number, &source, frames, 64) > 0) ...
PMEM_FUNCTION(int, pmem_source_at,
	(long number, struct pmem_source *source, void **frames, int room),
	(number, source, frames, room))

// Writes the text of a frame that is a line of Python, Ruby, Java or PHP, as the log has it:
// `/srv/app.rb:42 in Order#total [ruby]`. The text goes into the `room` bytes at `text`, with a NUL
// at its end. Returns the text's length. Returns PMEM_INVALID for any other frame, and PMEM_NO_ROOM
// if `room` is too small: 1 KiB is enough. Never PMEM_BUSY.
PMEM_FUNCTION(int, pmem_frame_line, (const void *frame, char *text, int room), (frame, text, room))

#ifdef __cplusplus
}
#endif

#endif
