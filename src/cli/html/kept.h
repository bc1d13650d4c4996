// SPDX-License-Identifier: BSD-2-Clause
// kept: chooses which moments the page has. If sources change more often than the page can show,
// the page has only every n-th moment.

#ifndef PMEM_CLI_KEPT_H
#define PMEM_CLI_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"
#include "log/snapshot.h"

struct kept {
	const struct collection *collection;
	// is_kept[run][moment] is true if the page has the run's moment with this number
	bool **is_kept;
	// a time that may be left out is kept if its index is a multiple of this
	size_t stride;
};

void kept_choose(struct kept *kept, const struct collection *collection);
void kept_free(struct kept *kept);

// Returns true if the page has the time with this index in the schedule.
bool kept_has_time(const struct kept *kept, size_t time);

// Calls `take` for each change of a source's counts from one kept moment to the next. `moment` is
// the number of the later one among the kept moments. `take` may be NULL. Returns the number of
// changes.
typedef void change_taker(FILE *to, size_t moment, const struct counts *counts, bool is_told);
size_t kept_changes(const struct kept *kept, size_t run, const struct source *source,
	change_taker *take, FILE *to);

#endif
