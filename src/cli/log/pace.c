// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdbool.h>

#include "log/pace.h"

static const double hour_ms = 3600e3;

// How much of the beginning there is at an age, and how much more with each millisecond.
static double
begin_at(const struct pace *pace, double age_ms, double *grows)
{
	double later = (double)pace->begin - (double)pace->first;
	bool has_grown = pace->grown_ms == 0 || age_ms >= (double)pace->grown_ms || age_ms < 0;

	*grows = has_grown ? 0 : later / (double)pace->grown_ms;
	return has_grown ? (double)pace->begin : (double)pace->first + *grows * age_ms;
}

// How long until so much is left: first while the beginning grows, and then at the rate alone.
static double
wait_for(const struct pace *pace, double bytes, double rate)
{
	double age_ms = (double)(pace->time_ms - pace->start_ms);
	double grows;
	double over = pace->spent + bytes - begin_at(pace, age_ms, &grows);

	if (over <= 0)
		return 0;
	double growing_ms = grows > 0 ? (double)pace->grown_ms - age_ms : 0;
	double wait_ms = over / (rate + grows);
	return wait_ms <= growing_ms ? wait_ms : growing_ms + (over - growing_ms * (rate + grows)) / rate;
}

int64_t
pace_add(struct pace *pace, int64_t time_ms, uint64_t spent_at_first)
{
	double bytes = (double)pace->bytes;
	double rate = (double)pace->rate / hour_ms;

	pace->bytes = 0;
	if (pace->rate == 0 || pace->begin == 0 || time_ms <= 0)
		return 0;
	if (pace->time_ms == 0)
		pace->spent = (double)spent_at_first;
	else if (time_ms > pace->time_ms)
		pace->spent = fmax(pace->spent - rate * (double)(time_ms - pace->time_ms), 0);
	pace->time_ms = time_ms;
	// There must be room for another of its size, and none waits longer than for all of the beginning.
	pace->spent = fmin(pace->spent + bytes, 2 * (double)pace->begin);
	return (int64_t)ceil(wait_for(pace, fmin(bytes, (double)pace->begin), rate));
}
