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
	SHAPE_LEAST = 8, // fewest points of a stretch whose shape is judged
};

// Shares of a whole have three grades: hardly any, some, and most. Nothing is known more exactly, so no
// question has a share of its own. `1 - SHARE_HARDLY` is nearly all.
#define SHARE_HARDLY 0.1
#define SHARE_SOME 0.25
#define SHARE_MOST 0.5
// What chance makes with at most the first probability counts as no chance. What it makes with more than
// the second may be chance.
#define TREND_NO_CHANCE 0.001
#define TREND_CHANCE 0.05

// The values of a series in one window of time.
struct trend_point {
	// time of the floor, mostly in bytes of work (timeline.h). It must not fall from a point to the
	// next
	double time;
	double clock;  // clock time of the floor, in ms or snapshots
	double calls;  // allocations of the whole process until the floor
	double floor;  // lowest live bytes in the window
	double peak;   // highest live bytes in the window
	// mean of the live bytes in the window's snapshots. smoothing.h and seasonal.h do not
	// change it
	double mean;
	double told;   // number of the window's snapshots that have a value
	double blocks; // number of live blocks at the floor
	double allocs; // the source's allocations until the floor
	double load;   // the source's allocations per unit of clock time. Negative if not known
};

// A part of a series, in the form that kendall_test() takes: neighbouring points, from an onset on.
// An onset is the point at which a rise may begin. times[] count from the first of these points.
struct stretch {
	const struct trend_point *points;
	size_t count;
	double times[KENDALL_MAX];
	double floors[KENDALL_MAX];
};

void stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count);
double stretch_duration(const struct stretch *stretch);
// Returns the difference of the highest and the lowest floor.
double stretch_range(const struct stretch *stretch);

// Returns true if the floor never falls.
bool shape_is_monotone(const struct stretch *stretch);

// Returns the chance that a series without a trend rises as often as this one. Only the signs of
// changes are used. So the chance is right for a random walk, too. Returns 1 if the floor falls by
// more than a quarter of its rise.
double shape_sign_chance(const struct stretch *stretch);

// Sums over the first points of a stretch, for fits of lines: their number, times t, floors x, and
// products of these. The difference of two of these structs has the sums over the points between.
struct line_sums {
	double n, t, x, tt, tx, xx;
};

// Sets sums[i] to the sums over the first i points, for i from 0 to their number.
void shape_sum_up(const struct stretch *stretch, struct line_sums *sums);
// Returns the squared residuals of the best line through the points between two sums.
double shape_squares_off(const struct line_sums *from, const struct line_sums *to);
// Returns the squared residuals of the best two lines, of which the second has at least `least` points.
// Sets *at to the second line's first point. If a single line is better, returns its residuals, and
// sets *at to 0.
double shape_two_lines(const struct line_sums *sums, size_t count, size_t least, size_t *at);

// If two separate lines fit far better than one, returns the index of the second line's first
// point. If two lines that meet fit as well as these, returns the point where they meet instead.
// Returns 0 if two lines do not fit far better.
size_t shape_break(const struct stretch *stretch);

// Returns the index of the point at which two lines that meet fit best, or 0 if no bend fits. Sets
// *evidence to the evidence (verdict.h) for the two lines and against one line. It is n * log(one /
// two). n is the number of points. `one` and `two` are the squared residuals of the fits.
size_t shape_bend(const struct stretch *stretch, double *evidence);

// Returns true if the floor stays about level between neighbouring points in at least 60 % of the
// series.
bool shape_is_in_steps(const struct stretch *stretch);

// Returns true if the floor has risen in fewer than three steps. Also returns true if the time
// since the last rise is more than twice the longest time from one rise to the next.
bool shape_steps_have_ended(const struct stretch *stretch);

// Returns true if the floor's rises may be due to chance: they are few, and come at uneven times.
// The floor of a pool of blocks rises like that. A pool grows only when more of its blocks are in
// use than ever before. The number of blocks in use may vary by chance.
bool shape_rises_seldom(const struct stretch *stretch);

// `growth` is the stretch's growth in bytes. Returns true if the series falls far at its end: from the
// highest floor to the last, by more than `growth` / 4, and no earlier fall was a third as deep. The
// reason: a test of all points hardly notices the few points of a fall at the end, but the rise has
// ended.
bool shape_falls_at_last(const struct stretch *stretch, double growth);

// Returns true if the source's blocks turn over: at most 20 % of those allocated since the first
// point are left. Returns false if the number of allocations is not known.
bool shape_turns_over(const struct stretch *stretch);

// Returns true if live bytes rise only because the load rises. The load is the rate of allocations.
// By Little's law, live bytes are the load times the blocks' mean lifetime. If live bytes rise no
// faster than the load, blocks do not live longer. So no block is leaked. Returns false unless the
// source's blocks are short-lived (shape_turns_over()).
bool shape_goes_with_load(const struct stretch *stretch);

#endif
