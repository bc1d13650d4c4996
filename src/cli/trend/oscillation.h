// SPDX-License-Identifier: BSD-2-Clause
// oscillation: how far and how often a series goes up and down. It gives the verdict on a series
// that does not leak. A tooth is a rise over many windows that ends in a sudden fall, as in a
// saw-tooth.

#ifndef PMEM_CLI_OSCILLATION_H
#define PMEM_CLI_OSCILLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	OSCILLATION_TEETH = 3, // a series with this many falls goes up and down by habit
};

// Returns the distance from the lowest floor to the highest peak.
double oscillation_range(const struct trend_point *points, size_t count);

// Returns the number of falls by `much` or more, each after a rise by `much` or more.
unsigned oscillation_count(const struct trend_point *points, size_t count, double much);

// Returns true if the rise by `growth` from the onset to the end seems to be a tooth.
bool oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// As oscillation_is_tooth(), for a series that has OSCILLATION_TEETH or more teeth, all before the
// onset. The rise never falls, lasts no longer than those teeth together, and ends hardly higher.
bool oscillation_is_long_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// Returns the verdict on a series in which no leak was found. If its range is below `least` bytes,
// that is VERDICT_FLAT.
enum verdict oscillation_verdict(const struct trend_point *points, size_t count,
	double least);

#endif
