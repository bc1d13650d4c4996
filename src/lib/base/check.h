// SPDX-License-Identifier: BSD-2-Clause
// check: assertions of the library, tested at run time if config.h's PMEM_CHECK is set.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never blocks.
// A condition that does not hold is counted (`checks_failed`), and the log names the first failed
// check. The program continues, as without checks.

#ifndef PMEM_CHECK_H
#define PMEM_CHECK_H

#include <stdbool.h>

#include "config.h"

_Static_assert(PMEM_CHECK == 0 || PMEM_CHECK == 1, "PMEM_CHECK must be 0 or 1");

// The condition is evaluated only in a build with checks.
#define CHECK(condition) \
	((PMEM_CHECK) && !(condition) ? check_failed(__FILE__, __LINE__) : (void)0)

void check_failed(const char *file, int line);

// Returns the source file of the first failed check, and sets `line` to its line. Returns NULL if
// no check failed.
const char *check_first(int *line);

#endif
