// SPDX-License-Identifier: BSD-2-Clause
// pair: makes one profile of two moments. A row has what its source held at each of the two.
//
// Sources are matched by id, or by the names of their functions. Names are for different builds: a
// source's id contains offsets into modules, which differ in another build. The rows add up exactly
// to the totals of both moments. Rows share frames and runs with the original profiles, which still
// own them.

#ifndef PMEM_CLI_PAIR_H
#define PMEM_CLI_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"

// Makes a pair of the moment and the base of one profile.
void pair_of_one(struct profile *pair, const struct profile *profile, bool by_name);

// Makes a pair of the moments of two profiles.
void pair_of_two(struct profile *pair, const struct profile *before, const struct profile *after,
	bool by_name);

// pair_common() returns how many sources are in both moments. pair_same_names() counts sources
// that only the later moment has. Only those count whose function names a source of the earlier moment alone
// has, too.
size_t pair_common(const struct profile *pair);
size_t pair_same_names(const struct profile *pair);

#endif
