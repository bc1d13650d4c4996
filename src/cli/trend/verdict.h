// SPDX-License-Identifier: BSD-2-Clause
// verdict: the verdicts on a series, and the constants that tests of a rise share.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	TREND_MAX = KENDALL_MAX,   // most points
	TREND_LEAST = SHAPE_LEAST, // fewest points: fewer may rise in a row by chance
};

// Time before this share of it is start-up.
#define TREND_START_UP 0.1
// A rise that began after this share of the time is young.
#define TREND_YOUNG 0.75
// Evidence that is worth a mention, and evidence beyond reasonable doubt: Kass and Raftery, "Bayes
// factors", Journal of the American Statistical Association 90 (1995). A series that resembles a
// leak, or is only a part of one, needs very strong evidence. TREND_NO_ACCIDENT is for what was
// found in another way, after the first test failed. It is also for what comes and goes, as blocks
// of a pool do.
#define TREND_POSITIVE 2
#define TREND_STRONG 6
#define TREND_VERY_STRONG 8.75
#define TREND_NO_ACCIDENT 20

enum verdict {
	VERDICT_LEAKS,      // grows steadily
	VERDICT_STEPS,      // grows in steps
	VERDICT_SETTLES,    // grew, and has levelled off
	VERDICT_SLOWS,      // grows, slower and slower
	VERDICT_SAW_TOOTH,  // grows for long, then falls at once, again and again
	VERDICT_OSCILLATES, // goes up and down in another way
	VERDICT_LOAD,       // grew and fell, or goes with the number of allocations
	VERDICT_START_UP,   // grew at the beginning only
	VERDICT_FLAT,
	VERDICT_SHORT,      // too few points, or too late a rise
	VERDICT_SELDOM,     // the log does not tell. Set by callers of trend.h
	VERDICT_UNSEEN,     // grows, but may be freed past the library. Set by callers, too
	VERDICTS,
};
extern const char *const verdict_words[VERDICTS];

struct trend {
	enum verdict verdict;
	double confidence; // 0 to 1: the chance that the floor's rise is real
	size_t onset;      // the index of the point at which growth begins
	double slope, slope_low, slope_high; // bytes in a unit of time since the onset
	double growth;        // bytes of the floor since the onset
	double growth_blocks; // blocks of the floor since the onset
};

static inline bool
verdict_is_leak(enum verdict verdict)
{
	return verdict == VERDICT_LEAKS || verdict == VERDICT_STEPS;
}

#endif
