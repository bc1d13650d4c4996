// SPDX-License-Identifier: BSD-2-Clause
// outside: names the likely use of a process's memory that is in no block and in no file.
//
// The log has only the sum of this memory, and not what it is used for. So a use is recognized by
// exclusion. Each other use has an upper limit, and all these limits together do not reach the sum.
// Free memory that malloc keeps was in live blocks once. So free memory grows as live bytes fall,
// and is no more than was freed. malloc uses free memory again. So an arena is at most a few times
// as large as its live bytes ever were. Each thread that allocates has at most one arena. malloc's
// overhead is in proportion to the number of blocks. Memory beyond all these limits was never
// malloc's. If there are many threads, and no more memory than their stacks usually need, the use
// is these stacks.
//
// The library does not ask malloc. mallinfo2() waits for each arena's lock in turn, and follows all
// lists of free chunks while it holds the lock. So a snapshot would keep other threads waiting. A
// snapshot in a signal handler that has interrupted malloc would wait for a lock that is never
// released. And mallinfo2() would follow lists that a buffer overrun has damaged.

#ifndef PMEM_CLI_OUTSIDE_H
#define PMEM_CLI_OUTSIDE_H

#include "trend/evidence.h"

enum outside {
	OUTSIDE_UNKNOWN,
	OUTSIDE_BLOCKS, // malloc's overhead for each block
	OUTSIDE_KEPT,   // free memory that malloc keeps
	OUTSIDE_STACKS, // threads' stacks, and the memory that malloc keeps for each thread
	OUTSIDE_MAPPED, // memory that is not from malloc
};

// The growth of memory since a moment, or since the process began. All fields are in bytes, except
// the numbers `blocks`, `frees`, `threads` and `alive`.
struct outside_growth {
	double bytes;  // growth of resident memory in no block and no file, without `mapped`
	// growth of the memory that the program mapped itself. Some of it may not be resident
	double mapped;
	double blocks; // growth in number of blocks
	double let_go; // bytes by which live blocks have shrunk. malloc may have kept them
	double freed, frees; // at least this many bytes and this many blocks were freed
	double most;   // highest live bytes at any moment
	double threads; // number of threads that have ever allocated. 0 if not known
	double alive;  // growth in number of threads that are alive. 0 if not known
	double shared; // growth of shared memory since GAUGE_FILE began to grow. Negative if not known
};

// Returns the use that explains at least half of growth->bytes.
enum outside outside_judge(const struct outside_growth *growth);

// Returns the growth since GAUGE_OUTSIDE began to grow. `findings` has the finding of each gauge.
struct outside_growth outside_since(struct history *history, const struct finding *findings);

// Returns the number of threads that have ever allocated, or 0 if not known.
double outside_threads(const struct run *run, const struct threads *threads);

#endif
