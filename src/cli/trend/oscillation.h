// SPDX-License-Identifier: BSD-2-Clause
// oscillation: how far and how often a series goes up and down, and the verdict if it does not
// leak.

#ifndef PMEM_CLI_OSCILLATION_H
#define PMEM_CLI_OSCILLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	OSCILLATION_TEETH = 3, // falls that make teeth a habit
};

// Returns the distance from the lowest floor to the highest peak.
double oscillation_range(const struct trend_point *points, size_t count);

// Returns the number of falls by `much` or more, each from where it had risen as much.
unsigned oscillation_count(const struct trend_point *points, size_t count, double much);

// Returns true if a rise by `growth` from the onset on is one of the series' teeth.
bool oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// Returns true if a rise behind a habit of teeth is one more tooth. The teeth end at the onset,
// and the rise never falls. It lasts no longer than all the teeth did, and ends hardly higher.
bool oscillation_is_long_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// `least`: smaller growth does not count.
enum verdict oscillation_verdict(const struct trend_point *points, size_t count,
	double least);

#endif
