// SPDX-License-Identifier: BSD-2-Clause
// trend: decides whether a series of live bytes leaks, settles, is a saw-tooth, or follows the
// load.
//
// A leak raises the floor of a window: the live bytes at the window's quietest moment. A series has
// one point for each of many windows of equal time, and the windows' floors are tested. So
// saw-teeth and peaks of load that are shorter than a window or two do not show in the floors.
//
// The test is Mann and Kendall's with Hamed and Rao's correction (kendall_test()). Theil and Sen's
// slope says how fast the floor rises. For a curve that hardly ever falls but is no line, a sign
// test is better (shape_sign_chance()). Both tests are made, and the better answer counts. If two
// straight lines fit far better than one, the part after the break is tested as well. So late
// beginnings are found, and growth that ended is no leak.
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

// Judges a series of `count` points, at most TREND_MAX. Growth below `least` bytes does not count.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

#endif
