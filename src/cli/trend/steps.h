// SPDX-License-Identifier: BSD-2-Clause
// steps: few steps, and level between them: a load that is another from time to time. `noise` is
// the variance of the floors' noise where it is known; 0: it is not.

#ifndef PMEM_CLI_STEPS_H
#define PMEM_CLI_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// There are two or three of them, and no line: Schwarz's criterion, as a curve's.
bool steps_are_there(const struct stretch *stretch, double noise);

// Up to three steps through all of it fit better than a line from that point on, behind fewer steps
// or another line.
bool steps_fit_better(const struct stretch *all, size_t onset);

// Up to three steps leave no more than a wave does, without which the points are calm; or
// hardly more than the noise.
bool steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm,
	double noise);

#endif
