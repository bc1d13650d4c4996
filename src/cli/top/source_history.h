// SPDX-License-Identifier: BSD-2-Clause
// source_history: what one source has held in each snapshot of its log. It reads the log by itself,
// from the beginning and on as it grows, and keeps two numbers a snapshot.

#ifndef PMEM_CLI_SOURCE_HISTORY_H
#define PMEM_CLI_SOURCE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/follow.h"
#include "print/clip.h"
#include "rows/row.h"

struct source_history_point {
	int64_t time; // Unix time in ms, or, where the log has none, the snapshot's number
	uint64_t live;
	bool is_known; // what it held then
};

struct source_history {
	struct source_history_point *points;
	size_t count;
	bool has_times;
	// The following are private.
	size_t room;
	struct follow *follow;
	uint64_t run, id;
	enum source_kind kind;
	uint64_t *addresses; // of its frames
	unsigned depth;
	size_t place; // where it was among the run's sources
};

// Of a source of the run that is the log's last. Where the log cannot be read again, nothing is known.
// Says nothing of what is wrong with it.
void source_history_open(struct source_history *history, const char *path,
	const struct run *run, const struct row *row);

// Takes in what has been written since.
void source_history_take(struct source_history *history);

// Adds three lines: of what time it is; a line of blocks, so many, one for each part of that time, as
// high as the most that it held then; and what it held at least, at most, and last. Where that is
// not known, there is no block.
void source_history_draw(const struct source_history *history, unsigned columns,
	struct clip *clip);

void source_history_close(struct source_history *history);

#endif
