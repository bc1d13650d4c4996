// trend_histories: histories with known answers, for tests of judges.

#ifndef PMEM_TEST_TREND_HISTORIES_H
#define PMEM_TEST_TREND_HISTORIES_H

#include "trend_series.h"
#include "trend/verdict.h"

static double flat(double t) { (void)t; return 1000; }
static double line(double t) { return 5000 + 64000 * t + 2000 * series_noise(); }
// One block in a thousand is never freed, of a source that holds about 300 at a time.
static double one_in_1000(double t) { return 64 * (300 + 40 * series_noise() + 800 * t); }
static double cache(double t) { return 1e6 * (1 - exp(-12 * t)); }
static double noisy_cache(double t) { return 1e6 * fmin(t / 0.4, 1) + 1e4 * series_noise(); }
static double doubles(double t) { return t > 0.3 && t < 0.6 ? 2e6 : 1e6; }
static double noisy_doubles(double t) { return doubles(t) + 2e4 * series_noise(); }
static double teeth(double t) { return 1e6 * fmod(t * 12.3, 1); }
static double slow_teeth(double t) { return 1e6 * fmod(t * 3.6, 1) + 1e3 * series_noise(); }
static double step(double t) { return t < 0.5 ? 1e6 : 2e6; }
static double noisy_step(double t) { return step(t) + 2e4 * series_noise(); }
static double two_steps(double t) { return 1e6 * (1 + (t > 0.3) + (t > 0.7)); }
static double start_up(double t) { return t < 0.04 ? 1e6 * t / 0.04 : 1e6; }
static double start_up_peak(double t) { return 1e5 + (t < 0.05 ? 1e7 : 0); }
static double week(double t) { return 2e6 + 1e6 * sin(44 * t) + 1e5 * series_noise(); }
static double late(double t) { return 1e6 + 3e6 * fmax(t - 0.7, 0) + 1e4 * series_noise(); }
static double last_moment(double t) { return 1e6 + 3e7 * fmax(t - 0.97, 0); }
static double falling_teeth(double t) { return 1e6 - teeth(t); }
static double noise(double t) { return 1e6 + 0 * t + 1e5 * series_noise(); }
static double leaky_teeth(double t) { return teeth(t) + 4e5 * t; }
static double ended(double t) { return 1e6 * fmin(t, 0.55) + 1e3 * series_noise(); }
static double stairs(double t) { return 5e5 * floor(t * 7.5); }
static double doubling(double t) { return exp2(floor(log2(1 + 1000 * t))); }
static double leaky_cache(double t) { return 1e6 * fmin(t / 0.2, 1) + line(t * 12.5); }
// A log whose beginning is gone: it leaks all the time.
static double rotated(double t) { return 7e8 + 1e5 * t + 1e3 * series_noise(); }
// All that was gathered is given back before the end.
static double given_back(double t) { return t < 0.97 ? 1e6 * t : 0; }
static double given_back_soon(double t) { return t < 0.85 ? 1e6 * t : 0; }
// Once there is more to do, or a table grows.
static double leak_that_jumps(double t) { return 1e6 + 1e6 * t + 2e6 * (t > 0.4) + 1e4 * series_noise(); }
static double
jump_then_leak(double t)
{
	return 1e6 + 1e6 * (t > 0.6) + 2e6 * fmax(t - 0.6, 0) + 1e4 * series_noise();
}
static double falling(double t) { return 1e6 - 5e5 * t; }

// A third of the time it grows, in five bouts. Since the last it waits, as it waited before, and half as long again.
static double
bouts(double t)
{
	double bout = fmin(t * 16 / 3, 13.0 / 3);
	return 1e6 * (floor(bout) + fmin(3 * (bout - floor(bout)), 1));
}

static const struct {
	const char *name;
	series_live live;
	enum verdict verdict; // of trend.h
	double onset; // for leaks, within 0.06
} histories[] = {
	{"nothing happens", flat, VERDICT_FLAT, 0},
	{"a line under noise", line, VERDICT_LEAKS, 0},
	{"one block in a thousand", one_in_1000, VERDICT_LEAKS, 0},
	{"a cache fills", cache, VERDICT_LEVELLED_OFF, 0},
	{"a cache fills, under noise", noisy_cache, VERDICT_LEVELLED_OFF, 0},
	{"load doubles and falls", doubles, VERDICT_UP_AND_DOWN, 0},
	{"load doubles and falls, under noise", noisy_doubles, VERDICT_UP_AND_DOWN, 0},
	{"saw-tooth", teeth, VERDICT_UP_AND_DOWN, 0},
	{"a few teeth", slow_teeth, VERDICT_UP_AND_DOWN, 0},
	{"teeth the other way round", falling_teeth, VERDICT_UP_AND_DOWN, 0},
	{"noise", noise, VERDICT_UP_AND_DOWN, 0},
	{"a step", step, VERDICT_LEVELLED_OFF, 0},
	{"a step under noise", noisy_step, VERDICT_LEVELLED_OFF, 0},
	{"two steps", two_steps, VERDICT_LEVELLED_OFF, 0},
	{"start-up", start_up, VERDICT_LEVELLED_OFF, 0},
	{"start-up needs more", start_up_peak, VERDICT_UP_AND_DOWN, 0},
	{"a week's load", week, VERDICT_UP_AND_DOWN, 0},
	{"begins late", late, VERDICT_LEAKS, 0.7},
	{"begins at the last moment", last_moment, VERDICT_SHORT, 0},
	{"a leak beneath teeth", leaky_teeth, VERDICT_LEAKS, 0},
	{"a leak that ended", ended, VERDICT_LEVELLED_OFF, 0},
	{"in bouts", bouts, VERDICT_LEAKS, 0},
	{"in steps", stairs, VERDICT_LEAKS, 0},
	{"a table that doubles", doubling, VERDICT_LEAKS, 0},
	{"a cache that leaks", leaky_cache, VERDICT_LEAKS, 0.2},
	{"the beginning is gone", rotated, VERDICT_LEAKS, 0},
	{"falls", falling, VERDICT_UP_AND_DOWN, 0},
	{"given back", given_back, VERDICT_UP_AND_DOWN, 0},
	{"given back sooner", given_back_soon, VERDICT_UP_AND_DOWN, 0},
	{"a leak that jumps", leak_that_jumps, VERDICT_LEAKS, 0},
	{"a jump, and then a leak", jump_then_leak, VERDICT_LEAKS, 0.6},
};

// Teeth that are a little shorter than `each` snapshots: each shows a tooth a little later than the one
// before did, so that the floors rise, and no floor does.
static double snapshots, each;
static double seldom_seen(double t) { return 1e6 * fmod(t * snapshots * (1 / each + 0.4 / each / snapshots), 1); }

// Makes a series of `count` such teeth's snapshots.
static inline void
histories_make_late(double of_each, size_t count, struct trend_point *points)
{
	each = of_each;
	snapshots = (double)count;
	series_snapshots = 1;
	series_make(points, count, seldom_seen);
	series_snapshots = SERIES_SNAPSHOTS;
}

#endif
