#include <math.h>

#include "log/pace.h"

static const double hour_ms = 3600e3;

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
	double most = fmin(bytes, (double)pace->begin);
	double over = pace->spent - ((double)pace->begin - most);
	return over > 0 ? (int64_t)ceil(over / rate) : 0;
}
