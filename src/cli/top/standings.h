// standings: the sources of a run after its last snapshot, sorted by what they hold or by
// what they did since the snapshot before. What `top` shows.
//
// What the log does not tell of one source for sure is in {rest}: the rows add up to the
// total.

#ifndef PMEM_CLI_STANDINGS_H
#define PMEM_CLI_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "top/measure.h"
#include "log/follow.h"
#include "rows/profile.h"

struct ranked {
	struct row row; // its base is not set
	int64_t values[MEASURES];
};

struct standings {
	struct ranked *rows; // {other} and {rest} last
	size_t count, room;
	int64_t total[MEASURES];
};

// Anew from what is known by now. A source that holds nothing and did nothing has no row.
void standings_make(struct standings *standings, const struct followed *last);

// Largest first, or smallest; equal ones by what is live, then by id.
void standings_sort(struct standings *standings, enum measure by, bool reverse);

#endif
