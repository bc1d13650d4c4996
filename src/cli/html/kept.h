// SPDX-License-Identifier: BSD-2-Clause
// kept: chooses which moments the page has. It has all, or one in so many if sources change more
// often than the page can show.

#ifndef PMEM_CLI_KEPT_H
#define PMEM_CLI_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"
#include "log/snapshot.h"

struct kept {
	const struct collection *collection;
	bool **is_kept; // for each run's moments
	size_t stride;  // one in so many times is kept, besides those that must be
};

void kept_choose(struct kept *kept, const struct collection *collection);
void kept_free(struct kept *kept);

// Returns true if the page has the schedule's time with this number.
bool kept_has_time(const struct kept *kept, size_t time);

// Calls `take` for each change of the counts of a run's source, with the moment's index among the
// kept ones. `take` may be NULL. Returns the number of changes.
typedef void change_taker(FILE *to, size_t moment, const struct counts *counts, bool is_told);
size_t kept_changes(const struct kept *kept, size_t run, size_t source, change_taker *take,
	FILE *to);

#endif
