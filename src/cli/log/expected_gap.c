// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdbool.h>

#include "log/expected_gap.h"

static const double hour_ms = 3600e3;

// Returns how many bytes of the allowance (expected_gap.h) are available when the process has this
// age. Spent bytes are included. Sets *grows to how many bytes more become available with each
// further millisecond.
static double
begin_at(const struct expected_gap *gap, double age_ms, double *grows)
{
	double later = (double)gap->begin - (double)gap->first;
	bool has_grown = gap->grown_ms == 0 || age_ms >= (double)gap->grown_ms || age_ms < 0;

	*grows = has_grown ? 0 : later / (double)gap->grown_ms;
	return has_grown ? (double)gap->begin : (double)gap->first + *grows * age_ms;
}

// Returns how many milliseconds it takes until the library may write `bytes` more. `rate` is in
// bytes a millisecond. Until the process has the age grown_ms, more of the allowance becomes
// available all the time, in addition to `rate`. After that only `rate` counts.
static double
wait_for(const struct expected_gap *gap, double bytes, double rate)
{
	double age_ms = (double)(gap->time_ms - gap->start_ms);
	double grows;
	double over = gap->spent + bytes - begin_at(gap, age_ms, &grows);

	if (over <= 0)
		return 0;
	double growing_ms = grows > 0 ? (double)gap->grown_ms - age_ms : 0;
	double wait_ms = over / (rate + grows);
	return wait_ms <= growing_ms ? wait_ms : growing_ms + (over - growing_ms * (rate + grows)) / rate;
}

int64_t
expected_gap_add(struct expected_gap *gap, int64_t time_ms, uint64_t spent_at_first)
{
	double bytes = (double)gap->bytes;
	double rate = (double)gap->rate / hour_ms;

	gap->bytes = 0;
	if (gap->rate == 0 || gap->begin == 0 || time_ms <= 0)
		return 0;
	if (gap->time_ms == 0)
		gap->spent = (double)spent_at_first;
	else if (time_ms > gap->time_ms)
		gap->spent = fmax(gap->spent - rate * (double)(time_ms - gap->time_ms), 0);
	gap->time_ms = time_ms;
	// The next snapshot is expected to be as large as this one. However large a snapshot is, the
	// library lets it wait only until `begin` bytes may be written.
	gap->spent = fmin(gap->spent + bytes, 2 * (double)gap->begin);
	return (int64_t)ceil(wait_for(gap, fmin(bytes, (double)gap->begin), rate));
}
