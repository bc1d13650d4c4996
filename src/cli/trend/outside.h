// SPDX-License-Identifier: BSD-2-Clause
// outside: names the likely use of a process's memory that is in no block and in no file.
//
// The log has only sums, so each use is told by what it cannot be. Free memory that malloc keeps
// was live once, so it came as live fell. Such memory is no more than was ever freed. malloc uses
// it again, so an arena keeps only a few times the most that was live in it. Each thread that
// allocates has at most one arena. malloc's overhead goes with the number of blocks. What is more
// than all these was never malloc's.
//
// malloc itself is not asked. mallinfo2() waits for each arena's lock in turn, and follows all
// lists of free chunks while it holds the lock. A snapshot would keep other threads waiting. It
// may be written where a signal handler has interrupted malloc. It would also follow lists that an
// overrun has damaged.

#ifndef PMEM_CLI_OUTSIDE_H
#define PMEM_CLI_OUTSIDE_H

#include "trend/evidence.h"

enum outside {
	OUTSIDE_UNKNOWN,
	OUTSIDE_BLOCKS, // malloc's overhead for each block
	OUTSIDE_KEPT,   // free memory that malloc keeps
	OUTSIDE_MAPPED, // not malloc's
};

// Bytes since some moment, or since the process began. `blocks`, `frees` and `threads` are
// numbers.
struct outside_growth {
	double bytes;  // growth of the memory outside, without the next
	double mapped; // growth of the memory that the program mapped itself; it may not all be resident
	double blocks; // growth in number of blocks
	double let_go; // what live fell by: the memory outside may be that, kept by malloc
	double freed, frees; // by the program, at least
	double most;   // the most that was ever live at once
	double threads; // that have ever allocated. 0 if not known
};

enum outside outside_judge(const struct outside_growth *growth);

// Returns the growth since GAUGE_OUTSIDE, by its finding, began to grow.
struct outside_growth outside_since(struct history *history, const struct finding *finding);

// Returns the number of threads that have ever allocated, or 0 if not known.
double outside_threads(const struct run *run, const struct threads *threads);

#endif
