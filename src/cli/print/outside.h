// SPDX-License-Identifier: BSD-2-Clause
// outside: what memory that is in no block looks like, in words, with one advice.

#ifndef PMEM_CLI_PRINT_OUTSIDE_H
#define PMEM_CLI_PRINT_OUTSIDE_H

#include <stdbool.h>

#include "log/run.h"
#include "trend/outside.h"
#include "rows/profile.h"

enum { OUTSIDE_TEXT = 256 };

// Of what a gauge says has grown. False: nothing is known.
bool outside_words(char text[OUTSIDE_TEXT], const struct run *run,
	const struct outside_growth *growth);

// Of all of it at a moment, where there is much and less than a third of memory is in blocks.
bool outside_words_of_moment(char text[OUTSIDE_TEXT], const struct profile_run *of);

#endif
