// The statistics are those of the literature, on series worked out by hand; and what a leak is
// said to grow by, an hour, in bytes and in blocks, is what it grows by.

#include "nearly.h"
#include "trend_series.h"
#include "trend/verdict.h"
#include "trend/trend.h"
#include "trend/verdict.h"

static void
check_statistics(void)
{
	static const double times[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const double up[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const double ties[] = {1, 1, 2, 2, 3, 3};
	static const double stray[] = {0, 2, 4, 6, 1000, 10, 12, 14};
	static const double down[] = {4, 3, 2, 1};

	struct kendall result = kendall_test(times, up, 8);
	expect("s", result.s, 28, 0);
	expect("variance", result.variance, 8 * 7 * 21 / 18.0, 1e-9);
	expect("one order of 8!", result.p, 1 / 40320.0, 1e-15);
	expect("slope", kendall_slope(times, up, 8), 1, 1e-12);
	// 4 of 24 orders of 4 values have no more than one pair that falls; here it is 1 of 3.
	static const double nearly[] = {1, 2, 4, 3};
	expect("orders of 4", kendall_test(times, nearly, 4).p, 4 / 24.0, 1e-12);

	result = kendall_test(times, ties, 6);
	expect("s with ties", result.s, 12, 0);
	expect("variance with ties", result.variance, (6 * 5 * 17 - 3 * 2 * 1 * 9) / 18.0, 1e-9);
	expect("p with ties", result.p, erfc(11 / sqrt(76 / 3.0) / sqrt(2)) / 2, 1e-12);

	expect("a stray value", kendall_slope(times, stray, 8), 2, 1e-12);
	expect("falling", kendall_test(times, down, 4).p, 1, 1e-12);
	expect("correlation", kendall_correlation(up, times, 8), 1, 1e-12);
	expect("8 of 10", kendall_sign_test(8, 2), (45 + 10 + 1) / 1024.0, 1e-12);
	expect("none", kendall_sign_test(0, 0), 1, 0);
}

// What follows itself slowly has a wider variance; what does not keeps the usual one.
static void
check_widening(void)
{
	double times[64], waves[64], noise[64];
	series_seed(3);
	for (int i = 0; i < 64; i++) {
		times[i] = i;
		waves[i] = sin(i / 6.0);
		noise[i] = series_noise();
	}
	double usual = 64 * 63 * 133 / 18.0;
	expect("noise", kendall_test(times, noise, 64).variance, usual, 1e-6);
	if (kendall_test(times, waves, 64).variance < 3 * usual)
		expect("waves", kendall_test(times, waves, 64).variance, 3 * usual, 0);
}

static double exact(double t) { return 6400 + 640000 * t; }
static double noisy(double t) { return 64 * (1000 + 10000 * t + 100 * series_noise()); }

static double
slowing(double t)
{
	return 64 * round(t > 0.98 ? 9900 : 10000 * sqrt(t));
}

static void
check_growth(void)
{
	struct trend_point points[TREND_MAX];
	series_make(points, TREND_MAX, exact);
	struct trend trend = trend_judge(points, TREND_MAX, 1);
	expect("bytes in all", trend.slope, 640000, 100);
	expect("growth", trend.growth, points[TREND_MAX - 1].floor - points[0].floor, 0);
	expect("growth in blocks", trend.growth_blocks, trend.growth / 64, 1);

	int inside = 0;
	for (unsigned i = 0; i < 100; i++) {
		series_seed(i);
		series_make(points, TREND_MAX, noisy);
		trend = trend_judge(points, TREND_MAX, 1);
		inside += trend.slope_low <= 640000 && 640000 <= trend.slope_high;
		expect("growth under noise", trend.growth, 640000, 640000 * 0.03);
		expect("blocks under noise", trend.growth_blocks, 10000, 300);
	}
	// Growth that slows down, and falls back a little at its end: no line fits it.
	series_make(points, TREND_MAX, slowing);
	trend = trend_judge(points, TREND_MAX, 1);
	double times[TREND_MAX], floors[TREND_MAX];
	for (unsigned i = 0; i < TREND_MAX; i++) {
		times[i] = points[i].time;
		floors[i] = points[i].floor;
	}
	double grown = floors[TREND_MAX - 1] - floors[0];
	expect("growth along a curve", kendall_growth(times, floors, TREND_MAX), grown, grown * 0.1);
	expect("and it is none that goes on", trend.verdict, VERDICT_SLOWS, 0);

	// A start, and a fall that is hardly any: what is there between the ends.
	for (unsigned i = 0; i < TREND_MAX; i++)
		floors[i] = i == 0 ? 0 : 1000000 + 5000 * i - (i == 9 ? 6000 : 0);
	grown = floors[TREND_MAX - 1] - floors[0];
	expect("growth from a start on", kendall_growth(times, floors, TREND_MAX), grown, 0);

	// The interval is one of 95%.
	if (inside < 89)
		expect("intervals that hold the truth", inside, 95, 0);
}

int
main(void)
{
	check_statistics();
	check_widening();
	check_growth();
	return wrong > 0;
}
