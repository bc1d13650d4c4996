// SPDX-License-Identifier: BSD-2-Clause
// join: makes one row of all rows of a place: of the stacks that allocate at one line (grouping.h).

#ifndef PMEM_CLI_JOIN_H
#define PMEM_CLI_JOIN_H

#include "rows/match.h"
#include "rows/profile.h"

// Joins the profile's rows, and looks up all their names. A row is joined only with rows that match
// equally. A joined row has the least id of its sources. Its stack begins at the place, with the callers
// that all have.
void join_rows(struct profile *profile, const struct stack_match *match);

#endif
