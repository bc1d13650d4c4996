// SPDX-License-Identifier: BSD-2-Clause
// source_history: the live bytes of one source in each snapshot of its log. It reads the log by
// itself, from the beginning and on as it grows. It keeps a time and a number for each snapshot.

#ifndef PMEM_CLI_SOURCE_HISTORY_H
#define PMEM_CLI_SOURCE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/follow.h"
#include "print/clip.h"
#include "rows/row.h"

struct source_history_point {
	int64_t time; // Unix time in ms, or the snapshot's number if the log has no times
	uint64_t live;
	bool is_known; // `live` is known
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
	bool is_mapped;
	uint64_t *addresses; // of the source's frames
	unsigned depth;
	size_t place; // last index among the run's sources
};

// Opens the history of a source of the log's last run. If the log cannot be read again, nothing is
// known. Gives no warnings about the log.
void source_history_open(struct source_history *history, const char *path,
	const struct run *run, const struct row *row);

// Reads what has been written since.
void source_history_take(struct source_history *history);

// Adds three lines: the time covered; a row of blocks; and the least, the most and the last bytes.
// There is one block for each of `columns` parts of the time, as high as the most in it. A part
// without known bytes has no block.
void source_history_draw(const struct source_history *history, unsigned columns,
	struct clip *clip);

void source_history_close(struct source_history *history);

#endif
