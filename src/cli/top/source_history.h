// SPDX-License-Identifier: BSD-2-Clause
// source_history: the live bytes of one source at each snapshot of its log. The log is opened a
// second time, read from the beginning, and read on as it grows. For each snapshot, only a time and
// a number of bytes are stored.

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
	bool is_known; // true if `live` is known
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
	uint64_t *addresses; // addresses of the source's frames
	unsigned depth;
};

// Opens the history of a source. The row must be of the log's last run. If the log cannot be read
// again, the history stays empty. Prints no warnings about the log.
void source_history_open(struct source_history *history, const char *path,
	const struct run *run, const struct row *row);

// Reads what has been written to the log since the last call.
void source_history_take(struct source_history *history);

// Adds three lines: the time covered; a bar chart in one line; and the lowest, the highest and the
// last bytes. The time is divided into `columns` parts. Each part's bar shows the highest bytes in
// the part. If no bytes are known in a part, it has no bar.
void source_history_draw(const struct source_history *history, unsigned columns,
	struct clip *clip);

void source_history_close(struct source_history *history);

#endif
