// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fit.h"
#include "judge/order.h"

// Quantile of the normal distribution: one of 20 series without a trend exceeds it.
static const double quantile = 1.645;

bool
order_rises(const double *values, size_t count)
{
	double n = (double)count, score = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			score += (values[i] > values[k]) - (values[i] < values[k]);
	return score > quantile * sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
order_median(const double *values, size_t count)
{
	double sorted[FIT_MAX];

	memcpy(sorted, values, count * sizeof(*values));
	qsort(sorted, count, sizeof(*sorted), by_value);
	return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
}
