// SPDX-License-Identifier: BSD-2-Clause
// steps: tells a few steps with levels between them, as of a load that changes now and then, from
// a line. `noise` is the variance of the floors' noise, or 0 if not known.

#ifndef PMEM_CLI_STEPS_H
#define PMEM_CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// Returns true if two or three steps fit better than a line, by Schwarz's criterion.
bool steps_are_there(const struct stretch *stretch, double noise);

// Returns true if up to three steps through all of it fit better than a line from the onset on.
// Before that line there may be fewer steps or another line.
bool steps_fit_better(const struct stretch *all, size_t onset);

// Returns true if up to three steps leave no more than a wave does, or hardly more than the noise.
// `calm` are the points without the wave.
bool steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm,
	double noise);

#endif
