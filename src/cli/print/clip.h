// SPDX-License-Identifier: BSD-2-Clause
// clip: lines of text that are no wider than a terminal, made of pieces that may come from
// anywhere: what is not fit for a terminal (glyph.h) becomes '?'.

#ifndef PMEM_CLI_CLIP_H
#define PMEM_CLI_CLIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/term.h"

// A zeroed one has no lines, and no limit of width.
struct clip {
	char *bytes; // the lines, each with a '\n'; not terminated
	size_t count;
	size_t room;
	unsigned width;  // columns; 0: no limit
	unsigned column; // of the line under way
	bool full;       // its rest is dropped
	bool is_styled;
};

// Forgets the lines, and keeps the memory.
void clip_begin(struct clip *clip, unsigned width);

// Adds to the line, as far as there are columns left for it.
void clip_text(struct clip *clip, const char *text);

__attribute__((format(printf, 2, 3)))
void clip_format(struct clip *clip, const char *format, ...);

// In so many columns, at the right end of them; a wider text takes what it takes.
void clip_right(struct clip *clip, const char *text, unsigned columns);

// Blanks up to that column, counted from 0.
void clip_pad(struct clip *clip, unsigned column);

// What follows has the style; the line's end ends it.
void clip_style(struct clip *clip, enum style style);

void clip_end_line(struct clip *clip);

// Writes the lines to standard output, and forgets them. How many there are on the terminal (wrap.h).
unsigned clip_print(struct clip *clip);

void clip_free(struct clip *clip);

#endif
