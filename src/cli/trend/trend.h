// SPDX-License-Identifier: BSD-2-Clause
// trend: decides whether a series of live bytes leaks, settles, is a saw-tooth, or follows the
// load.
//
// A leak raises the FLOOR: the live bytes at the quietest moment. So a series has one point for
// each of many windows of equal time. The windows' minima are tested. Teeth and peaks of load
// shorter than a window or two are gone before any test.
//
// The test is Mann and Kendall's with Hamed and Rao's correction (kendall_test()). Theil and Sen's
// slope says how fast the floor rises. A sign test replaces it for a curve that is no line but
// never falls. If two straight lines fit far better than one, the part behind the break is tested
// as well. So late beginnings are found, and growth that ended is no leak.
//
// A rise is no leak if it only makes up for an earlier fall, or has ended. It is no leak either if
// it slows down towards a level, or if the load explains it.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_TREND_H
#define PMEM_CLI_TREND_H

#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

// `least`: smaller growth does not count. count is at most TREND_MAX.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

#endif
