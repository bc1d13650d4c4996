// SPDX-License-Identifier: BSD-2-Clause
// verdict: what may be said of a series, and what the tests of a rise have in common.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	TREND_MAX = KENDALL_MAX,   // points, at most
	TREND_LEAST = SHAPE_LEAST, // at least: fewer may rise one after the other by chance
};

// What was before this share of the time is start-up.
#define TREND_START_UP 0.1
// A rise that began after this share is young.
#define TREND_YOUNG 0.75
// Evidence that is worth a mention, and such that leaves hardly a doubt: Kass and Raftery, "Bayes
// factors", Journal of the American Statistical Association 90 (1995). More for what goes near what
// a leak does, or is only a part of it; and far more for what is looked for in another way, since
// there is none, or comes and goes, as blocks of a pool do.
#define TREND_POSITIVE 2
#define TREND_STRONG 6
#define TREND_VERY_STRONG 8.75
#define TREND_NO_ACCIDENT 20

enum verdict {
	VERDICT_LEAKS,      // grows steadily
	VERDICT_STEPS,      // grows in steps
	VERDICT_SETTLES,    // grew, and has levelled off
	VERDICT_SLOWS,      // grows, slower and slower
	VERDICT_SAW_TOOTH,  // grows for long and falls back at once, again and again
	VERDICT_OSCILLATES, // goes up and down otherwise
	VERDICT_LOAD,       // grew and fell, or goes with the number of allocations
	VERDICT_START_UP,   // grew at the beginning only
	VERDICT_FLAT,
	VERDICT_SHORT,      // too few points, or too late a rise
	VERDICT_SELDOM,     // the log does not tell: for those who make points
	VERDICT_UNSEEN,     // it grows, but may be freed past the library: likewise
	VERDICTS,
};
extern const char *const verdict_words[VERDICTS];

struct trend {
	enum verdict verdict;
	double confidence; // 0 to 1: that the floor's rise is not chance
	size_t onset;      // the point from which on it grows
	double slope, slope_low, slope_high; // bytes in a unit of time since then
	double growth;        // bytes of the floor since then
	double growth_blocks; // and its blocks
};

static inline bool
verdict_is_leak(enum verdict verdict)
{
	return verdict == VERDICT_LEAKS || verdict == VERDICT_STEPS;
}

#endif
