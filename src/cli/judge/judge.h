// SPDX-License-Identifier: BSD-2-Clause
// judge: whether a series of live bytes leaks, how fast, and since when.
//
// It leaks if a model with growth at the end is more probable than each without (models.h), and if
// the order of its floors agrees.
//
// Pure functions of their arguments. They allocate nothing, and take about 90 KiB of stack.

#ifndef PMEM_CLI_JUDGE_H
#define PMEM_CLI_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/point.h"

enum judge_verdict {
	JUDGE_NO_LEAK,
	JUDGE_LEAKS,
	JUDGE_TOO_EARLY, // seems to grow, but more windows are needed to tell
	JUDGE_STOPPED,   // grew evenly, and no longer does
	JUDGE_SLOWS,     // grows slower and slower, as a cache that fills
};

struct judgement {
	enum judge_verdict verdict;
	double certainty;           // probability of the leak, 0 to 1, among sources of which few leak
	size_t since;               // index of the point at which growth begins
	size_t seen;                // index of the first point at which it may have begun
	bool is_seasonal;           // rises and falls with a fixed period
	double rate, rate_low, rate_high; // bytes per unit of trend_point.time, and its interval at 95 %
};

// Judges a series of `count` points, at most KENDALL_MAX. Growth below `least` bytes does not count.
struct judgement judge_series(const struct trend_point *points, size_t count, double least);

// Returns true if growth follows the clock, and not the work (bytes allocated and freed): a leak by the
// clock is clearly more probable than anything by work. Then the judgement's rate is one by the clock.
// `is_leak`: it leaks by work. Then it need not be as clear that it began earlier.
bool judge_goes_by_clock(const struct trend_point *points, size_t count, bool is_leak,
	struct judgement *judgement);

#endif
