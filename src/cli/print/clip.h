// SPDX-License-Identifier: BSD-2-Clause
// clip: builds lines of text that are no wider than a terminal. The text may come from anywhere. So
// bytes that a terminal must not get (glyph.h) become '?'.

#ifndef PMEM_CLI_CLIP_H
#define PMEM_CLI_CLIP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/term.h"

// A zeroed struct has no lines, and no limit of width.
struct clip {
	struct bytes lines; // each with a '\n'
	unsigned width;  // columns; 0 for no limit
	unsigned column; // the next column of the line that is being built
	// true if the line being built is full: text that is added is dropped until the line ends
	bool full;
	bool is_styled;
};

// Drops the lines, keeps their memory, and sets the width for the next lines.
void clip_begin(struct clip *clip, unsigned width);

// Adds the text to the current line, cut to the columns that are left.
void clip_text(struct clip *clip, const char *text);

__attribute__((format(printf, 2, 3)))
void clip_format(struct clip *clip, const char *format, ...);

// Adds the text to the current line, right-aligned in `columns` columns. A wider text takes more
// columns.
void clip_right(struct clip *clip, const char *text, unsigned columns);

// Adds blanks to the current line up to `column`, counted from 0.
void clip_pad(struct clip *clip, unsigned column);

// Sets the style of the text that is added next, up to the line's end.
void clip_style(struct clip *clip, enum style style);

void clip_end_line(struct clip *clip);

// Adds the text to the current line, and ends the line.
__attribute__((format(printf, 2, 3)))
void clip_line(struct clip *clip, const char *format, ...);

// Writes the lines and drops them. Returns how many lines of the terminal they take, where long
// lines are wrapped (wrap.h).
unsigned clip_print(FILE *to, struct clip *clip);

void clip_free(struct clip *clip);

// Returns the lines as a terminated text, and frees the clip. The caller frees the text.
char *clip_take(struct clip *clip);

#endif
