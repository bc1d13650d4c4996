// long
// Over thousands of histories without a leak, how often is there said to be one? And over as
// many with a weak one, how often is it found? The bounds are what was measured, and a little.

#include "trend_kinds.h"
#include "trend/shape.h"
#include "trend/trend.h"
#include "trend/verdict.h"

// Percent of the histories of a kind that are said to leak; and of these, percent in which the rate is
// within the interval that is told.
static double
leaks(size_t kind, unsigned each, double *covered)
{
	struct trend_point points[TREND_MAX];
	unsigned count = 0, within = 0;
	for (unsigned i = 0; i < each; i++) {
		kinds_make(kind, i, points);
		struct trend trend = trend_judge(points, kinds[kind].windows, 1);
		count += verdict_is_leak(trend.verdict);
		within += verdict_is_leak(trend.verdict) && trend.slope_low <= rate
			&& rate <= trend.slope_high;
	}
	*covered = count > 0 ? 100.0 * within / count : 0;
	return 100.0 * count / each;
}

int
main(void)
{
	enum { EACH = 1000, CLOSE = 4 * EACH };
	static const double told = 95; // of 100, as help has it
	int wrong = 0;
	double alarms = 0, innocent = 0, covered;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		// What is so close to its bound that chance would tell on which side it is.
		series_live live = kinds[kind].live;
		bool is_close = kinds[kind].least == 95 || live == walk || live == work_grows_slowly
			|| live == from_last_quarter;
		unsigned each = is_close ? CLOSE : EACH;
		double percent = leaks(kind, each, &covered);
		if (kinds[kind].rate > 0)
			printf("figure: found: %s: %.1f%%, rate covered in %.1f%%\n", kinds[kind].name, percent,
				covered);
		else
			printf("%s: %.1f%%\n", kinds[kind].name, percent);
		if (kinds[kind].rate > 0 && covered < told) {
			printf("expected %g at least\n", told);
			wrong++;
		}
		if (percent < kinds[kind].least || percent > kinds[kind].most) {
			printf("expected %g to %g\n", kinds[kind].least, kinds[kind].most);
			wrong++;
		}
		if (kinds[kind].least == 0) {
			alarms += percent * each / 100;
			innocent += each;
		}
	}
	printf("figure: false alarms %.0f of %.0f\n", alarms, innocent);
	return wrong > 0;
}
