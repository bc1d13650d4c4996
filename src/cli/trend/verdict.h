// SPDX-License-Identifier: BSD-2-Clause
// verdict: the verdicts on a series, and the constants that tests of a rise share.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	TREND_MAX = KENDALL_MAX,   // most points of a series
	TREND_LEAST = SHAPE_LEAST, // fewest points that are judged: fewer may rise in a row by chance
};

// Start-up is the first part of a series: this share of its time.
#define TREND_START_UP 0.1
// A rise is young if it began after this share of the series' time.
#define TREND_YOUNG 0.75
// Grades of evidence for one explanation of a series and against another, such as a curve against a
// line. Evidence is twice the natural logarithm of how many times more probable the first
// explanation is. The grades are those of Kass and Raftery, "Bayes factors", Journal of the
// American Statistical Association 90 (1995).
//
// TREND_VERY_STRONG is needed to explain a series that resembles a leak by something else. It is
// also needed for a leak in only a part of a series. TREND_NO_ACCIDENT is needed for a leak that
// only a second kind of test finds, after the first has found none. It is also needed if most
// blocks are freed, as those of a pool are.
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
	VERDICT_OSCILLATES, // goes up and down, but not as a saw-tooth
	VERDICT_LOAD,       // grew and fell, or rises and falls with the rate of allocations
	VERDICT_START_UP,   // grew at the beginning only
	VERDICT_FLAT,
	VERDICT_SHORT,      // not judged: too few points, too late a rise, or a rise that may be chance
	VERDICT_SELDOM,     // the log shows the source too seldom. Set by callers of trend.h
	// grows, but the log may lack some frees of its blocks. Set by callers of trend.h
	VERDICT_UNSEEN,
	VERDICTS,
};
extern const char *const verdict_words[VERDICTS];

struct trend {
	enum verdict verdict;
	double confidence; // 1 less the chance that noise alone makes the floor rise so
	size_t onset;      // the index of the point at which growth begins
	// bytes for each unit of time (trend_point.time) since the onset, and the slope's interval at
	// 95%
	double slope, slope_low, slope_high;
	double growth;        // bytes by which the floor has grown since the onset
	double growth_blocks; // number of blocks by which the floor has grown since the onset
};

static inline bool
verdict_is_leak(enum verdict verdict)
{
	return verdict == VERDICT_LEAKS || verdict == VERDICT_STEPS;
}

#endif
