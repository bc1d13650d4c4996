// SPDX-License-Identifier: BSD-2-Clause
// judge: whether a series of live bytes leaks, how fast, and since when.
//
// It leaks if a model with growth at the end is more probable than each without (models.h), and if
// the order of its floors agrees. Nothing else is asked.
//
// Pure functions of their arguments. They allocate nothing, and take about 50 KiB of stack.

#ifndef PMEM_CLI_JUDGE_H
#define PMEM_CLI_JUDGE_H

#include <stddef.h>

#include "trend/shape.h"

enum judge_verdict {
	JUDGE_NO_LEAK,
	JUDGE_LEAKS,
	JUDGE_TOO_EARLY, // seems to grow, but more windows are needed to tell
	JUDGE_STOPPED,   // grew evenly, and no longer does
};

struct judgement {
	enum judge_verdict verdict;
	double certainty;           // probability of the leak, 0 to 1, among sources of which few leak
	size_t since;               // index of the point at which growth begins
	double rate, rate_low, rate_high; // bytes per unit of trend_point.time, and its interval at 95 %
};

// Judges a series of `count` points, at most KENDALL_MAX. Growth below `least` bytes does not count.
struct judgement judge_series(const struct trend_point *points, size_t count, double least);

#endif
