// SPDX-License-Identifier: BSD-2-Clause
// interval: how steep may a rise be, when it is not known where in the stretch it began?

#ifndef PMEM_CLI_INTERVAL_H
#define PMEM_CLI_INTERVAL_H

#include <stdbool.h>

#include "trend/shape.h"

// Widens what is known of its slope; was_sought: the stretch begins where it seems to rise.
void interval_widen(const struct stretch *stretch, bool was_sought, double *low, double *high);

#endif
