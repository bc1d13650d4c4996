// SPDX-License-Identifier: BSD-2-Clause
// slopes[] has the slopes of all pairs of values, in 64 KiB of static memory. No other table is
// kept between calls. Only slopes at a few ranks are needed, such as the median. So the table is
// never sorted: a selection moves the slope of one rank to its index.

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/assert.h"
#include "judge/kendall.h"

enum {
	PAIRS = KENDALL_MAX * (KENDALL_MAX - 1) / 2,
	FEW = 16, // for up to this many values, kendall.p is exact (exact_chance())
	END_POINTS = 3, // this many values at each end limit the result of kendall_growth()
};

static double slopes[PAIRS];

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;
	return (x > y) - (x < y);
}

double
kendall_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

static double
pairs_that_rise(const double *values, size_t count)
{
	long s = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			s += (values[j] > values[i]) - (values[j] < values[i]);
	return (double)s;
}

static double
spread(double count)
{
	return count * (count - 1) * (2 * count + 5);
}

// Returns the variance that s (struct kendall) has without a trend. Each group of equal values
// lowers this variance by the variance of a series as long as the group.
static double
variance_of_s(const double *values, size_t count)
{
	double sorted[KENDALL_MAX];
	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i];
	qsort(sorted, count, sizeof(*sorted), by_value);

	double sum = spread((double)count);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && sorted[end] == sorted[i];)
			end++;
		sum -= spread((double)(end - i));
	}
	return sum / 18;
}

// Fills slopes[] and returns their number. Pairs of values at the same time have no slope.
static size_t
find_slopes(const double *times, const double *values, size_t count)
{
	size_t pairs = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (times[j] > times[i])
				slopes[pairs++] = (values[j] - values[i]) / (times[j] - times[i]);
	return pairs;
}

// Returns the slope that would be at index `place` if slopes[] were sorted, by Hoare's selection.
// The index is always in slopes[first..last]. No slope before that part is larger than a slope in
// it, and no slope after it is smaller.
static double
slope_at(size_t pairs, size_t place)
{
	ASSERT(place < pairs && pairs <= PAIRS);
	ptrdiff_t first = 0, last = (ptrdiff_t)pairs - 1, at = (ptrdiff_t)place;

	while (first < last) {
		double middle = slopes[first + (last - first) / 2];
		ptrdiff_t low = first, high = last;
		while (low <= high) {
			while (slopes[low] < middle)
				low++;
			while (slopes[high] > middle)
				high--;
			if (low > high)
				break;
			double other = slopes[low];
			slopes[low++] = slopes[high];
			slopes[high--] = other;
		}
		if (at <= high)
			last = high;
		else if (at >= low)
			first = low;
		else
			break;
	}
	return slopes[at];
}

double
kendall_slope(const double *times, const double *values, size_t count)
{
	size_t pairs = find_slopes(times, values, count);

	return pairs == 0 ? 0 : (slope_at(pairs, (pairs - 1) / 2) + slope_at(pairs, pairs / 2)) / 2;
}

// Fills ranks[] with ranks relative to their mean. Equal values share the mean of their ranks.
static void
rank(double *ranks, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ranks[i] = 0;
		for (size_t j = 0; j < count; j++)
			ranks[i] += ((values[j] < values[i]) - (values[j] > values[i])) / 2.0;
	}
}

// Returns the autocorrelation of ranks at a lag. `square` is the sum of the ranks' squares.
static double
correlation_at(const double *ranks, size_t count, size_t lag, double square)
{
	double product = 0;
	for (size_t i = 0; i + lag < count; i++)
		product += ranks[i] * ranks[i + lag];
	return product / square;
}

// Returns the factor by which autocorrelation widens the variance of s. The residuals of a line of
// this slope have this autocorrelation. It counts up to the last significant lag.
static double
widening(const double *times, const double *values, size_t count, double slope)
{
	double left[KENDALL_MAX];
	double ranks[KENDALL_MAX];
	for (size_t i = 0; i < count; i++)
		left[i] = values[i] - slope * (times[i] - times[0]);
	rank(ranks, left, count);

	double square = 0;
	for (size_t i = 0; i < count; i++)
		square += ranks[i] * ranks[i];
	double n = (double)count, sum = 0;
	for (size_t lag = 1; square > 0 && lag + 2 < count; lag++) {
		double correlation = correlation_at(ranks, count, lag, square);
		if (correlation < KENDALL_TWO_SIDED / sqrt(n))
			break;
		sum += (n - (double)lag) * (n - (double)lag - 1) * (n - (double)lag - 2) * correlation;
	}
	return 1 + 2 * sum / (n * (n - 1) * (n - 2));
}

// Returns the chance that a normal value is z or more.
static double
upper_tail(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

// Returns the probability that s is at least this large if all orders of `count` different values
// are equally probable. ways[i] is the share of all orders that have exactly i falling pairs
// (Kendall).
static double
exact_chance(double s, size_t count)
{
	ASSERT(count <= FEW);
	double ways[FEW * (FEW - 1) / 2 + 1] = {1};
	size_t pairs = count * (count - 1) / 2;

	for (size_t n = 2; n <= count; n++) {
		for (size_t i = n * (n - 1) / 2 + 1; i-- > 0;) {
			double sum = 0;
			for (size_t j = 0; j < n && j <= i; j++)
				sum += ways[i - j];
			ways[i] = sum / (double)n;
		}
	}
	double chance = 0;
	for (size_t i = 0; i <= pairs && (double)pairs - 2 * (double)i >= s; i++)
		chance += ways[i];
	return chance;
}

// Returns true if some value is below an earlier value by more than a hundredth of the rise from
// the first value to the last.
static bool
falls_much(const double *values, size_t count)
{
	double much = (values[count - 1] - values[0]) / 100;
	double high = values[0];
	for (size_t i = 1; i < count; i++) {
		if (high - values[i] > (much > 0 ? much : 0))
			return true;
		high = values[i] > high ? values[i] : high;
	}
	return false;
}

struct kendall
kendall_test(const double *times, const double *values, size_t count)
{
	struct kendall result = {.p = 1};
	ASSERT(count >= 3 && count <= KENDALL_MAX);
	for (size_t i = 1; i < count; i++)
		ASSERT(times[i - 1] <= times[i]);
	result.s = pairs_that_rise(values, count);
	double wider = widening(times, values, count, kendall_slope(times, values, count));
	result.variance = variance_of_s(values, count);
	bool has_ties = result.variance < spread((double)count) / 18;
	result.variance *= wider;
	if (result.variance <= 0 || times[0] == times[count - 1])
		return result;

	// s changes in steps of 2, so the correction for continuity is half a step: 1.
	double deviation = sqrt(result.variance);
	result.p = upper_tail((result.s - (result.s > 0) + (result.s < 0)) / deviation);
	if (count <= FEW && !has_ties && wider <= 1)
		result.p = exact_chance(result.s, count);
	return result;
}

double
kendall_growth(const double *times, const double *values, size_t count)
{
	size_t few = count < END_POINTS ? count : END_POINTS;
	ASSERT(count > 0 && count <= KENDALL_MAX);
	double most = -INFINITY, least = INFINITY;

	if (!falls_much(values, count))
		return values[count - 1] - values[0];
	for (size_t i = 0; i < few; i++) {
		for (size_t k = count - few; k < count; k++) {
			most = fmax(most, values[k] - values[i]);
			least = fmin(least, values[k] - values[i]);
		}
	}
	double growth = kendall_slope(times, values, count) * (times[count - 1] - times[0]);
	return fmin(fmax(growth, least), most);
}

double
kendall_correlation(const double *a, const double *b, size_t count)
{
	double agree = 0, pairs_a = 0, pairs_b = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			int order_a = (a[j] > a[i]) - (a[j] < a[i]);
			int order_b = (b[j] > b[i]) - (b[j] < b[i]);
			agree += order_a * order_b;
			pairs_a += order_a != 0;
			pairs_b += order_b != 0;
		}
	}
	return pairs_a * pairs_b > 0 ? agree / sqrt(pairs_a * pairs_b) : 0;
}

double
kendall_sign_test(unsigned rises, unsigned falls)
{
	unsigned all = rises + falls;
	double term = pow(0.5, all); // chance of exactly i rises
	double sum = term;
	for (unsigned i = all; i > rises; i--) {
		term *= (double)i / (all - i + 1);
		sum += term;
	}
	return sum;
}
