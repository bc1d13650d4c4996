// SPDX-License-Identifier: BSD-2-Clause
// steps: decides whether a series is a line, as of a leak, or a few steps with levels between them.
// A load that changes now and then makes such steps. `noise` is the variance of the floors' noise,
// or 0 if not known.

#ifndef PMEM_CLI_STEPS_H
#define PMEM_CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// Returns true if two or three steps fit better than a line, by Schwarz's criterion.
bool steps_are_there(const struct stretch *stretch, double noise);

// Returns true if up to three steps through the whole series `all` fit better than a line from the
// onset on. The points before the onset are then fitted by steps or by another line, whichever is
// better.
bool steps_fit_better(const struct stretch *all, size_t onset);

// Returns true if up to three steps fit `all` as well as a wave does (seasonal.h), or leave hardly
// more than noise. `calm` has the points without the wave.
bool steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm,
	double noise);

#endif
