// SPDX-License-Identifier: BSD-2-Clause
// pair: two moments side by side, as one profile: a row has what its source had in the one and
// in the other.
//
// Sources are one by their id, or by the names of their functions: a source's id has offsets
// into modules in it, which are other ones in another build. The rows add up to the totals of
// both moments, exactly. They share frames and runs with the profiles they are made of, and
// those with them stay.

#ifndef PMEM_CLI_PAIR_H
#define PMEM_CLI_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"

// Of one log that was loaded with a base. What is known to hold nothing any more has a row.
void pair_of_one(struct profile *pair, const struct profile *profile, bool by_name);

// Of two.
void pair_of_two(struct profile *pair, const struct profile *before, const struct profile *after,
	bool by_name);

// How many sources are in both. Also of those that are in one alone: pairs whose functions have
// the same names.
size_t pair_common(const struct profile *pair);
size_t pair_same_names(const struct profile *pair);

#endif
