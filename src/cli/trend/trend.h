// SPDX-License-Identifier: BSD-2-Clause
// trend: what a series of live bytes does: leak, settle, saw-tooth, follow the load?
//
// A leak raises the FLOOR: what is live at the quietest moment. So a series is one point for
// each of many windows of equal time, and it is the windows' minima that are tested: teeth and
// peaks of load, if they are shorter than a window or two, are gone before any test. Then
// (kendall_test()) Mann and Kendall's test with Hamed and Rao's correction says whether the floor
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

#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

// `least`: growth below that is none. count is at most TREND_MAX.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

#endif
