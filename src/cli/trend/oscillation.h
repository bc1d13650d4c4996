// SPDX-License-Identifier: BSD-2-Clause
// oscillation: how far and how often a series goes up and down, and what it is if it does not leak.

#ifndef PMEM_CLI_OSCILLATION_H
#define PMEM_CLI_OSCILLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	OSCILLATION_TEETH = 3, // falls that are a habit
};

// The span between the lowest floor and the highest peak.
double oscillation_range(const struct trend_point *points, size_t count);

// Falls by at least that much, each from where it had risen as much.
unsigned oscillation_count(const struct trend_point *points, size_t count, double much);

// A rise from that point on, by so much, is one of its teeth.
bool oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// Teeth end where the rise begins, which falls no more, takes no longer than all of these, and ends
// hardly higher: it is one of them.
bool oscillation_is_long_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// `least`: growth below that is none.
enum verdict oscillation_verdict(const struct trend_point *points, size_t count,
	double least);

#endif
