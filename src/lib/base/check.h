// SPDX-License-Identifier: BSD-2-Clause
// check: what the library relies on, tried as it runs, where config.h's PMEM_CHECK says so.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never blocks.
// A condition that does not hold is counted (`checks_failed`) and the log names the first one:
// the program goes on, as it does where nothing is checked.

#ifndef PMEM_CHECK_H
#define PMEM_CHECK_H

#include <stdbool.h>

#include "config.h"

_Static_assert(PMEM_CHECK == 0 || PMEM_CHECK == 1, "PMEM_CHECK must be 0 or 1");

// The condition is looked at in a build that checks alone.
#define CHECK(condition) \
	((PMEM_CHECK) && !(condition) ? check_failed(__FILE__, __LINE__) : (void)0)

void check_failed(const char *file, int line);

// Where the first one failed. NULL: all hold.
const char *check_first(int *line);

#endif
