// SPDX-License-Identifier: BSD-2-Clause
// order: what the order of values alone tells, whatever their noise is: whether they rise (Mann 1945),
// and their median.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_ORDER_H
#define PMEM_CLI_ORDER_H

#include <stdbool.h>
#include <stddef.h>

// Noise exceeds its median by this factor in one of 150 values.
#define ORDER_OUTLIER 4

// Returns true if more pairs of values rise than chance allows in one of 20 series.
bool order_rises(const double *values, size_t count);

// Returns the median of at most FIT_MAX values.
double order_median(const double *values, size_t count);

#endif
