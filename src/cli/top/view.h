// view: what `top` shows: a head of what is known of the process, and the table of its
// sources, as lines that a terminal, or a file, can take.

#ifndef PMEM_CLI_VIEW_H
#define PMEM_CLI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/clip.h"
#include "log/follow.h"
#include "top/rows.h"

struct view {
	enum measure by;
	bool reverse;
	bool stacks;    // each source's stack below it
	bool is_paused;
	bool has_keys;  // somebody can type
	bool is_gone;   // the process has ended
	bool is_alive;  // it runs; neither: that cannot be told
	int64_t now_ms; // Unix time; 0: how long ago is not told
	size_t row;     // the first that is shown, and
	size_t line;    // of this the first line: its stack may be longer than the screen
};

// Adds the head: what process this is, its totals, and what there is to say besides.
void view_head(const struct view *view, const struct follow *follow, const char *said,
	struct clip *clip);

// Adds the table, of so many lines in all, its headings included, from view's row and
// line on.
void view_table(const struct view *view, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip);

// Adds the table's first so many sources, the sum of the others, {other} and {rest}.
void view_rows(const struct view *view, const struct follow *follow,
	const struct top_rows *rows, size_t most, struct clip *clip);

// Moves by so many lines, up where they are negative; stays within the rows.
void view_scroll(struct view *view, const struct top_rows *rows, int64_t lines);

// To where the last of so many lines, with the headings, is the table's last.
void view_scroll_to_end(struct view *view, const struct top_rows *rows, unsigned lines);

#endif
