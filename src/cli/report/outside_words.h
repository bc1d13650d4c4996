// SPDX-License-Identifier: BSD-2-Clause
// outside_words: says in words what memory outside of malloc's blocks is likely to be, with one piece of
// advice.

#ifndef PMEM_CLI_OUTSIDE_WORDS_H
#define PMEM_CLI_OUTSIDE_WORDS_H

#include <stdbool.h>

#include "log/run.h"
#include "trend/outside.h"
#include "rows/profile.h"

enum { OUTSIDE_TEXT = 256 };

// Describes how memory outside of blocks has grown. Returns false if nothing is known about it.
bool outside_words(char text[OUTSIDE_TEXT], const struct run *run,
	const struct outside_growth *growth);

// Names memory of files, of which `shared` bytes are shared memory: "mapped files", or "shared
// memory". If `shared` is negative, it is not known, and both are named.
const char *outside_file_kind(double shared, double file);

// Describes all memory outside of blocks at a moment. Returns false if it is small, or if live
// blocks are a third of the resident memory or more.
bool outside_words_of_moment(char text[OUTSIDE_TEXT], const struct profile_run *of);

#endif
