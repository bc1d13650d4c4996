// SPDX-License-Identifier: BSD-2-Clause
// Only shape_turns_over() and shape_goes_with_load() use allocations and blocks. All other
// functions use floors alone.

#include <math.h>

#include "base/assert.h"
#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	HEAD_LEAST = 3,  // a break has at least this many points before it
	GROUPS = 16,     // for the sign test, a stretch is cut into this many parts of equal time
};

// Two lines fit far better than one if they leave less than this share of its squared residuals.
static const double better_by = 0.6;
// The load (allocations per clock time) rises if chance alone makes this rise with a lower probability.
static const double load_rises = 0.01;
// Blocks that were allocated since the first point may be freed by the end. A source's blocks turn
// over if at most this share of these blocks is left.
static const double long_lived = 0.2;

void
stretch_open(struct stretch *stretch, const struct trend_point *points, size_t count)
{
	stretch->points = points;
	stretch->count = count;
	ASSERT(count <= KENDALL_MAX);
	for (size_t i = 0; i < count; i++) {
		ASSERT(i == 0 || points[i - 1].time <= points[i].time);
		stretch->times[i] = points[i].time - points[0].time;
		stretch->floors[i] = points[i].floor;
	}
}

double
stretch_duration(const struct stretch *stretch)
{
	return stretch->times[stretch->count - 1];
}

double
stretch_range(const struct stretch *stretch)
{
	double low = stretch->floors[0], high = low;
	for (size_t i = 1; i < stretch->count; i++) {
		low = fmin(low, stretch->floors[i]);
		high = fmax(high, stretch->floors[i]);
	}
	return high - low;
}

// Cuts the stretch into GROUPS parts of equal time, and sets least[] to the lowest floor of each.
// Parts without points are left out. Returns the number of parts with points.
static unsigned
group(const struct stretch *stretch, double *least)
{
	unsigned groups = 1;
	unsigned last = 0;

	least[0] = stretch->floors[0];
	for (size_t i = 1; i < stretch->count; i++) {
		unsigned part = (unsigned)(stretch->times[i] / stretch_duration(stretch) * GROUPS);
		if (part >= GROUPS)
			part = GROUPS - 1;
		if (part != last)
			least[groups++] = stretch->floors[i];
		else if (stretch->floors[i] < least[groups - 1])
			least[groups - 1] = stretch->floors[i];
		last = part;
	}
	return groups;
}

// Returns the largest fall from any value to a later value.
static double
deepest_fall(const double *values, size_t count)
{
	double most = values[0], deepest = 0;
	for (size_t i = 1; i < count; i++) {
		most = fmax(most, values[i]);
		deepest = fmax(deepest, most - values[i]);
	}
	return deepest;
}

double
shape_sign_chance(const struct stretch *stretch)
{
	double least[GROUPS];
	unsigned groups = group(stretch, least);
	unsigned rises = 0, falls = 0;

	if (deepest_fall(least, groups) * 4 > least[groups - 1] - least[0])
		return 1;
	for (unsigned i = 1; i < groups; i++) {
		rises += least[i] > least[i - 1];
		falls += least[i] < least[i - 1];
	}
	return kendall_sign_test(rises, falls);
}

bool
shape_is_monotone(const struct stretch *stretch)
{
	return deepest_fall(stretch->floors, stretch->count) == 0;
}

double
shape_squares_off(const struct line_sums *from, const struct line_sums *to)
{
	double n = to->n - from->n;
	double t = to->t - from->t;
	double x = to->x - from->x;
	double tt = to->tt - from->tt - t * t / n;
	double tx = to->tx - from->tx - t * x / n;
	double xx = to->xx - from->xx - x * x / n;
	double left = tt > 0 ? xx - tx * tx / tt : xx;
	return left > 0 ? left : 0;
}

void
shape_sum_up(const struct stretch *stretch, struct line_sums *sums)
{
	double middle = stretch->floors[stretch->count / 2];

	sums[0] = (struct line_sums){0};
	for (size_t i = 0; i < stretch->count; i++) {
		double t = stretch->times[i] / stretch_duration(stretch);
		double x = stretch->floors[i] - middle;
		struct line_sums *sum = &sums[i + 1];
		*sum = (struct line_sums){1, t, x, t * t, t * x, x * x};
		sum->n += sums[i].n;
		sum->t += sums[i].t;
		sum->x += sums[i].x;
		sum->tt += sums[i].tt;
		sum->tx += sums[i].tx;
		sum->xx += sums[i].xx;
	}
}

double
shape_two_lines(const struct line_sums *sums, size_t count, size_t least, size_t *at)
{
	double best = shape_squares_off(&sums[0], &sums[count]);

	*at = 0;
	for (size_t i = HEAD_LEAST; i + least <= count; i++) {
		double left = shape_squares_off(&sums[0], &sums[i]) + shape_squares_off(&sums[i], &sums[count]);
		if (left < best) {
			best = left;
			*at = i;
		}
	}
	return best;
}

// Returns the squared residuals of two lines that meet at time t. `all` has the sums over all
// points, `from` those over the points before t. The second line is the first one plus a bend: a
// term that is 0 until t, and then the time since t. A line through all points already fits a part
// of this term. Only the part that it cannot fit lowers the residuals further.
static double
squares_left_by_bend(const struct line_sums *all, const struct line_sums *from, double t)
{
	double n = all->n - from->n, h = all->t - from->t - n * t;
	double th = all->tt - from->tt - t * (all->t - from->t) - h * all->t / all->n;
	double hh = all->tt - from->tt - 2 * t * (all->t - from->t) + n * t * t - h * h / all->n;
	double hx = all->tx - from->tx - t * (all->x - from->x) - h * all->x / all->n;
	double tt = all->tt - all->t * all->t / all->n;
	double tx = all->tx - all->t * all->x / all->n;

	if (tt <= 0 || hh - th * th / tt <= 0)
		return INFINITY;
	double added = hx - th * tx / tt;
	return fmax(shape_squares_off(&(struct line_sums){0}, all) - added * added / (hh - th * th / tt), 0);
}

// Returns the index of the point at which two lines must meet to leave the least squared residuals.
// Sets *least to these residuals.
static size_t
find_bend(const struct stretch *stretch, const struct line_sums *sums, double *least)
{
	size_t at = 0;

	*least = INFINITY;
	for (size_t i = HEAD_LEAST; i + SHAPE_LEAST <= stretch->count; i++) {
		double t = stretch->times[i] / stretch_duration(stretch);
		double left = squares_left_by_bend(&sums[stretch->count], &sums[i], t);
		if (left < *least) {
			*least = left;
			at = i;
		}
	}
	return at;
}

size_t
shape_bend(const struct stretch *stretch, double *evidence)
{
	struct line_sums sums[KENDALL_MAX + 1];
	double n = (double)stretch->count, left;

	shape_sum_up(stretch, sums);
	size_t at = find_bend(stretch, sums, &left);
	double line = shape_squares_off(&sums[0], &sums[stretch->count]);
	*evidence = at > 0 && line > 0 ? n * log(line / left) : 0;
	return at;
}

// Lines that need not meet may fit a few points near the break by chance, so that the second line
// begins too late. So lines that meet are fitted, too. If they fit as well by Schwarz's criterion,
// the break is the point where they meet.
size_t
shape_break(const struct stretch *stretch)
{
	struct line_sums sums[KENDALL_MAX + 1];
	double n = (double)stretch->count, best_bent;
	size_t at;

	shape_sum_up(stretch, sums);
	double best = shape_two_lines(sums, stretch->count, SHAPE_LEAST, &at);
	if (best >= better_by * shape_squares_off(&sums[0], &sums[stretch->count]))
		return 0;
	size_t bend = find_bend(stretch, sums, &best_bent);
	return n * log(best_bent) <= n * log(best) + log(n) ? bend : at;
}

bool
shape_falls_at_last(const struct stretch *stretch, double growth)
{
	size_t high = 0;

	for (size_t i = 1; i < stretch->count; i++)
		if (stretch->floors[i] > stretch->floors[high])
			high = i;
	double fall = stretch->floors[high] - stretch->floors[stretch->count - 1];
	return fall > growth / 4 && fall > 3 * deepest_fall(stretch->floors, high + 1);
}

bool
shape_turns_over(const struct stretch *stretch)
{
	const struct trend_point *first = &stretch->points[0];
	const struct trend_point *last = &stretch->points[stretch->count - 1];
	double allocs = last->allocs - first->allocs;

	return allocs > 0 && last->blocks - first->blocks <= long_lived * allocs;
}

bool
shape_goes_with_load(const struct stretch *stretch)
{
	const struct trend_point *points = stretch->points;
	double loads[KENDALL_MAX];
	double stays[KENDALL_MAX];

	if (points[stretch->count - 1].allocs > points[0].allocs && !shape_turns_over(stretch))
		return false;
	for (size_t i = 0; i < stretch->count; i++) {
		loads[i] = points[i].load;
		if (loads[i] <= 0)
			return false;
		stays[i] = stretch->floors[i] / loads[i];
	}
	return kendall_test(stretch->times, loads, stretch->count).p < load_rises
		&& kendall_test(stretch->times, stays, stretch->count).p > TREND_CHANCE;
}
