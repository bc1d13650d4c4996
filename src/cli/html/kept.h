// SPDX-License-Identifier: BSD-2-Clause
// kept: which of the moments the page has: all, or, where sources change more often than it can
// show, one in so many.

#ifndef PMEM_CLI_KEPT_H
#define PMEM_CLI_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"
#include "log/snapshot.h"

struct kept {
	const struct collection *collection;
	bool **is_kept; // of each run's moments
	size_t stride;  // one in so many times is kept, but for those that must be
};

void kept_choose(struct kept *kept, const struct collection *collection);
void kept_free(struct kept *kept);

// Whether the page has the schedule's time of this number.
bool kept_has_time(const struct kept *kept, size_t time);

// Hands over each change of what the run's source has, by the number among its kept moments; NULL: to
// nobody. How many there are.
typedef void change_taker(FILE *to, size_t moment, const struct counts *counts, bool is_told);
size_t kept_changes(const struct kept *kept, size_t run, size_t source, change_taker *take,
	FILE *to);

#endif
