// SPDX-License-Identifier: BSD-2-Clause
// verdict: the verdicts on a series, and shares that questions about it have in common.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/point.h"

// Shares of a whole have three grades: hardly any, some, and most. Nothing is known more exactly, so no
// question has a share of its own. `1 - SHARE_HARDLY` is nearly all.
#define SHARE_HARDLY 0.1
#define SHARE_SOME 0.25
#define SHARE_MOST 0.5
// What chance makes with at most the first probability counts as no chance. What it makes with more than
// the second may be chance.
#define TREND_NO_CHANCE 0.001
#define TREND_CHANCE 0.05

enum verdict {
	VERDICT_LEAKS,       // grows
	VERDICT_SLOWS,       // grows, slower and slower
	VERDICT_LEVELLED_OFF, // grew, and does no more
	VERDICT_UP_AND_DOWN,
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
	double confidence; // probability of the leak, among sources of which few leak
	size_t onset;      // the index of the point at which growth begins
	size_t seen;       // the index of the first point at which it may have begun
	// growth since the onset, in bytes per unit of trend_point.time. slope_low and slope_high
	// are the ends of the slope's 95% interval
	double slope, slope_low, slope_high;
	double growth;        // bytes by which the floor has grown since the onset
	double growth_blocks; // number of blocks by which the floor has grown since the onset
};

static inline bool
verdict_is_leak(enum verdict verdict)
{
	return verdict == VERDICT_LEAKS;
}

#endif
