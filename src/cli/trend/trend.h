// SPDX-License-Identifier: BSD-2-Clause
// trend: decides whether a series of live bytes leaks, settles, is a saw-tooth, or follows the
// load.
//
// A series has one point for each of many windows of equal work (timeline.h). A leak raises the
// floors: the least live bytes of each window. So the floors are tested. Saw-teeth and peaks of
// load that are shorter than a window or two do not show in floors.
//
// The test is Mann and Kendall's with Hamed and Rao's correction (kendall_test()). Theil and Sen's
// slope says how fast the floor rises. For a curve that hardly ever falls but is no line, a sign
// test is better (shape_sign_chance()). Both tests are made. The test with the lower probability of
// a rise by chance decides. If two straight lines fit far better than one, the points of the second
// line are also tested alone. So a leak that began late is found, and growth that has ended is no
// leak.
//
// A rise is no leak in four cases. It only makes up for an earlier fall; it has ended; it slows
// down towards a level; or it only follows the load, which is the rate of allocations.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_TREND_H
#define PMEM_CLI_TREND_H

#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

// Judges a series of `count` points, at most TREND_MAX. Growth below `least` bytes does not count.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

#endif
