// SPDX-License-Identifier: BSD-2-Clause
// shape: questions about the shape of a series or of its end, for trend.h.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_SHAPE_H
#define PMEM_CLI_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"

enum {
	SHAPE_LEAST = 8, // points that are enough for a question
};

// What a series knows of one window of time.
struct trend_point {
	double time;   // time of the floor, in any unit. It must not fall from a point to the next
	double clock;  // clock time of the floor
	double calls;  // allocations of the whole process until then
	double floor;  // least live bytes
	double peak;   // most live bytes
	// mean of the live bytes in the window's snapshots. Not adjusted in derived series
	double mean;
	double told;   // number of the window's snapshots
	double blocks; // number of live blocks at the floor
	double allocs; // the source's allocations until then
	double load;   // allocations in a unit of clock time. Negative if not known
};

// Neighbouring points of a series, in the form that kendall_test() takes. times[] are since the
// first of these points.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
	double noise; // variance of the noise if it is known from more points than these. Otherwise 0
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);
// Returns the difference of the highest and the lowest floor.
double stretch_range(const struct stretch *stretch);

// Returns true if the floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// Returns the chance that a series without a trend rises as often as this one. Only the signs of
// changes are used, so it is right for a random walk, too. Returns 1 if the floor falls by more
// than a quarter of its rise.
double shape_sign_chance(const struct stretch *stretch);

// If two separate lines fit far better than one, returns the index of the second line's first
// point. If two lines that meet fit as well as these, returns the point where they meet instead.
// Returns 0 if there is no break.
size_t shape_break(const struct stretch *stretch);

// Returns the index of the point at which two lines that meet fit best, or 0 if there is none. Sets
// *evidence for the two lines and against one line. That is the number of points times the
// logarithm of the ratio of squared residuals.
size_t shape_bend(const struct stretch *stretch, double *evidence);

// Returns true if a rise of this slope, in few points, may be a few steps in noise.
bool shape_may_be_steps(const struct stretch *stretch, double slope);

// Returns true if the floor is level from most points to the next, and rises at few points.
bool shape_is_in_steps(const struct stretch *stretch);

// Returns true if the floor has risen in fewer than three steps. Also returns true if it has not
// risen at the end for twice the longest wait for a rise.
bool shape_steps_have_ended(const struct stretch *stretch);

// Returns true if the floor rises so seldom that this may be chance, and not evenly. A pool rises
// like that. It gets a block only when more of it is in use than ever before. Its use may vary by
// chance.
bool shape_rises_seldom(const struct stretch *stretch);

// Returns true if the last floor is below those of the third quarter of the time by `growth` / 4.
// Also returns true if it is as far below the highest floor, and no earlier fall was nearly as
// deep. The few points of such a fall hardly change a test of all points, but the rise has ended.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// Returns true if at most 20 % of the blocks allocated since the first point are left. Returns
// false if the number of allocations is not known.
bool shape_turns_over(const struct stretch *stretch);

// Returns true if live bytes rise only because the rate of allocations rises. By Little's law, live
// bytes are that rate times the blocks' lifetime. If live bytes rise no more than the rate,
// lifetimes do not grow. Only sources whose blocks are short-lived (shape_turns_over()) can be
// judged so.
bool shape_goes_with_load(const struct stretch *stretch);

#endif
