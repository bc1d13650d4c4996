// The judge of src/cli/judge calls the histories leaks that are, with their beginning, and no others.

#include "judge/judge.h"
#include "judge/view.h"
#include "trend_histories.h"

static int
check(size_t i, size_t count)
{
	struct trend_point points[TREND_MAX];
	bool is_leak = verdict_is_leak(histories[i].verdict);

	series_seed(i);
	series_make(points, count, histories[i].live);
	struct judgement judgement = judge_series(points, count, 1);
	double since = is_leak ? points[judgement.since].time : 0;
	if ((judgement.verdict == JUDGE_LEAKS) == is_leak && fabs(since - histories[i].onset * is_leak) < 0.06)
		return 0;
	printf("%s, %zu windows: verdict %d since %.2f, expected %s since %.2f\n", histories[i].name, count,
		judgement.verdict, since, is_leak ? "a leak" : "none", histories[i].onset);
	return 1;
}

static int
check_late(void)
{
	struct trend_point points[TREND_MAX];
	int wrong = 0;

	for (int of_each = 2; of_each <= 3; of_each++)
		for (size_t count = 40; count <= TREND_MAX; count += 11) {
			histories_make_late(of_each, count, points);
			if (judge_series(points, count, 1).verdict != JUDGE_LEAKS)
				continue;
			printf("teeth of %d snapshots, %zu of them: leaks\n", of_each, count);
			wrong++;
		}
	return wrong;
}

// A burst of other work wrote one window full of snapshots. Floors of the others stay as many.
static int
check_burst(void)
{
	struct trend_point points[TREND_MAX];
	struct view view;

	series_make(points, 96, line);
	points[10].told = 1000 * SERIES_SNAPSHOTS;
	if (view_take(points, 96, 0, 1, 1, &view) && view.series.count > 90)
		return 0;
	printf("after a burst of snapshots there are %zu floors of 96\n", view.series.count);
	return 1;
}

// Windows have a length, though a floor may be at any moment of one.
static double noisy(double t) { return 64 * (1000 + 10000 * t + 100 * series_noise()); }

static int
check_rate(void)
{
	struct trend_point points[TREND_MAX];
	int inside = 0;

	for (unsigned i = 0; i < 100; i++) {
		series_seed(i);
		series_make(points, TREND_MAX, noisy);
		struct judgement judgement = judge_series(points, TREND_MAX, 1);
		inside += judgement.rate_low <= 640000 && 640000 <= judgement.rate_high;
	}
	if (inside < 89)
		printf("the rate is within its interval in %d of 100\n", inside);
	return inside < 89;
}

int
main(void)
{
	int wrong = check_late() + check_burst() + check_rate();

	for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++)
		for (size_t count = TREND_MAX / 2; count <= TREND_MAX; count += 16)
			wrong += check(i, count);
	return wrong > 0;
}
