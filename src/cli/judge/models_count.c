// SPDX-License-Identifier: BSD-2-Clause
// Values that never fall, and seldom rise, have no noise. What they tell is when they rise. So rises are
// events in time (Cox and Lewis, "The statistical analysis of series of events", 1966).
//
// A leak's rises come at random, or more evenly. The waits between them are gamma distributed then. The
// higher the order, the more even they are. A buffer that grows waits in proportion to its size. A pool's
// rises are records, which become rare: they come evenly in the logarithm of time.

#include <math.h>

#include "judge/models_count.h"

enum {
	RISES_LEAST = 3, // with fewer, nothing is known of waits
	SELDOM = 4,      // at most one of so many values rises
	CURVES = 5,
};

static const int orders[] = {1, 4, 16};
// Time constants of curves, as shares of the series.
static const double shortest = 0.01, longest = 1;

struct events {
	size_t count;
	double times[FIT_MAX], sizes[FIT_MAX]; // sizes in their mean
	double from, end;                      // of the time in which they come
};

// Neighbouring values that rise are one event. Returns false if values fall, or rise too often or too seldom.
static bool
take(const struct fit_series *series, struct events *events)
{
	const double *values = series->values;
	size_t rising = 0, last = series->count - 1;

	events->count = 0;
	for (size_t i = 1; i <= last; i++) {
		if (values[i] < values[i - 1])
			return false;
		if (values[i] == values[i - 1])
			continue;
		bool is_first = events->count == 0;
		if (is_first || (values[i - 1] == values[i - 2]
				&& series->times[i] > events->times[events->count - 1])) {
			events->times[events->count] = series->times[i];
			events->sizes[events->count++] = 0;
		}
		events->sizes[events->count - 1] += values[i] - values[i - 1];
		rising++;
	}
	if (events->count < RISES_LEAST || rising * SELDOM > series->count)
		return false;
	for (size_t i = 0; i < events->count; i++)
		events->sizes[i] *= (double)events->count / (values[last] - values[0]);
	double first = events->times[0], span = events->times[events->count - 1] - first;
	events->from = fmax(first - span / (double)(events->count - 1), 0);
	events->end = 1;
	return true;
}

// Returns twice the negative logarithm of the probability of a wait, in mean waits. If it is not over, the
// whole wait is as long or longer.
static double
score_of_wait(double wait, int order, bool is_over)
{
	double scaled = order * wait, term = 1, sum = 1;

	if (is_over && wait <= 0)
		return INFINITY;
	if (is_over)
		return 2 * (scaled + lgamma(order) - order * log(order) - (order - 1) * log(wait));
	for (int i = 1; i < order; i++)
		sum += term *= scaled / i;
	return 2 * (scaled - log(sum));
}

// Returns the score of rises that come evenly in the logarithm of time since a constant before, or if this is
// INFINITY, in time.
static double
score_of(const struct events *events, double constant, int order, bool by_size)
{
	double times[FIT_MAX + 1], sizes = 0, score = order > 1 ? log((double)events->count) : 0;
	size_t count = events->count;

	for (size_t i = 0; i <= count; i++) {
		double time = (i < count ? events->times[i] : events->end) - events->from;
		times[i] = constant == INFINITY ? time : log(1 + time / constant);
		if (i > 0 && i < count && constant < INFINITY)
			score += 2 * log(constant + time);
		sizes += i == 0 || i == count ? 0 : by_size ? events->sizes[i] : 1;
	}
	// A buffer that doubles does so again.
	const double *last = &events->sizes[count - 1];
	double next = *last * fmin(fmax(*last / last[-1], 1), 2);
	// The last wait is half over.
	double mean = (times[count] - times[0]) / (sizes + 0.5 * (by_size ? next : 1));
	for (size_t i = 1; i <= count; i++) {
		bool is_over = i < count;
		double expected = mean * (!by_size ? 1 : is_over ? events->sizes[i] : next);
		score += score_of_wait((times[i] - times[i - 1]) / expected, order, is_over);
		score += is_over ? 2 * log(expected) : 0;
	}
	return score;
}

// Returns the score of the order that explains most, and sets *best_order to that.
static double
best_of(const struct events *events, double constant, int *best_order)
{
	double best = INFINITY;

	*best_order = orders[0];
	for (size_t i = 0; i < 2 * sizeof(orders) / sizeof(*orders); i++) {
		double score = score_of(events, constant, orders[i / 2], i % 2);
		if (score >= best)
			continue;
		best = score;
		*best_order = orders[i / 2];
	}
	return best;
}

static size_t
value_at(const struct fit_series *series, double time)
{
	size_t i = 0;

	while (series->times[i] < time)
		i++;
	return i;
}

bool
models_count(const struct fit_series *series, struct models_counted *counted)
{
	struct events events;
	int order = 1, any;

	if (!take(series, &events))
		return false;
	*counted = (struct models_counted){.curve = INFINITY};
	double n = (double)events.count, growth = series->values[series->count - 1] - series->values[0];
	// A level's noise falls as often as it rises.
	counted->level = score_of(&events, INFINITY, 1, false) + 2 * log(2) * n;
	counted->leak.score = best_of(&events, INFINITY, &order) + log(n);
	counted->leak.slope = growth / (1 - events.from);
	counted->leak.error = counted->leak.slope / sqrt(n * order);
	for (int i = 0; i < CURVES; i++) {
		double constant = shortest * pow(longest / shortest, i / (CURVES - 1.0));
		counted->curve = fmin(counted->curve, best_of(&events, constant, &any) + 2 * log(n));
	}
	events.end = events.times[events.count - 1];
	counted->ended = best_of(&events, INFINITY, &any) + 2 * log(n);
	counted->since = value_at(series, events.from);
	counted->until = value_at(series, events.end);
	return true;
}
