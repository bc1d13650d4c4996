// SPDX-License-Identifier: BSD-2-Clause
// shape: questions about the shape of a series, or of its end. For trend.h, whose idea of a
// leak they serve.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_SHAPE_H
#define PMEM_CLI_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/kendall.h"

enum {
	SHAPE_LEAST = 8, // points that are worth a question
};

// A window of time.
struct trend_point {
	double time;   // of the floor, in any unit; must not fall
	double clock;  // what it said then, for whoever made the points
	double calls;  // of the whole process until then, likewise
	double floor;  // least live bytes
	double peak;   // most
	double mean;   // of what snapshots told; of no matter but in the points that there are at first
	double told;   // how many of these
	double blocks; // that held the floor
	double allocs; // made until then, by whoever made the points
	double load;   // allocations in a unit of the clock's time; negative: not known
};

// Some of the points, as kendall_test() wants them. times[0] is 0.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
	double noise; // variance of the floors' noise, where that is known from more than these; 0: it is not
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);
double stretch_range(const struct stretch *stretch); // of its floors

// The floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// The chance of the rise by the signs of its changes alone: right for whatever wanders, but
// it asks for a floor that hardly ever falls; 1 otherwise.
double shape_sign_chance(const struct stretch *stretch);

// Where two lines fit far better than one, the first point of the second: where they meet, if two
// lines that do fit as well. 0: nowhere.
size_t shape_break(const struct stretch *stretch);

// Where two lines that meet fit best, and the evidence for them and against one: the logarithm of
// how many times less they leave, a point. 0: nowhere.
size_t shape_bend(const struct stretch *stretch, double *evidence);

// So slight a rise may be a few steps, beneath their noise.
bool shape_may_be_steps(const struct stretch *stretch, double slope);

// Most of the floor is level, and it rises at few points.
bool shape_is_in_steps(const struct stretch *stretch);

// There were hardly any steps, or the last was twice the longest wait for one ago.
bool shape_steps_have_ended(const struct stretch *stretch);

// It rises so few times that it may be by chance, and not evenly: as a pool does, which gets a
// block each time that more of it is in use than ever before. What is in use may be in no order
// at all.
bool shape_rises_seldom(const struct stretch *stretch);

// The last floor is far below all of the third quarter, by the growth; or below the highest, and
// it never fell nearly as far before. That is but a few points among many that rise, and all that
// counts.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// Hardly any of what it allocated is still there. Of what is not known it is not said.
bool shape_turns_over(const struct stretch *stretch);

// By Little's law what is live is the rate of allocations times how long they live: the rate
// rises, and live no more than that, so nothing lives longer than before. This can only be said of
// what does not live very long: it turns over.
bool shape_goes_with_load(const struct stretch *stretch);

#endif
