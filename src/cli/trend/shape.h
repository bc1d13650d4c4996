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
	double floor;  // least live bytes
	double peak;   // most
	double blocks; // that held the floor
	double allocs; // made until then, by whoever made the points
	double load;   // allocations in a unit of time; negative: not known
};

// Some of the points, as kendall.h wants them. times[0] is 0.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);

// The floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// The chance of the rise by the signs of its changes alone: right for whatever wanders, but
// it asks for a floor that hardly ever falls; 1 otherwise.
double shape_sign_chance(const struct stretch *stretch);

// Where two lines fit far better than one: the first point of the second; 0: nowhere.
size_t shape_break(const struct stretch *stretch);

// One step from one level to another fits better than a line does.
bool shape_is_one_step(const struct stretch *stretch);

// Most of the floor is level, and it rises at few points.
bool shape_is_in_steps(const struct stretch *stretch);

// There were hardly any steps, or the last was twice the longest wait for one ago.
bool shape_steps_have_ended(const struct stretch *stretch);

// The last third rises at less than a quarter of `slope`, or of what the first third does.
bool shape_has_levelled_off(const struct stretch *stretch, double slope);

// The last floor is far below all of the third quarter, by the growth. That is but a few points
// among many that rise, and all that counts.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// The last third does not surely rise, or at less than 0.8 of what the first third does.
bool shape_bends(const struct stretch *stretch);

// By Little's law what is live is the rate of allocations times how long they live: the rate
// rises, and live no more than that, so nothing lives longer than before.
bool shape_goes_with_load(const struct stretch *stretch);

#endif
