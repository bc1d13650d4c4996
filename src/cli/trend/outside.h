// SPDX-License-Identifier: BSD-2-Clause
// outside: what memory of a process that is in none of its blocks, and in no file, may be.
//
// The log has sums alone, so this is told by what it cannot be. What malloc keeps of freed memory
// was live once: it came as live fell, is no more than was ever freed, and, since malloc uses it
// again, not many times the most that was live at once in each of its arenas, of which threads
// that allocate have one each at most. What malloc needs beside each block goes with the number
// of blocks. What is more than these was never malloc's.
//
// malloc itself is not asked. mallinfo2() waits for each arena's lock in turn, and follows all
// lists of free chunks while it holds it: a snapshot would keep other threads waiting, may be
// written where a signal's handler has interrupted malloc, and would follow what an overrun has
// damaged.

#ifndef PMEM_CLI_OUTSIDE_H
#define PMEM_CLI_OUTSIDE_H

#include "trend/evidence.h"

enum outside {
	OUTSIDE_UNKNOWN,
	OUTSIDE_BLOCKS, // what malloc needs beside each block
	OUTSIDE_KEPT,   // free memory that malloc keeps
	OUTSIDE_MAPPED, // not malloc's
};

// Bytes, since some moment, or since the process began; blocks and frees are numbers.
struct outside_growth {
	double bytes;  // that such memory has grown by
	double blocks; // more than then
	double let_go; // that live is less than then; of which that memory has grown as much, too
	double freed, frees; // by the program since then, at least
	double most;   // that was ever live at once
	double threads; // that have ever allocated; 0: not known
};

enum outside outside_judge(const struct outside_growth *growth);

// Since the moment from which on GAUGE_OUTSIDE grows, by its finding.
struct outside_growth outside_since(struct history *history, const struct finding *finding);

// All threads that have ever allocated; 0: not known.
double outside_threads(const struct run *run, const struct threads *threads);

#endif
