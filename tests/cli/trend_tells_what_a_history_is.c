// Histories with known answers get exactly that verdict: leaks, steady, late, in steps, under
// noise and beneath teeth; and what is none: caches, load, start-up, growth that ended, pools.

#include "trend_series.h"
#include "trend/shape.h"
#include "trend/trend.h"
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
static double falling(double t) { return 1e6 - 5e5 * t; }

static const struct {
	const char *name;
	series_live live;
	enum verdict verdict;
	double onset; // for leaks, within 0.06
} histories[] = {
	{"nothing happens", flat, VERDICT_FLAT, 0},
	{"a line under noise", line, VERDICT_LEAKS, 0},
	{"one block in a thousand", one_in_1000, VERDICT_LEAKS, 0},
	{"a cache fills", cache, VERDICT_SETTLES, 0},
	{"a cache fills, under noise", noisy_cache, VERDICT_SETTLES, 0},
	{"load doubles and falls", doubles, VERDICT_LOAD, 0},
	{"load doubles and falls, under noise", noisy_doubles, VERDICT_LOAD, 0},
	{"saw-tooth", teeth, VERDICT_SAW_TOOTH, 0},
	{"a few teeth", slow_teeth, VERDICT_SAW_TOOTH, 0},
	{"teeth the other way round", falling_teeth, VERDICT_OSCILLATES, 0},
	{"noise", noise, VERDICT_OSCILLATES, 0},
	{"a step", step, VERDICT_SETTLES, 0},
	{"a step under noise", noisy_step, VERDICT_SETTLES, 0},
	{"two steps", two_steps, VERDICT_SETTLES, 0},
	{"start-up", start_up, VERDICT_START_UP, 0},
	{"start-up needs more", start_up_peak, VERDICT_START_UP, 0},
	{"a week's load", week, VERDICT_LOAD, 0},
	{"begins late", late, VERDICT_LEAKS, 0.7},
	{"begins at the last moment", last_moment, VERDICT_SHORT, 0},
	{"a leak beneath teeth", leaky_teeth, VERDICT_LEAKS, 0},
	{"a leak that ended", ended, VERDICT_SETTLES, 0},
	{"in steps", stairs, VERDICT_STEPS, 0},
	{"a table that doubles", doubling, VERDICT_STEPS, 0},
	{"a cache that leaks", leaky_cache, VERDICT_LEAKS, 0.2},
	{"the beginning is gone", rotated, VERDICT_LEAKS, 0},
	{"falls", falling, VERDICT_LOAD, 0},
	{"given back", given_back, VERDICT_LOAD, 0},
	{"given back sooner", given_back_soon, VERDICT_LOAD, 0},
};

static int
check(size_t i, size_t count)
{
	struct trend_point points[TREND_MAX];
	series_seed(i);
	series_make(points, count, histories[i].live);
	struct trend trend = trend_judge(points, count, 1);
	double onset = verdict_is_leak(trend.verdict) ? points[trend.onset].time : 0;
	if (trend.verdict == histories[i].verdict && fabs(onset - histories[i].onset) < 0.06)
		return 0;
	printf("%s, %zu windows: '%s' since %.2f, expected '%s' since %.2f\n", histories[i].name,
		count, verdict_words[trend.verdict], onset, verdict_words[histories[i].verdict],
		histories[i].onset);
	return 1;
}

static int
check_short(void)
{
	struct trend_point points[TREND_LEAST];
	series_make(points, TREND_LEAST, line);
	if (trend_judge(points, TREND_LEAST - 1, 1).verdict == VERDICT_SHORT)
		return 0;
	puts("a verdict on too few points");
	return 1;
}

static double rising(double t) { return 1e6 * (1 + t) + 1e4 * series_noise(); }
static double level(double t) { return 1e6 + 1e5 * series_noise() + 0 * t; }

// More load needs more memory, and that is no leak; a leak grows faster than the load does. One
// block in `kept` is never freed: where these are many it leaks, however fast the process runs.
static int
check_load(const char *what, series_live live, double load, double more_load, double kept,
	enum verdict verdict)
{
	struct trend_point points[TREND_MAX];
	series_seed(7);
	series_make(points, TREND_MAX, live);
	for (size_t i = 0; i < TREND_MAX; i++)
		points[i].load = (load + more_load * points[i].time) * (1 + 0.02 * series_noise());
	for (size_t i = 0; i < TREND_MAX; i++)
		points[i].allocs = points[i].blocks * kept;
	struct trend trend = trend_judge(points, TREND_MAX, 1);
	if (trend.verdict == verdict)
		return 0;
	printf("%s: '%s', expected '%s'\n", what, verdict_words[trend.verdict],
		verdict_words[verdict]);
	return 1;
}

// Teeth that are a little shorter than `each` snapshots: each shows a tooth a little later than the one
// before did, so that the floors rise, and no floor does.
static double snapshots, each;
static double seldom_seen(double t) { return 1e6 * fmod(t * snapshots * (1 / each + 0.4 / each / snapshots), 1); }

static int
check_late(void)
{
	struct trend_point points[TREND_MAX];
	int wrong = 0;

	series_snapshots = 1;
	for (each = 2; each <= 3; each++) {
		for (size_t count = 40; count <= TREND_MAX; count += 11) {
			snapshots = (double)count;
			series_make(points, count, seldom_seen);
			struct trend trend = trend_judge(points, count, 1);
			if (!verdict_is_leak(trend.verdict))
				continue;
			printf("teeth of %.0f snapshots, %zu of them: leaks\n", each, count);
			wrong++;
		}
	}
	series_snapshots = SERIES_SNAPSHOTS;
	return wrong;
}

static double slight(double t) { return 1e6 + 1e5 * (1.2 * t + series_noise()); }

// A rise that is slight by its noise is found far less often in what comes and goes: that wanders.
static int
check_turnover(void)
{
	enum { EACH = 200 };
	int found[2] = {0};

	for (int i = 0; i < 2 * EACH; i++) {
		struct trend_point points[TREND_MAX];
		series_seed(1000 + i / 2);
		series_make(points, TREND_MAX / 2, slight);
		for (size_t k = 0; k < TREND_MAX / 2; k++)
			points[k].allocs = points[k].blocks * (i % 2 == 0 ? 3 : 50);
		found[i % 2] += verdict_is_leak(trend_judge(points, TREND_MAX / 2, 1).verdict);
	}
	if (found[0] >= 0.65 * EACH && found[1] <= 0.35 * EACH)
		return 0;
	printf("slight: %d of %d where a third is kept, %d where hardly any is\n", found[0], EACH,
		found[1]);
	return 1;
}

// One block in flight, which a snapshot sees or not: a window whose snapshots all saw it is none of
// growth. Teeth take several windows to rise, however few there are.
static int
check_in_flight(void)
{
	enum { COUNT = 96 };
	static const size_t seen[][4] = {{COUNT - 1}, {40, COUNT - 1}, {40, 42, COUNT - 1}, {20, 21, 22, 23}};
	int wrong = 0;

	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++) {
		struct trend_point points[COUNT];
		for (size_t k = 0; k < COUNT; k++)
			points[k] = (struct trend_point){.time = (double)k, .peak = 40000, .mean = 20000,
				.allocs = 14 * (double)k, .load = -1};
		for (size_t k = 0; k < 4; k++)
			if (seen[i][k] > 0)
				points[seen[i][k]].floor = points[seen[i][k]].mean = 40000;
		enum verdict verdict = trend_judge(points, COUNT, 1).verdict;
		if (verdict == VERDICT_OSCILLATES)
			continue;
		printf("a block in flight, %zu: '%s'\n", i, verdict_words[verdict]);
		wrong++;
	}
	return wrong;
}

// A source that keeps a block of 300 bytes at a time, in a log that tells of its first fifth and then of
// its end alone: nobody has seen it become level in between.
static int
check_hole(void)
{
	enum { COUNT = 14 };
	struct trend_point points[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		double time = i + 1 < COUNT ? 10 + 12 * (double)i : 900;
		double blocks = floor(time * (i + 1 < COUNT ? 1.13 : 1.125));
		points[i] = (struct trend_point){.time = time, .floor = 300 * blocks,
			.peak = 300 * blocks, .mean = 300 * blocks, .told = 1, .blocks = blocks,
			.allocs = blocks, .load = -1};
	}
	enum verdict verdict = trend_judge(points, COUNT, 1).verdict;
	if (verdict == VERDICT_LEAKS)
		return 0;
	printf("seen at first and at last: '%s'\n", verdict_words[verdict]);
	return 1;
}

int
main(void)
{
	int wrong = check_short();
	wrong += check_hole();
	wrong += check_in_flight();
	wrong += check_turnover();
	wrong += check_late();
	wrong += check_load("live goes with the load", rising, 1000, 1000, 50, VERDICT_LOAD);
	wrong += check_load("the load is level", rising, 1000, 0, 50, VERDICT_LEAKS);
	wrong += check_load("live grows faster", rising, 1000, 300, 50, VERDICT_LEAKS);
	wrong += check_load("a third is kept", rising, 1000, 1000, 3, VERDICT_LEAKS);
	wrong += check_load("live stays", level, 1000, 1000, 50, VERDICT_OSCILLATES);
	for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++)
		for (size_t count = TREND_MAX / 2; count <= TREND_MAX; count += 16)
			wrong += check(i, count);
	return wrong > 0;
}
