// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/rates.h"

bool
report_rates_add(struct report_rates *rates, const struct rate_of_process *rate)
{
	struct rate_of_process *last = rates->count > 0 ? &rates->all[rates->count - 1] : NULL;

	if (last && last->process == rate->process) {
		last->rate += rate->rate;
		return false;
	}
	rates->all = memory_grow(rates->all, rates->count, &rates->room, sizeof(*rates->all));
	rates->all[rates->count++] = *rate;
	return true;
}

// A process begins, and its rate is added, or ends, and its rate is taken away.
struct change {
	int64_t time;
	double rate;
};

// Sorts by time; of the same time, beginnings come first.
static int
by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->rate < b->rate) - (a->rate > b->rate);
}

double
report_rates_highest(struct report_rates *rates)
{
	struct change *changes = memory_get(2 * rates->count, sizeof(*changes));
	double sum = 0, highest = 0;
	size_t count = 0;

	for (size_t i = 0; i < rates->count; i++) {
		const struct rate_of_process *of = &rates->all[i];
		changes[count++] = (struct change){of->first, of->rate};
		if (of->last < INT64_MAX)
			changes[count++] = (struct change){of->last, -of->rate};
	}
	if (count > 0)
		qsort(changes, count, sizeof(*changes), by_time);
	for (size_t i = 0; i < count; i++) {
		sum += changes[i].rate;
		highest = fmax(highest, sum);
	}
	free(changes);
	free(rates->all);
	*rates = (struct report_rates){0};
	return highest;
}
