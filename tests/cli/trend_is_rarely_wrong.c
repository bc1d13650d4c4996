// long
// By the families of trend_families.h: how often does the judge say that what does not leak leaks, how often
// does it find what does, and how often is the rate within its interval?

#include "trend_kinds.h"
#include "trend/trend.h"
#include "trend/verdict.h"

// Percent of all histories without a leak, of those of one kind, and of random walks: of these no log tells
// what they will do.
static const double alarms_in_all = 1, alarms_most = 3, alarms_walk = 6;
static const double covered_least = 95; // as help has it

// Percent in which the rate of these is covered: as measured, and a little.
static const struct {
	const char *name;
	double covered;
} weak[] = {
	{"a leak of 6, and it wanders", 94},
	{"a late leak of 8, told of ever more seldom", 88},
};

static double
covered_of(size_t kind)
{
	for (size_t i = 0; i < sizeof(weak) / sizeof(*weak); i++)
		if (strcmp(weak[i].name, kinds[kind].name) == 0)
			return weak[i].covered;
	return covered_least;
}

// Percent of the histories of a kind that are said to leak; and of these, percent in which the rate is
// within the interval that is told.
static double
leaks(size_t kind, double bound, double *covered)
{
	struct trend_point points[TREND_MAX];
	bool has_rate = kinds[kind].least > 0 && kinds[kind].rate > 0;
	double count = 0, within = 0, made = 0;

	while (made < KINDS_EACH) {
		kinds_make(kind, (unsigned)made++, points);
		struct trend trend = trend_judge(points, kinds[kind].windows, 1);
		count += verdict_is_leak(trend.verdict);
		within += verdict_is_leak(trend.verdict) && trend.slope_low <= rate
			&& rate <= trend.slope_high;
		if (made >= KINDS_FEWEST && kinds_is_far(count, made, bound)
				&& (!has_rate || kinds_is_far(within, count, covered_of(kind))))
			break;
	}
	*covered = 100 * within / fmax(count, 1);
	return 100 * count / made;
}

// Found often enough, and the rate within its interval.
static bool
is_found(size_t kind)
{
	double covered, percent = leaks(kind, kinds[kind].least, &covered);
	bool is_right = percent >= kinds[kind].least && (kinds[kind].rate == 0 || covered >= covered_of(kind));

	printf("figure: found: %s: %.1f%%", kinds[kind].name, percent);
	if (kinds[kind].rate > 0)
		printf(", rate covered in %.1f%%", covered);
	printf("\n");
	if (!is_right)
		printf("expected %g, and %g, at least\n", kinds[kind].least, covered_of(kind));
	return is_right;
}

static bool
is_innocent(size_t kind, double *alarms)
{
	double covered, most = kinds[kind].live == walk ? alarms_walk : alarms_most;
	double percent = leaks(kind, most, &covered);

	printf("%s: %.1f%%\n", kinds[kind].name, percent);
	if (percent > most)
		printf("expected %g at most\n", most);
	*alarms += percent;
	return percent <= most;
}

// Percent of a family's histories, of which the first so many windows are judged, with this verdict.
static double
share(series_live live, double with_a, double with_b, size_t windows, enum verdict verdict)
{
	struct trend_point points[TREND_MAX];
	double count = 0;

	for (unsigned i = 0; i < 100; i++) {
		a = with_a;
		b = with_b;
		series_snapshots = SERIES_SNAPSHOTS;
		series_last = 0;
		series_is_sparse = began = false;
		series_seed(i);
		series_make(points, 64, live);
		count += trend_judge(points, windows, 1).verdict == verdict;
	}
	return count;
}

int
main(void)
{
	double alarms = 0, innocent = 0;
	int wrong = 0;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		wrong += !(kinds[kind].least > 0 ? is_found(kind) : is_innocent(kind, &alarms));
		innocent += kinds[kind].least == 0;
	}
	printf("figure: false alarms %.2f%%\n", alarms / innocent);
	double stopped = share(full, 0.05, 0.5, 64, VERDICT_LEVELLED_OFF);
	double early = share(line, 5, 0, 7, VERDICT_SHORT);
	// It has not yet reached what the teeth had.
	double low = share(teeth_then_leak, 1, 0, 64, VERDICT_SHORT);
	printf("stopped: %.0f%%; too early: %.0f%% of 7 windows, %.0f%% of leaks below teeth\n", stopped, early,
		low);
	wrong += stopped < 95 || early < 100 || low < 95;
	return wrong > 0 || alarms / innocent > alarms_in_all;
}
