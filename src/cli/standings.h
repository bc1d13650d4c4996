// standings: the sources of a run after its last block, sorted by what they hold or by what they
// did since the block before. What `top` shows.
//
// What the log does not tell of one source for sure is in {rest}: the rows add up to the total.

#ifndef PMEM_CLI_STANDINGS_H
#define PMEM_CLI_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "follow.h"
#include "profile.h"

enum column {
	COLUMN_LIVE,
	COLUMN_BLOCKS,
	COLUMN_GROWTH, // of live, since the block before; as the next three
	COLUMN_ALLOC,
	COLUMN_CHURN,
	COLUMN_ALLOCS,
	COLUMNS
};
extern const char *const column_names[]; // in that order, then NULL

struct ranked {
	struct row row; // its base is not set
	int64_t values[COLUMNS];
};

struct standings {
	struct ranked *rows; // {other} and {rest} last
	size_t count, room;
	int64_t total[COLUMNS];
};

// Anew from what is known by now. A source that holds nothing and did nothing has no row.
void standings_make(struct standings *standings, const struct followed *last);

// Largest first, or smallest; equal ones by id.
void standings_sort(struct standings *standings, enum column by, bool reverse);

#endif
