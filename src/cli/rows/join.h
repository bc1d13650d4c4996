// SPDX-License-Identifier: BSD-2-Clause
// join: makes one row of all rows of a place: of the stacks that allocate at one line (grouping.h).

#ifndef PMEM_CLI_JOIN_H
#define PMEM_CLI_JOIN_H

#include "rows/profile.h"

// Joins the profile's rows, and looks up all their names. A joined row has the least id of its sources. Its
// stack begins at the place, with the callers that all have. So nothing can be searched in it any more.
void join_rows(struct profile *profile);

#endif
