// SPDX-License-Identifier: BSD-2-Clause
// clip: builds lines no wider than a terminal. Pieces may come from anywhere: bytes that are not
// fit for a terminal (glyph.h) become '?'.

#ifndef PMEM_CLI_CLIP_H
#define PMEM_CLI_CLIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/term.h"

// A zeroed struct has no lines, and no limit of width.
struct clip {
	char *bytes; // the lines, each with a '\n'; not terminated
	size_t count;
	size_t room;
	unsigned width;  // columns; 0 for no limit
	unsigned column; // of the line under way
	bool full;       // true if the rest of the line is dropped
	bool is_styled;
};

// Drops the lines and keeps the memory.
void clip_begin(struct clip *clip, unsigned width);

// Adds the text to the line, cut to the columns left.
void clip_text(struct clip *clip, const char *text);

__attribute__((format(printf, 2, 3)))
void clip_format(struct clip *clip, const char *format, ...);

// Adds the text, right-aligned in so many columns. A wider text takes more.
void clip_right(struct clip *clip, const char *text, unsigned columns);

// Adds blanks up to that column, counted from 0.
void clip_pad(struct clip *clip, unsigned column);

// Sets the style of the following text, up to the line's end.
void clip_style(struct clip *clip, enum style style);

void clip_end_line(struct clip *clip);

// Writes the lines to standard output and drops them. Returns how many terminal lines they take
// (wrap.h).
unsigned clip_print(struct clip *clip);

void clip_free(struct clip *clip);

#endif
