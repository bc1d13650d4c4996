// long
// The judge of src/cli/judge, by the families of trend_families.h: how often does it say that what
// does not leak leaks, how often does it find what does, and how often is the rate within its interval?

#include "judge/judge.h"
#include "trend_kinds.h"

// Percent. Of a random walk no log tells what it will do.
static const double alarms_in_all = 1, alarms_most = 3, alarms_walk = 6, covered_least = 90;

struct tally {
	double leaks, covered; // percent
};

// What is asked of a family, in percent.
struct bounds {
	double leaks, covered;
};

// What is worse than others may be: as measured, and a little.
static const struct {
	const char *name;
	double leaks, covered;
} weak[] = {
	{"a leak of 5, and it wanders", 86, 90},
	{"a leak of 6, and it wanders", 91, 90},
	{"50 blocks, lost by chance", 93, 0},
	{"a leak of changing work", 94, 0},
	{"a late leak of 8, told of ever more seldom", 95, 87},
	{"teeth, and then a leak for longer than these", 0, 0},
	{"a leak of 8, beneath noise that remembers an hour of twelve", 86, 0},
	{"unequal teeth, and a floor that rises", 91, 0},
};

static struct bounds
bounds_of(size_t kind)
{
	bool is_leak = kinds[kind].least > 0;
	double found = kinds[kind].windows >= 64 ? 95 : 90;
	double alarms = kinds[kind].live == walk ? alarms_walk : alarms_most;

	for (size_t i = 0; i < sizeof(weak) / sizeof(*weak); i++)
		if (strcmp(weak[i].name, kinds[kind].name) == 0)
			return (struct bounds){weak[i].leaks, weak[i].covered};
	return (struct bounds){is_leak ? found : alarms, covered_least};
}

static struct tally
judge(size_t kind)
{
	struct trend_point points[KENDALL_MAX];
	struct bounds bounds = bounds_of(kind);
	bool has_rate = kinds[kind].least > 0 && kinds[kind].rate > 0;
	double leaks = 0, covered = 0, count = 0;

	while (count < KINDS_EACH) {
		kinds_make(kind, (unsigned)count++, points);
		struct judgement judgement = judge_series(points, kinds[kind].windows, 1);
		leaks += judgement.verdict == JUDGE_LEAKS;
		covered += judgement.verdict == JUDGE_LEAKS && judgement.rate_low <= rate
			&& rate <= judgement.rate_high;
		if (count >= KINDS_FEWEST && kinds_is_far(leaks, count, bounds.leaks)
				&& (!has_rate || kinds_is_far(covered, leaks, bounds.covered)))
			break;
	}
	return (struct tally){100 * leaks / count, 100 * covered / fmax(leaks, 1)};
}

static bool
is_right(size_t kind, const struct tally *tally)
{
	struct bounds bounds = bounds_of(kind);

	if (kinds[kind].least == 0)
		return tally->leaks <= bounds.leaks;
	return tally->leaks >= bounds.leaks && (kinds[kind].rate == 0 || tally->covered >= bounds.covered);
}

// Percent of a family's histories, of which the first so many windows are judged, with this verdict.
static double
share(series_live live, double with_a, double with_b, size_t windows, enum judge_verdict verdict)
{
	struct trend_point points[KENDALL_MAX];
	double count = 0;

	for (unsigned i = 0; i < 100; i++) {
		a = with_a;
		b = with_b;
		series_snapshots = SERIES_SNAPSHOTS;
		series_last = 0;
		series_is_sparse = began = false;
		series_seed(i);
		series_make(points, 64, live);
		count += judge_series(points, windows, 1).verdict == verdict;
	}
	return count;
}

int
main(void)
{
	double alarms = 0, innocents = 0, worst = 0, found = 0, leaks = 0;
	int wrong = 0;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		struct tally tally = judge(kind);
		bool leak = kinds[kind].least > 0, right = is_right(kind, &tally);
		printf("%s%s: %s %.1f%%", right ? "" : "wrong: ", kinds[kind].name, leak ? "found" : "alarms",
			tally.leaks);
		if (kinds[kind].rate > 0)
			printf(", rate covered in %.1f%%", tally.covered);
		printf("\n");
		wrong += !right;
		*(leak ? &found : &alarms) += tally.leaks;
		*(leak ? &leaks : &innocents) += 1;
		if (!leak && kinds[kind].live != walk)
			worst = fmax(worst, tally.leaks);
	}
	printf("figure: judge: false alarms %.2f%%, worst family %.1f%%, found %.1f%%\n", alarms / innocents,
		worst, found / leaks);
	double stopped = share(full, 0.05, 0.5, 64, JUDGE_STOPPED), early = share(line, 5, 0, 7, JUDGE_TOO_EARLY);
	// It has not yet reached what the teeth had.
	double low = share(teeth_then_leak, 1, 0, 64, JUDGE_TOO_EARLY);
	printf("stopped: %.0f%%; too early: %.0f%% of 7 windows, %.0f%% of leaks below teeth\n", stopped, early,
		low);
	wrong += stopped < 95 || early < 100 || low < 95;
	return wrong > 0 || alarms / innocents > alarms_in_all;
}
