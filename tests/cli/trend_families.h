// trend_families: what a source may do, with a leak and without one, for trend_is_rarely_wrong.

#ifndef PMEM_TEST_TREND_FAMILIES_H
#define PMEM_TEST_TREND_FAMILIES_H

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

// `b` days, from any hour on, of which each is alike: work for part of it, and none else. The leak is `a` of
// the work's a day.
static double
working_days(double t)
{
	static double hour, works;
	if (begins()) {
		hour = series_chance();
		works = 0.3 + 0.4 * series_chance();
	}
	return 2e6 + 1e6 * ((fmod(b * t + hour, 1) < works) + a * b * t + 0.05 * series_noise());
}

// Each has more work than the one before, by `a`, and the nights are alike.
static double
busier_days(double t)
{
	static double hour;
	if (begins())
		hour = series_chance();
	double day = b * t + hour, work = (1 + sin(6.2832 * day)) / 2;
	return 2e6 + 1e6 * (work * (1 + a * day) + 0.05 * series_noise());
}

// A buffer that is emptied when it is full, always at the same size.
static double
equal_teeth(double t)
{
	static double hour;
	if (begins())
		hour = series_chance();
	return 2e6 + 1e6 * fmod(b * t + hour, 1);
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

// What there is when a snapshot's part of so many blocks in all is lost, each by chance.
static double
lose(double blocks)
{
	for (double left = blocks / (64.0 * SERIES_SNAPSHOTS); left > 0; left -= 0.1)
		value += series_chance() < fmin(left, 0.1);
	return 1e4 + 1e3 * value;
}

// So many blocks.
static double
losses(double t)
{
	(void)t;
	if (begins())
		value = 0;
	return lose(a);
}

// The same, of which a start of `b` of the time loses three times as many.
static double
losses_behind_start(double t)
{
	if (begins())
		value = 0;
	return lose((t < b ? 3 : 1) * a);
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

// The noise remembers a twelfth of the time: an hour's of half a day.
static double
hours(double t)
{
	return 1e3 * a * t + wander_within(1.0 / 12);
}

static double burst_that_leaks(double t) { return a * t + burst(t); }

// A fill, a rest, and then a leak at the same place.
static double
fill_then_leak(double t)
{
	return 1e6 * fmin(4 * t, 1) + 1e5 * (2 * a * fmax(t - 0.5, 0) + series_noise());
}

// Teeth of unequal heights, 8 to 28 of them, above a floor that rises by `a` of their height.
static double
unequal_teeth(double t)
{
	if (begins()) {
		value = series_chance();
		b = 8 + 20 * series_chance();
	}
	return 1e6 * (fmod(b * t + value, 1) * (0.9 + 0.2 * series_chance()) + a * t);
}

// All of it, in the last of 64 windows.
static double let_go_at_last(double t) { return t < 63.0 / 64 ? line(t) : 1e4; }

#endif
