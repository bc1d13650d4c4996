// SPDX-License-Identifier: BSD-2-Clause
// detail: what is known of one source, a screen of its own: its numbers, what it has held in the
// course of time, its whole stack, and the threads of its process.

#ifndef PMEM_CLI_DETAIL_H
#define PMEM_CLI_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "top/process_log.h"
#include "top/rows.h"
#include "top/source_history.h"
#include "top/source_table.h"

struct detail {
	bool is_open;
	// The following are private.
	struct source_history history;
	struct clip text;
	size_t line;  // the first in sight
	size_t lines; // that there were when it was drawn last
	size_t page;  // for how many there was room
};

// Of the source at the cursor, among the sources of the log's last run.
void detail_open(struct detail *detail, const struct process_log *log,
	const struct source_table *table);

// Takes in what has been written since.
void detail_take(struct detail *detail);

// Adds so many lines at most.
void detail_draw(struct detail *detail, struct source_table *table,
	const struct process_log *log, const struct top_rows *rows, size_t lines,
	struct clip *clip);

// Moves by so many lines, down where they are positive; stays within the text.
void detail_move(struct detail *detail, int64_t lines);

void detail_close(struct detail *detail);

#endif
