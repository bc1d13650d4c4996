// SPDX-License-Identifier: BSD-2-Clause
// outside: says in words what memory in no block is likely to be, with one advice.

#ifndef PMEM_CLI_PRINT_OUTSIDE_H
#define PMEM_CLI_PRINT_OUTSIDE_H

#include <stdbool.h>

#include "log/run.h"
#include "trend/outside.h"
#include "rows/profile.h"

enum { OUTSIDE_TEXT = 256 };

// Describes the growth of that memory. Returns false if nothing is known.
bool outside_words(char text[OUTSIDE_TEXT], const struct run *run,
	const struct outside_growth *growth);

// Describes all of that memory at a moment. It must be large, and less than a third of memory may
// be in blocks.
bool outside_words_of_moment(char text[OUTSIDE_TEXT], const struct profile_run *of);

#endif
