// long
// Over thousands of histories without a leak, how often is there said to be one? And over as
// many with one, how often is it found?

#include "trend_kinds.h"
#include "trend/shape.h"
#include "trend/trend.h"
#include "trend/verdict.h"

// Percent of all histories without a leak, of those of one kind, and of random walks: of these no log tells
// what they will do.
static const double alarms_in_all = 1, alarms_most = 3, alarms_walk = 6;
static const double covered_least = 95; // as help has it

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
				&& (!has_rate || kinds_is_far(within, count, covered_least)))
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
	bool is_right = percent >= kinds[kind].least && (kinds[kind].rate == 0 || covered >= covered_least);

	printf("figure: found: %s: %.1f%%", kinds[kind].name, percent);
	if (kinds[kind].rate > 0)
		printf(", rate covered in %.1f%%", covered);
	printf("\n");
	if (!is_right)
		printf("expected %g, and %g, at least\n", kinds[kind].least, covered_least);
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
	return wrong > 0 || alarms / innocent > alarms_in_all;
}
