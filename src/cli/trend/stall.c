// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/evidence.h"

// This many rises were to be expected: that there was none is not due to chance.
static const double missed_rises = 5;
// Work of others counts as before if it is this share of it, in all or by the clock.
static const double as_much = 0.25;

bool
stall_is_level(const struct trend_point *point, double floor, double much)
{
	return fabs(point->floor - floor) <= much && fabs(point->peak - floor) <= much;
}

// Returns the first point from which on the floor does not change.
static size_t
last_growth(const struct trend_point *points, size_t count, size_t onset, double much)
{
	size_t i = count - 1;
	double floor = points[i].floor;

	if (!stall_is_level(&points[i], floor, much))
		return i;
	while (i > onset && stall_is_level(&points[i - 1], floor, much))
		i--;
	return i;
}

// Returns the work of others until a point, in calls. If a log has no calls, returns all work, in
// bytes. As a cache fills, its own calls may be most of all. Without them a full cache shows as
// much work.
static double
work_at(const struct finding *finding, const struct trend_point *points, size_t count, size_t i)
{
	if (points[count - 1].calls <= 0)
		return points[i].time;
	return points[i].calls - (finding->source ? points[i].allocs : 0);
}

// Returns the number of points at which the floor rose.
static size_t
count_rises(const struct trend_point *points, size_t from, size_t to)
{
	size_t rises = 0;

	for (size_t i = from + 1; i <= to; i++)
		rises += points[i].floor > points[i - 1].floor;
	return rises;
}

static double
clock_at(const struct finding *finding, const struct trend_point *points, size_t count, size_t i)
{
	(void)finding, (void)count;
	return points[i].clock;
}

// Returns the longest work, or time, between two points during which the floor did not rise.
static double
longest_wait(const struct finding *finding, const struct trend_point *points, size_t count,
	size_t to, double (*at)(const struct finding *, const struct trend_point *, size_t, size_t))
{
	double longest = 0, much = STALL_LEVEL * finding->trend.growth;
	size_t from = finding->trend.onset;

	for (size_t a = from, b = from; a < to; a++) {
		b = b > a ? b : a;
		while (b < to && points[b + 1].floor - points[a].floor <= much)
			b++;
		size_t after = b < to ? b + 1 : to;
		longest = fmax(longest, at(finding, points, count, after) - at(finding, points, count, a));
	}
	return longest;
}

// Returns the longest time between two points between which the source grew at an unknown moment.
static double
longest_unseen(const struct trend_point *points, size_t from, size_t to)
{
	double longest = 0;

	for (size_t i = from + 1; i <= to; i++)
		if (points[i].floor > points[i - 1].floor)
			longest = fmax(longest, points[i].clock - points[i - 1].clock);
	return longest;
}

// Returns true if the source rested for longer than it grew. Others must have worked no more than
// the source while it grew. A server rests so if its memory is in large pieces and a request
// allocates nothing. Then lack of work does not show that the process rests. The source must also
// be silent for longer than twice its longest wait.
static bool
stood_still(const struct finding *finding, const struct trend_point *points, size_t count,
	size_t grew)
{
	size_t onset = finding->trend.onset;
	double others = work_at(finding, points, count, grew) - work_at(finding, points, count, onset);
	double own = points[grew].allocs - points[onset].allocs;
	double grew_ms = points[grew].clock - points[onset].clock;
	double since_ms = finding->known - points[grew].clock;

	// Without calls the work of others is not known.
	if (!finding->source || points[count - 1].calls <= 0 || others > own)
		return false;
	return grew_ms > 0 && since_ms > grew_ms
		&& since_ms > 2 * longest_wait(finding, points, count, grew, clock_at);
}

// Returns true if others worked as before since it last grew, and it would have grown often. They
// must have worked for longer than it ever waited. A burst, as of a program that cleans up, counts
// only for the time that it took.
static bool
went_without(const struct finding *finding, const struct trend_point *points, size_t count,
	size_t grew, double end)
{
	size_t onset = finding->trend.onset;
	double before = work_at(finding, points, count, grew);
	double during = before - work_at(finding, points, count, onset);
	double since = end - before;
	double during_ms = points[grew].clock - points[onset].clock;
	double since_ms = finding->known - points[grew].clock;
	double rises = (double)count_rises(points, onset, grew);

	if (during <= 0 || during_ms <= 0)
		return false;
	if (rises * fmin(since / during, since_ms / during_ms) < missed_rises)
		return false;
	if (since <= 2 * longest_wait(finding, points, count, grew, work_at))
		return false;
	return since >= as_much * during || since * during_ms >= as_much * during * since_ms;
}

void
stall_measure(struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end)
{
	const struct trend *trend = &finding->trend;
	const struct trend_point *last = &points[count - 1];
	bool is_known_to_end = last->time >= span->window;
	double work = work_at(finding, points, count, count - 1);
	double much = STALL_LEVEL * trend->growth;
	size_t grew = last_growth(points, count, trend->onset, much);

	finding->or_earlier = trend->onset == 0 && points[0].floor > 0
		&& (span->begins_late || points[0].clock > 0);
	finding->known = is_known_to_end ? (double)span->duration : last->clock;
	// A source that changed within the last window grew until that window's end.
	finding->grew = stall_is_level(last, last->floor, much) ? points[grew].clock
		: finding->known;
	finding->unseen = longest_unseen(points, trend->onset, grew);
	double more = end ? end->bytes - last->floor : 0;
	// Memory that was freed may have grown until then.
	if (end && is_known_to_end && more >= -much && (end->is_silent || more <= much)) {
		finding->known = end->clock;
		if (last->calls > 0)
			work = end->calls - (finding->source ? last->allocs : 0);
	}
	finding->went_without = span->has_times && went_without(finding, points, count, grew, work);
	finding->stood_still = span->has_times && stood_still(finding, points, count, grew);
}
