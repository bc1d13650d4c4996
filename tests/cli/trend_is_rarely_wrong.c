// Over thousands of histories without a leak, how often is there said to be one? And over as
// many with a weak one, how often is it found? The bounds are what was measured, and a little.

#include <string.h>

#include "trend_series.h"

static double a, b, value; // of the history at hand
static double rate;        // at which it leaks
static bool began;

static bool
begins(void)
{
	bool first = !began;
	began = true;
	return first;
}

static double noise(double t) { (void)t; return 1e4 + 1e3 * series_noise(); }

// What wanders back to its mean, within a share of the time: sessions, queues.
static double
wander_within(double share)
{
	double keep = exp(-1 / (64.0 * SERIES_SNAPSHOTS * share));
	value = begins() ? series_noise() : keep * value + sqrt(1 - keep * keep) * series_noise();
	return 1e4 + 1e3 * value;
}

static double
wander(double t)
{
	(void)t;
	return wander_within(a);
}

// A number `a` of sessions, of which each ends by chance; turned over `b` times in all.
static double
sessions(double t)
{
	(void)t;
	if (begins())
		value = a;
	for (double moves = b * 4 * a / (64.0 * SERIES_SNAPSHOTS); series_chance() < moves; moves--) {
		double chance = series_chance();
		if (chance < 0.25)
			value++;
		else if (chance < 0.25 + 0.25 * value / a)
			value--;
	}
	return 256 * value;
}

// A buffer that is emptied when it is full, and it is full at a different size each time.
static double
buffer(double t)
{
	(void)t;
	if (begins() || value > b) {
		value = 0;
		b = 0.5 + series_chance();
	}
	value += a / (64.0 * SERIES_SNAPSHOTS);
	return 1e6 * value;
}

// The same, of a process that is throttled to a tenth of its pace at `b`.
static double
throttled(double t)
{
	if (begins()) {
		value = series_chance();
		b = 0.75 + 0.15 * series_chance();
	}
	if (value > 1)
		value = 0;
	value += (t < b ? a : a / 10) / (64.0 * SERIES_SNAPSHOTS);
	return 1e6 * value;
}

static double
step(double t)
{
	if (begins())
		b = 0.1 + 0.8 * series_chance();
	return 1e6 + 1e6 * (t > b) + a * series_noise();
}

static double
late_step(double t)
{
	if (begins())
		b = 0.75 + 0.2 * series_chance();
	return 1e6 + 1e5 * (a * (t > b) + series_noise());
}

static double
load(double t)
{
	if (begins())
		b = series_chance();
	return 1e6 + 5e5 * sin(6.2832 * (a * t + b)) + 3e4 * series_noise();
}

static double cache(double t) { return 1e6 * (1 - exp(-t / a)) + 1e4 * series_noise(); }

// Full from `b` on, under noise of so much of its height.
static double full(double t) { return 1e6 * (fmin(t / b, 1) + a * series_noise()); }

// Nears its height, with a time constant of `b`.
static double
fills(double t)
{
	return 1e6 * ((1 - exp(-t / b)) / (1 - exp(-1 / b)) + a * series_noise());
}

static double
fills_for_ever(double t)
{
	return 1e6 * (log(1 + b * t) / log(1 + b) + a * series_noise());
}

static double
walk(double t)
{
	(void)t;
	value = begins() ? 0 : value + series_noise();
	return 1e6 + 1e4 * value;
}

// `b` days, from any hour on; the leak is `a` of the day's height a day.
static double
days(double t)
{
	static double hour;
	if (begins())
		hour = series_chance();
	double wave = sin(6.2832 * (b * t + hour)) / 2;
	return 2e6 + 1e6 * (wave + a * b * t + 0.05 * series_noise());
}

// And then it leaks `a` deviations.
static double
cache_that_leaks(double t)
{
	return 1e6 * fmin(t / 0.2, 1) + 1e5 * (a * t + series_noise());
}

static double
burst(double t)
{
	(void)t;
	return 1e3 + (series_chance() < 0.05 ? 5e4 * series_chance() : 0);
}

// The leak is `a` deviations of the noise in all.
static double line(double t) { return 1e4 + 1e3 * (a * t + series_noise()); }
static double late(double t) { return 1e4 + 1e3 * (a * fmax(t - 0.6, 0) + series_noise()); }

static double young(double t) { return 1e4 + 1e3 * (a * fmax(t - 0.8, 0) + series_noise()); }

// Behind a start that took five times as much as is there then.
static double
young_after_start(double t)
{
	return t < 0.03 ? 1e5 : 1e4 + young(t);
}

static double
teeth(double t)
{
	if (begins())
		b = series_chance();
	return 1e6 * (fmod(23.7 * t + b, 1) + a * t);
}

// Work grows within the last tenth, over so much of it as chance has it, and stays so.
static double
work_grows_late(double t)
{
	if (begins()) {
		b = 0.9 + 0.05 * series_chance();
		value = 0.01 + 0.04 * series_chance();
	}
	return 1e6 + 1e5 * (a * fmin(fmax(t - b, 0) / value, 1) + series_noise());
}

// The same beneath noise that wanders within 1/50 of the time.
static double
wandering_line(double t)
{
	return 1e3 * a * t + wander_within(0.02);
}

// `a` deviations from a moment of these on, as chance has it.
static double
from_between(double low, double high, double t)
{
	if (begins())
		b = low + (high - low) * series_chance();
	rate = 1e3 * a / (1 - b);
	return 1e4 + 1e3 * (a * fmax(t - b, 0) / (1 - b) + series_noise());
}

// Anywhere but in the last of the windows, of which too few would be left.
static double from_anywhere(double t) { return from_between(0, 0.85, t); }
static double from_first_third(double t) { return from_between(0, 0.33, t); }
static double from_last_quarter(double t) { return from_between(0.75, 0.85, t); }
static double before_last_quarter(double t) { return from_between(0, 0.75, t); }

// A load that becomes more three times, and no more than that, by up to `a` deviations each.
static double
three_steps(double t)
{
	static double at[3], by[3];
	double sum = 0;
	for (int i = 0, first = begins(); i < 3; i++) {
		if (first) {
			at[i] = series_chance();
			by[i] = series_chance();
		}
		sum += t > at[i] ? by[i] : 0;
	}
	return 1e6 + 1e5 * (a * sum + series_noise());
}

// One that becomes more twice, where a wave of two periods would.
static double
two_steps(double t)
{
	return 1e6 + 1e5 * (a * (t > b) + a * (t > 1 - b) + series_noise());
}

// A buffer of a process that is throttled at any moment, under noise of a tenth of its height.
static double
throttled_any_time(double t)
{
	if (begins()) {
		value = series_chance();
		b = 0.05 + 0.9 * series_chance();
	}
	if (value > 1)
		value = 0;
	value += (t < b ? a : a / 10) / (64.0 * SERIES_SNAPSHOTS);
	return 1e6 * (1 + value + 0.1 * series_noise());
}

// Work grows in the last fifth, over up to a tenth of the time, and stays so.
static double
work_grows_slowly(double t)
{
	if (begins()) {
		b = 0.8 + 0.15 * series_chance();
		value = 0.001 + 0.1 * series_chance();
	}
	return 1e6 + 1e5 * (a * fmin(fmax(t - b, 0) / value, 1) + series_noise());
}

// A store of `b` keys, which are set in no order, `a` times each on average, to values of any size.
static double
store(double t)
{
	enum { KEYS = 1000 };
	static double sizes[KEYS], sum;
	double sets = a * b / (64.0 * SERIES_SNAPSHOTS);

	(void)t;
	if (begins()) {
		memset(sizes, 0, sizeof(sizes));
		sum = value = 0;
	}
	for (value += sets; value >= 1; value--) {
		double *size = &sizes[(size_t)(series_chance() * b)];
		double now = 100 + 2900 * series_chance();
		sum += now - *size;
		*size = now;
	}
	return 1e4 + sum;
}

// So many blocks, each lost by chance.
static double
losses(double t)
{
	(void)t;
	if (begins())
		value = 0;
	for (double left = a / (64.0 * SERIES_SNAPSHOTS); left > 0; left -= 0.1)
		value += series_chance() < fmin(left, 0.1);
	return 1e4 + 1e3 * value;
}

// A leak of a process whose work is another in each tenth of the time, by up to `b`; under noise.
static double
leak_of_changing_work(double t)
{
	static double work[10];
	if (begins()) {
		value = 0;
		for (int i = 0; i < 10; i++)
			work[i] = 1 + b * (series_chance() - 0.5);
	}
	value += work[(int)(10 * t)] / (64.0 * SERIES_SNAPSHOTS);
	return 1e5 * (1 + value) + a * series_noise();
}

// A buffer that is emptied four times, and then leaks, six times as slowly, to the height of a tooth.
static double
teeth_then_leak(double t)
{
	return 1e6 * (1 + (t < 0.4 ? fmod(10 * t, 1) : a * (t - 0.4) / 0.6) + 0.05 * series_noise());
}

// All of it, in the last of 64 windows.
static double let_go_at_last(double t) { return t < 63.0 / 64 ? line(t) : 1e4; }

static const struct {
	const char *name;
	series_live live;
	double a, b;
	size_t windows;
	double least, most; // percent that are said to leak
	double rate;        // of the leak; 0: it has none
	int snapshots;      // in a window; 0: as many as usual
	int last;           // and in the last; 0: as many
	bool is_sparse;     // from window to window fewer, and one at last
	bool turns_over;    // of what it allocates it keeps hardly anything
} kinds[] = {
	{"noise", noise, 0, 0, 64, 0, 0.3},
	{"noise, 128 windows", noise, 0, 0, 128, 0, 0.3},
	{"noise, 8 windows", noise, 0, 0, 8, 0, 0.5},
	{"wanders within 1/50", wander, 0.02, 0, 64, 0, 0.5},
	{"wanders within 1/10", wander, 0.1, 0, 64, 0, 1},
	{"100 sessions, each 20 times", sessions, 100, 20, 64, 0, 1},
	{"10 sessions, each 50 times", sessions, 10, 50, 64, 0, 0.5},
	{"a buffer, 5 times", buffer, 5, 1, 64, 0, 1},
	{"a buffer, 30 times", buffer, 30, 1, 64, 0, 0.1},
	{"a buffer, throttled at last", throttled, 50, 0, 64, 0, 0.5},
	{"a step", step, 0, 0, 64, 0, 0},
	{"a step under noise", step, 1e5, 0, 64, 0, 0.5},
	{"a day's load, 3 times", load, 3, 0, 64, 0, 0.1},
	{"a week's load", load, 7, 0, 64, 0, 0.1},
	{"a cache", cache, 0.1, 0, 64, 0, 0.2},
	{"a slow cache", cache, 0.2, 0, 64, 0, 0.2},
	{"bursts", burst, 0, 0, 64, 0, 0.1},
	{"full at last", full, 0.01, 0.85, 128, 0, 0.2},
	{"full for a quarter", full, 0.1, 0.75, 128, 0, 1},
	{"full for a quarter, 64 windows", full, 0.05, 0.75, 64, 0, 1},
	{"half of the time, under much noise", full, 0.3, 0.5, 128, 0, 1},
	{"fills", fills, 0.01, 0.5, 128, 0, 0.2},
	{"fills, under noise", fills, 0.05, 0.5, 128, 0, 0.2},
	{"fills sooner, under much noise", fills, 0.2, 0.3, 128, 0, 1},
	{"fills, 32 windows", fills, 0.05, 0.3, 32, 0, 1},
	{"fills for ever", fills_for_ever, 0.01, 10, 128, 0, 0.2},
	{"fills for ever, 64 windows", fills_for_ever, 0.05, 100, 64, 0, 1},
	{"a random walk", walk, 0, 0, 128, 0, 4},
	{"a random walk, 32 windows", walk, 0, 0, 32, 0, 5},
	{"2.5 days", days, 0, 2.5, 128, 0, 1},
	{"7 days", days, 0, 7, 128, 0, 0.2},
	{"a leak of 2 deviations", line, 2, 0, 64, 98, 100, 2e3},
	{"a leak of 5 deviations", line, 5, 0, 64, 99, 100, 5e3},
	{"a leak of 5, 16 windows", line, 5, 0, 16, 96.5, 100, 5e3},
	{"a leak of 20, 8 windows", line, 20, 0, 8, 99, 100, 2e4},
	{"a late leak of 8", late, 20, 0, 64, 98, 100, 2e4},
	{"a young leak of 8", young, 40, 0, 64, 98, 100, 4e4},
	{"a young leak of 8 after a start", young_after_start, 40, 0, 64, 98, 100, 4e4},
	{"a leak beneath teeth", teeth, 0.3, 0, 128, 99, 100, 3e5},
	{"a buffer, 3 times", buffer, 3, 1, 64, 0, 0.5},
	{"a leak beneath 3 days", days, 0.1, 3, 128, 99, 100, 3e5},
	{"a leak beneath 7 days", days, 0.1, 7, 128, 99, 100, 7e5},
	{"a leak beneath 30 days", days, 0.1, 30, 128, 99, 100, 3e6},
	{"a cache, and a leak of 5", cache_that_leaks, 5, 0, 128, 99, 100, 5e5},
	{"a cache, and a leak of 20", cache_that_leaks, 20, 0, 128, 97, 100, 2e6},
	{"a leak of 6 from anywhere", from_anywhere, 6, 0, 64, 98.5, 100, 6e3},
	{"noise, 16 windows", noise, 0, 0, 16, 0, 0.5},
	{"a step, and late", late_step, 6, 0, 64, 0, 0.5},
	{"work that grows at last", work_grows_late, 6, 0, 64, 0, 0.5},
	{"work that grows at last, 128 windows", work_grows_late, 6, 0, 128, 0, 1},
	{"a random walk, 16 windows", walk, 0, 0, 16, 0, 5},
	{"a load that grows three times", three_steps, 6, 0, 64, 0, 0.5},
	{"a load that grows three times, 32 windows", three_steps, 6, 0, 32, 0, 1},
	{"a buffer, throttled at any time", throttled_any_time, 50, 0, 64, 0, 0.2},
	{"a longer buffer, throttled at any time", throttled_any_time, 20, 0, 64, 0, 0.6},
	{"work that grows slowly at last", work_grows_slowly, 6, 0, 64, 0, 1},
	{"work that grows slowly at last, 128 windows", work_grows_slowly, 6, 0, 128, 0, 1},
	{"a leak of 5, and it wanders", wandering_line, 5, 0, 64, 95, 100, 5e3},
	{"a leak of 6, and it wanders", wandering_line, 6, 0, 64, 96, 100, 6e3},
	{"a leak of 6 in the last quarter", from_last_quarter, 6, 0, 64, 96.5, 100, 6e3},
	{"a leak of 6 in the last quarter, 128 windows", from_last_quarter, 6, 0, 128, 99, 100, 6e3},
	{"a leak of 6 from the first third on", from_first_third, 6, 0, 64, 99.5, 100, 6e3},
	{"a leak of 6 from the first third on, 32 windows", from_first_third, 6, 0, 32, 99, 100, 6e3},
	{"a leak of 6 before that, 32 windows", before_last_quarter, 6, 0, 32, 96.5, 100, 6e3},
	{"a store that is set at random", store, 3, 1000, 64, 0, 1},
	{"a store that is set at random, for long", store, 8, 1000, 64, 0, 1},
	{"a small store that is set at random", store, 5, 100, 64, 0, 1},
	{"a store that has four of five keys", store, 1.6, 1000, 64, 0, 1},
	{"a store that has three of four keys", store, 1.3, 1000, 64, 0, 3},
	{"50 blocks, lost by chance", losses, 50, 0, 64, 96.5, 100},
	{"1,000 blocks, lost by chance", losses, 1000, 0, 64, 99.9, 100},
	{"a leak of changing work", leak_of_changing_work, 1e3, 1.5, 64, 97.5, 100},
	{"a leak of changing work, 128 windows", leak_of_changing_work, 1e3, 1.5, 128, 97, 100},
	{"a load that grows twice", two_steps, 5, 0.26, 64, 0, 0.5},
	{"a load that grows twice, 128 windows", two_steps, 5, 0.3, 128, 0, 0.5},
	{"a random walk, 64 windows", walk, 0, 0, 64, 0, 5},
	{"a random walk, 24 windows", walk, 0, 0, 24, 0, 5},
	{"a leak of 4, 40 windows of 3 snapshots", line, 4, 0, 40, 98, 100, 4e3, 3},
	{"a leak of 4, the last of 16 snapshots alone", line, 4, 0, 64, 99, 100, 4e3, 16, 1},
	{"noise, the last of 16 snapshots alone", noise, 0, 0, 64, 0, 0.5, 0, 16, 1},
	{"a late leak of 8, told of ever more seldom", late, 20, 0, 128, 93, 100, 2e4, 32, 0, true},
	{"teeth, and then a leak for longer than these", teeth_then_leak, 1, 0, 64, 95, 100},
	{"let go in the last snapshot", let_go_at_last, 6, 0, 64, 0, 1, 0, 16, 1},
	{"noise, told of ever more seldom", noise, 0, 0, 64, 0, 1, 0, 16, 0, true},
	{"a leak of 5, told of ever more seldom", line, 5, 0, 64, 95, 100, 5e3, 16, 0, true},
	{"a load that grows three times, 47 windows", three_steps, 6, 0, 47, 0, 1},
	{"full for a quarter, 128 snapshots", full, 0.1, 0.75, 128, 0, 1, 0, 1},
	{"full for a quarter, 256 snapshots", full, 0.16, 0.75, 128, 0, 0.4, 0, 2},
	{"full for a quarter, under much noise", full, 0.2, 0.75, 128, 0, 1},
	{"full for a quarter, under much noise, by turns", full, 0.25, 0.75, 64, 0, 1, 0, 16,
		.turns_over = true},
	{"fills, under noise, 64 snapshots", fills, 0.1, 0.5, 64, 0, 1, 0, 1},
	{"fills, under much noise, 256 snapshots", fills, 0.2, 0.5, 128, 0, 0.3, 0, 2},
	{"fills, under much noise, by turns", fills, 0.2, 0.5, 128, 0, 1, .turns_over = true},
	{"has filled to two thirds", fills, 0.05, 1, 128, 0, 1},
	{"has filled to two thirds, by turns", fills, 0.05, 1, 128, 0, 1, .turns_over = true},
	{"fills for ever, under noise, 64 snapshots", fills_for_ever, 0.1, 10, 64, 0, 1, 0, 1},
	{"a random walk, 128 snapshots", walk, 0, 0, 128, 0, 5, 0, 1},
	{"a random walk, 64 snapshots", walk, 0, 0, 64, 0, 5, 0, 1},
	{"a random walk, 256 snapshots", walk, 0, 0, 128, 0, 5, 0, 2},
	{"a leak of 5, 128 snapshots", line, 5, 0, 128, 98, 100, 5e3, 1},
	{"a leak of 5, 32 snapshots", line, 5, 0, 32, 96.5, 100, 5e3, 1},
	{"a leak of 5, 256 snapshots, by turns", line, 5, 0, 128, 97.5, 100, 5e3, 2, .turns_over = true},
};

// Percent of the histories of a kind that are said to leak; and of these, percent in which the rate is
// within the interval that is told.
static double
leaks(size_t kind, unsigned each, double *covered)
{
	struct trend_point points[TREND_MAX];
	unsigned count = 0, within = 0;
	for (unsigned i = 0; i < each; i++) {
		a = kinds[kind].a;
		b = kinds[kind].b;
		rate = kinds[kind].rate;
		began = false;
		series_snapshots = kinds[kind].snapshots ? kinds[kind].snapshots : SERIES_SNAPSHOTS;
		series_last = kinds[kind].last;
		series_is_sparse = kinds[kind].is_sparse;
		series_seed(i * 100 + kind);
		series_make(points, kinds[kind].windows, kinds[kind].live);
		for (size_t k = 0; k < kinds[kind].windows && kinds[kind].turns_over; k++)
			points[k].allocs = 1e7 * (double)k;
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
