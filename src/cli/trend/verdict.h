// SPDX-License-Identifier: BSD-2-Clause
// verdict: the verdicts on a series, and the constants that tests of a rise share.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	TREND_MAX = KENDALL_MAX,   // a series has at most this many points
	TREND_LEAST = SHAPE_LEAST, // shorter series are not judged: all points may rise by chance
};

// The first part of a series is called start-up. It takes this share of the series' time.
#define TREND_START_UP SHARE_HARDLY
// Grades of evidence for one explanation of a series and against another, such as a curve against a
// line. Evidence is 2 * log(r): the first explanation is r times as probable as the second. The
// grades are from Kass and Raftery, "Bayes factors", Journal of the American Statistical
// Association 90 (1995).
//
// TREND_VERY_STRONG is needed to explain a series that resembles a leak by something else.
// TREND_NO_ACCIDENT is needed for a leak that the
// first kind of test does not find, but a second kind does. It is also needed if most blocks are
// freed, as in a pool.
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
	double confidence; // 1 less the chance that noise alone makes a rise like this
	size_t onset;      // the index of the point at which growth begins
	// growth since the onset, in bytes per unit of trend_point.time. slope_low and slope_high
	// are the ends of the slope's 95% interval
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
