// SPDX-License-Identifier: BSD-2-Clause
// detail: shows one row of the table alone, and one of its stacks at a time. It shows the stack's numbers,
// its history, the whole stack, and the threads of the process.

#ifndef PMEM_CLI_DETAIL_H
#define PMEM_CLI_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "top/source_history.h"
#include "top/source_table.h"

struct detail {
	bool is_open;
	struct source_history history;
	// The following are private.
	struct row stack; // a copy of the shown stack's row
	struct clip text;
	size_t line;  // the first visible line of the text
	size_t lines; // how many lines the text had in the last drawing
	size_t page;  // how many lines of the text were visible in the last drawing
};

// Opens the row at the cursor, and shows its largest stack. If the row is open, shows its next
// stack, or the largest after the last. Does nothing if the row has no stack now.
void detail_open(struct detail *detail, const struct source_table *table);

// Adds at most `lines` lines of the row's text to the table's clip.
void detail_draw(struct detail *detail, struct source_table *table, size_t lines);

// Scrolls the text by `lines` lines, down if positive. Stops at the text's ends.
void detail_move(struct detail *detail, int64_t lines);

void detail_close(struct detail *detail);

#endif
