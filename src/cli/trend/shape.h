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

// A window of time.
struct trend_point {
	double time;   // of the floor, in any unit. Must not fall
	double clock;  // at that time, for the caller
	double calls;  // of the whole process until then, for the caller
	double floor;  // least live bytes
	double peak;   // most live bytes
	double mean;   // of the snapshots' live bytes. Only set in the original points
	double told;   // number of these snapshots
	double blocks; // number of blocks that held the floor
	double allocs; // allocations until then, for the caller
	double load;   // allocations in a unit of clock time. Negative if not known
};

// Some of the points, in the form of kendall_test(). times[0] is 0.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
	double noise; // variance of the noise, if known from more than this stretch, or 0
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);
double stretch_range(const struct stretch *stretch); // of its floors

// Returns true if the floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// Returns the chance of the rise by the signs of its changes alone. It holds for a random walk,
// too. Returns 1 if the floor falls by more than a quarter of its rise.
double shape_sign_chance(const struct stretch *stretch);

// Returns the first point of the second of two lines that fit far better than one. If two lines
// that meet fit as well, it is where they meet. Returns 0 if there is no break.
size_t shape_break(const struct stretch *stretch);

// Returns where two lines that meet fit best, or 0 if nowhere. *evidence is for two lines and
// against one: the number of points times the logarithm of the ratio of squared residuals.
size_t shape_bend(const struct stretch *stretch, double *evidence);

// Returns true if a rise of this slope is so slight that it may be a few steps in noise.
bool shape_may_be_steps(const struct stretch *stretch, double slope);

// Returns true if most of the floor is level, and it rises at few points.
bool shape_is_in_steps(const struct stretch *stretch);

// Returns true if there were hardly any steps, or none for twice the longest wait for a step.
bool shape_steps_have_ended(const struct stretch *stretch);

// Returns true if the floor rises so seldom that this may be chance, and not evenly. A pool does
// so, since it gets a block when more of the pool is in use than ever before. Use of a pool may
// come in any order.
bool shape_rises_seldom(const struct stretch *stretch);

// Returns true if the last floor is far below all of the third quarter, measured by the growth. It
// also does if the last floor is below the highest, and no earlier fall was nearly as deep. Such a
// fall is only a few points among many that rise, but it decides.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// Returns true if under 20 % of its blocks survive. Returns false if counts are unknown.
bool shape_turns_over(const struct stretch *stretch);

// Returns true if live rises only with the rate of allocations. By Little's law live is that rate
// times the blocks' lifetime. If live rises no more than the rate, lifetimes do not grow. Only
// sources that turn over, whose blocks are short-lived, can be judged so.
bool shape_goes_with_load(const struct stretch *stretch);

#endif
