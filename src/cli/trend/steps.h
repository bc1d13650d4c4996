// SPDX-License-Identifier: BSD-2-Clause
// steps: decides whether a series is a line, or a few steps with levels between them. A leak makes
// a line. A load that changes now and then makes steps.

#ifndef PMEM_CLI_STEPS_H
#define PMEM_CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// Returns true if two or three steps fit better than a line, by Schwarz's criterion.
bool steps_are_there(const struct stretch *stretch);

// Compares two fits of the whole series `all`. One has up to three steps. The other has a line from
// the onset on, and before the onset steps or another line, whichever is better. Returns true if
// the first fit is better.
bool steps_fit_better(const struct stretch *all, size_t onset);

// Returns true if up to three steps fit `all` about as well as a wave does (seasonal.h). `calm` has
// the points without the wave.
bool steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm);

#endif
