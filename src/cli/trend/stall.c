// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/evidence.h"

// If at least this many rises were to be expected and no rise came, that is not due to chance.
static const double missed_rises = 5;
// A server that allocates nothing for a request allocates at most this often for its start and connections.
static const double few_of_others = 32;

bool
stall_is_level(const struct trend_point *point, double floor, double much)
{
	return fabs(point->floor - floor) <= much && fabs(point->peak - floor) <= much;
}

// Returns the index of the first point from which on floors and peaks are within `much` of the last
// floor.
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

// Returns how much other sources had allocated by point i: the process's number of allocations less
// the source's number. If the log has no numbers of allocations, returns the bytes that the process
// has allocated and freed. While a cache fills, most of the process's allocations may be the
// cache's own. Without the subtraction, other sources would seem to stop allocating once the cache
// is full.
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

// Returns how long the floor waited for a rise at most, from the onset to point `to`: in allocations
// of other sources (work_at()), or in clock time.
static double
longest_wait(const struct finding *finding, const struct trend_point *points, size_t count,
	size_t to, bool by_clock)
{
	double longest = 0, much = STALL_LEVEL * finding->trend.growth;
	size_t from = finding->trend.onset;

	for (size_t a = from, b = from; a < to; a++) {
		b = b > a ? b : a;
		while (b < to && points[b + 1].floor - points[a].floor <= much)
			b++;
		size_t after = b < to ? b + 1 : to;
		longest = fmax(longest, by_clock ? points[after].clock - points[a].clock
			: work_at(finding, points, count, after) - work_at(finding, points, count, a));
	}
	return longest;
}

// Returns the longest clock time between two neighbouring points if the later point has the higher
// floor. The source grew at some unknown moment between these points.
static double
longest_unseen(const struct trend_point *points, size_t from, size_t to)
{
	double longest = 0;

	for (size_t i = from + 1; i <= to; i++)
		if (points[i].floor > points[i - 1].floor)
			longest = fmax(longest, points[i].clock - points[i - 1].clock);
	return longest;
}

// Returns true if the source has stopped growing, even if no other source has allocated since. The
// time without growth must be longer than the time in which the source grew. It must also be longer
// than twice the source's longest wait for a rise. While the source grew, all other sources
// together must have made few allocations, or no more than the source. An example is a server that
// takes its memory in large pieces, and allocates nothing for a request. In this server, a lack of
// allocations does not show that the process rests.
static bool
stood_still(const struct finding *finding, const struct trend_point *points, size_t count,
	size_t grew)
{
	size_t onset = finding->trend.onset;
	double others = work_at(finding, points, count, grew) - work_at(finding, points, count, onset);
	double own = points[grew].allocs - points[onset].allocs;
	double grew_ms = points[grew].clock - points[onset].clock;
	double since_ms = finding->known - points[grew].clock;

	// If the process's number of allocations is not known, that of other sources is not known
	// either.
	if (!finding->source || points[count - 1].calls <= 0 || others > fmax(own, few_of_others))
		return false;
	return grew_ms > 0 && since_ms > grew_ms
		&& since_ms > 2 * longest_wait(finding, points, count, grew, true);
}

// Returns true if the source has stopped growing while other sources went on allocating. Rises of
// the source are expected in proportion to others' allocations since the source last grew. At least
// missed_rises must be expected. Others must also have allocated more than twice as much as in the
// source's longest wait for a rise. `end` is what others have allocated until now, in the unit of
// work_at(). Others may allocate much in a short time, as when a program cleans up. Then rises are
// expected only in proportion to the clock time.
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
	if (since <= 2 * longest_wait(finding, points, count, grew, false))
		return false;
	return since >= SHARE_SOME * during || since * during_ms >= SHARE_SOME * during * since_ms;
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
	// If the source changed within the last window, it counts as having grown until the end of that
	// window.
	finding->grew = stall_is_level(last, last->floor, much) ? points[grew].clock
		: finding->known;
	finding->unseen = longest_unseen(points, trend->onset, grew);
	double more = end ? end->bytes - last->floor : 0;
	// If the source has about as many bytes at `end` as at the last point, it had stopped. If
	// it has fewer, bytes were freed after the last point. The source may have grown between
	// that point and the frees.
	if (end && is_known_to_end && more >= -much && (end->is_silent || more <= much)) {
		finding->known = end->clock;
		if (last->calls > 0)
			work = end->calls - (finding->source ? last->allocs : 0);
	}
	finding->went_without = span->has_times && went_without(finding, points, count, grew, work);
	finding->stood_still = span->has_times && stood_still(finding, points, count, grew);
}
