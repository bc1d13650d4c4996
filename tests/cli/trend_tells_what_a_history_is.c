// Histories with known answers get exactly that verdict: leaks, steady, late, in steps, under
// noise and beneath teeth; and what is none: caches, load, start-up, growth that ended, pools.

#include "trend_histories.h"
#include "trend/trend.h"

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

static int
check_late(void)
{
	struct trend_point points[TREND_MAX];
	int wrong = 0;

	for (int of_each = 2; of_each <= 3; of_each++) {
		for (size_t count = 40; count <= TREND_MAX; count += 11) {
			histories_make_late(of_each, count, points);
			struct trend trend = trend_judge(points, count, 1);
			if (!verdict_is_leak(trend.verdict))
				continue;
			printf("teeth of %d snapshots, %zu of them: leaks\n", of_each, count);
			wrong++;
		}
	}
	return wrong;
}

static double slight(double t) { return 1e6 + 1e5 * (0.7 * t + series_noise()); }

// A rise that is slight by its noise is found less often in what comes and goes: that wanders.
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
	if (found[0] >= 0.65 * EACH && found[1] <= 0.6 * EACH)
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
		if (verdict == VERDICT_UP_AND_DOWN)
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
	wrong += check_load("live goes with the load", rising, 1000, 1000, 50, VERDICT_UP_AND_DOWN);
	wrong += check_load("the load is level", rising, 1000, 0, 50, VERDICT_LEAKS);
	wrong += check_load("live grows faster", rising, 1000, 300, 50, VERDICT_LEAKS);
	wrong += check_load("a third is kept", rising, 1000, 1000, 3, VERDICT_LEAKS);
	wrong += check_load("live stays", level, 1000, 1000, 50, VERDICT_UP_AND_DOWN);
	for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++)
		for (size_t count = TREND_MAX / 2; count <= TREND_MAX; count += 16)
			wrong += check(i, count);
	return wrong > 0;
}
