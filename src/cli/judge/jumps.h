// SPDX-License-Identifier: BSD-2-Clause
// jumps: the best fit (fit.h) of a level that jumps one to three times, as a load's does.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_JUMPS_H
#define PMEM_CLI_JUMPS_H

#include "judge/fit.h"

struct fit jumps_fit(const struct fit_series *series);

#endif
