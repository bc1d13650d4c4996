// SPDX-License-Identifier: BSD-2-Clause
// detail: a screen for one source. It shows the source's numbers, its history, its whole stack,
// and the threads of its process.

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
	size_t line;  // the first line in sight
	size_t lines; // lines of text in the last drawing
	size_t page;  // lines that fit in the last drawing
};

// Opens the source at the cursor, among the sources of the log's last run.
void detail_open(struct detail *detail, const struct process_log *log,
	const struct source_table *table);

// Reads what has been written since.
void detail_take(struct detail *detail);

// Adds at most `lines` lines.
void detail_draw(struct detail *detail, struct source_table *table,
	const struct process_log *log, const struct top_rows *rows, size_t lines,
	struct clip *clip);

// Moves by `lines` lines, down if positive, within the text.
void detail_move(struct detail *detail, int64_t lines);

void detail_close(struct detail *detail);

#endif
