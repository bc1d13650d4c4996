// The judge of src/cli/judge where values have no noise: what never falls is told by when it rises, and
// what is exact is no season.

#include <string.h>

#include "judge/judge.h"
#include "judge/view.h"
#include "trend_series.h"

enum { WINDOWS = 100 };

static const char *const words[] = {"no leak", "leaks", "too early", "stopped"};
static int wrong;

static struct trend_point
point_of(double time, double bytes)
{
	return (struct trend_point){.time = time, .floor = bytes, .peak = bytes, .mean = bytes, .told = 2,
		.load = -1};
}

static struct judgement
check(const char *what, const struct trend_point *points, size_t count, bool is_leak)
{
	struct judgement judgement = judge_series(points, count, 1);

	if ((judgement.verdict == JUDGE_LEAKS) != is_leak) {
		printf("%s: %s\n", what, words[judgement.verdict]);
		wrong++;
	}
	return judgement;
}

// Rises at some of 200 moments.
static void
check_few(const char *what, const unsigned *moments, const unsigned *blocks, size_t count, bool is_leak)
{
	struct trend_point points[WINDOWS];
	double bytes = 0;

	for (unsigned i = 0; i < 200; i++) {
		for (size_t k = 0; k < count; k++)
			bytes += moments[k] == i ? 16392 * (blocks ? blocks[k] : 1) : 0;
		if (i % 2 == 0)
			points[i / 2] = point_of(i, bytes);
	}
	struct judgement judgement = check(what, points, WINDOWS, is_leak);
	double rate = bytes / 200;
	if (is_leak && (judgement.since > 10 || rate < judgement.rate_low || judgement.rate_high < rate)) {
		printf("%s: since %zu, %g to %g\n", what, judgement.since, judgement.rate_low, judgement.rate_high);
		wrong++;
	}
}

// A pool gets a block each time that more is in use than ever: often at first, and then records become rare.
// What comes as often, but evenly, is no pool, nor is a table that doubles, or what comes oftener.
static void
check_pools(void)
{
	static const unsigned pool[] = {10, 24, 82, 90, 170};
	static const unsigned records[] = {4, 6, 10, 28, 61, 93, 114, 146};
	static const unsigned evenly[] = {10, 50, 90, 130, 170};
	static const unsigned doubles[] = {3, 8, 18, 38, 78, 158}, by[] = {1, 2, 4, 8, 16, 32};
	static const unsigned often[] = {10, 24, 42, 50, 85, 90, 110, 134, 156, 180};
	static const unsigned at_first[] = {10, 20, 30, 40, 50, 60};
	static const unsigned at_last[] = {184, 188, 192, 196};

	check_few("a pool", pool, NULL, 5, false);
	check_few("a busy pool", records, NULL, 8, false);
	check_few("evenly", evenly, NULL, 5, true);
	check_few("a table that doubles", doubles, by, 6, true);
	check_few("often", often, NULL, 10, true);
	check_few("evenly, at first", at_first, NULL, 6, false);
	check_few("evenly, at last", at_last, NULL, 4, false);
}

// It grew evenly, and idles for the last tenth of the work: that tells nothing.
static void
check_idle(void)
{
	struct trend_point points[WINDOWS];

	for (unsigned i = 0; i < WINDOWS; i++)
		points[i] = point_of(i * 262144.0, i < 91 ? 1000 + 4000 * i : 362000);
	struct judgement judgement = check("idle at last", points, WINDOWS, true);
	if (judgement.since > 0 || judgement.rate < 0.9 * 4000 / 262144 || judgement.rate > 1.1 * 4000 / 262144) {
		printf("idle at last: since %zu, %g\n", judgement.since, judgement.rate);
		wrong++;
	}
}

// Two windows may begin at one time: then their rises are one, and no wait of nothing.
static void
check_at_once(void)
{
	static const unsigned rises[] = {5, 13, 24, 26, 37, 44, 58};
	struct trend_point points[64];
	double bytes = 1e6;

	for (unsigned i = 0, next = 0; i < 64; i++) {
		bool is_rise = next < sizeof(rises) / sizeof(*rises) && i == rises[next];
		next += is_rise;
		bytes += is_rise ? 1e5 : 0;
		points[i] = point_of((i == 25 || i == 26 ? 24 : i) * 262144.0, bytes);
	}
	if (!(check("two rises at one time", points, 64, true).certainty > 0.5)) {
		printf("two rises at one time: not certain\n");
		wrong++;
	}
}

// The floors of windows of one snapshot are their means, at the same times. So the judge leaves them out.
static void
check_exact_view(void)
{
	static struct view means, floors;
	struct trend_point points[WINDOWS];

	for (unsigned i = 0; i < WINDOWS; i++) {
		points[i] = point_of((i + 0.2 * (i % 4)) * 262144, 1e6 + 1e3 * i);
		points[i].told = 1;
	}
	bool is_same = view_take(points, WINDOWS, 0, 0, 0, &means) && view_take(points, WINDOWS, 0, 1, 0, &floors)
		&& means.series.count == WINDOWS && floors.series.count == WINDOWS;
	for (unsigned i = 0; i < WINDOWS && is_same; i++)
		is_same = means.series.times[i] == floors.series.times[i]
			&& means.series.values[i] == floors.series.values[i];
	points[5].told = 2;
	bool was_exact = means.is_exact;
	if (!is_same || !was_exact || !view_take(points, WINDOWS, 0, 0, 0, &means) || means.is_exact) {
		printf("one snapshot a window: means and floors differ\n");
		wrong++;
	}
}

// All that is not the line is rounding.
static void
check_exact(void)
{
	struct trend_point points[WINDOWS];

	for (unsigned i = 0; i < 80; i++)
		points[i] = point_of(i * 301200.0, 300000.0 * (i + 1));
	check("an exact line", points, 80, true);
}

// A load that grew twice. In each of two windows it did so between snapshots.
static void
check_steps(void)
{
	for (unsigned first = 16; first <= 40; first++) {
		struct trend_point points[WINDOWS];
		for (unsigned i = 0; i < 77; i++) {
			double bytes = 64e3 + 32e3 * (i >= first) + 32e3 * (i >= first + 33);
			points[i] = point_of(i * 0.9e6, bytes);
			if (i == first || i == first + 33)
				points[i].mean -= 16e3;
		}
		check("two steps", points, 77, false);
	}
}

// Teeth of 18 windows and more. Windows show them at a snapshot each, and at last as the mean of twelve.
static void
check_windows(void)
{
	for (unsigned of_each = 18; of_each <= 36; of_each++) {
		struct trend_point points[WINDOWS];
		double time = 0;
		for (unsigned i = 0; i < 77; i++) {
			unsigned told = i < 67 ? 1 : 12;
			double low = INFINITY, sum = 0, high = 0;
			points[i].time = time;
			for (unsigned k = 0; k < told; k++) {
				double bytes = 1000 * fmod(time / of_each / 1.01, 1);
				low = fmin(low, bytes);
				high = fmax(high, bytes);
				sum += bytes;
				time += 1.2 / told - (told == 1 ? 0.2 : 0);
			}
			points[i] = (struct trend_point){.time = points[i].time, .floor = low, .peak = high,
				.mean = sum / told, .told = told, .load = -1};
		}
		check("teeth in uneven windows", points, 77, false);
	}
}

int
main(void)
{
	check_pools();
	check_idle();
	check_at_once();
	check_exact_view();
	check_exact();
	check_steps();
	check_windows();
	return wrong > 0;
}
