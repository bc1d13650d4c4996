// trend: what a series of live bytes does: leak, settle, saw-tooth, follow the load?
//
// A leak raises the FLOOR: what is live at the quietest moment. So a series is one point for
// each of many windows of equal time, and it is the windows' minima that are tested: teeth and
// peaks of load, if they are shorter than a window or two, are gone before any test. Then
// (kendall.h) Mann and Kendall's test with Hamed and Rao's correction says whether the floor
// rises, Theil and Sen's slope how fast; a sign test stands in where a curve is no line but
// never falls. Where two straight lines fit far better than one, what follows the break is
// tested as well: so late beginnings are found, and growth that ended is no leak.
//
// A rise is no leak when it only makes up for an earlier fall, when it ended, when it slows
// down towards a level, or when no more is live than the load explains.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_TREND_H
#define PMEM_CLI_TREND_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	TREND_MAX = KENDALL_MAX,   // points, at most
	TREND_LEAST = SHAPE_LEAST, // at least: fewer may rise one after the other by chance
};

enum verdict {
	VERDICT_LEAKS,    // grows steadily
	VERDICT_STEPS,    // grows in steps
	VERDICT_SETTLES,  // grew, and has levelled off
	VERDICT_SAW_TOOTH, // grows and falls back, again and again
	VERDICT_LOAD,     // grew and fell, or goes with the number of allocations
	VERDICT_START_UP, // grew at the beginning only
	VERDICT_FLAT,
	VERDICT_SHORT,    // too few points, or too late a rise
	VERDICT_SELDOM,   // the log does not tell: for those who make points
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

// `least`: growth below that is none. count is at most TREND_MAX.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

#endif
