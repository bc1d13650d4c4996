// SPDX-License-Identifier: BSD-2-Clause
// glyph: characters as a terminal shows them. What comes from a log may be any bytes: those that
// would move its cursor, turn the direction of writing or set its title are not fit for it, and
// '?' stands for them. Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_GLYPH_H
#define PMEM_CLI_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the character that the text begins with (RFC 3629: nothing overlong, no surrogate,
// nothing beyond U+10FFFF); 0: these bytes are none, or the text is at its end.
size_t utf8_length(const char *text);

// The first character, by its number; of what is no UTF-8 anything.
uint32_t glyph_character(const char *text);

struct glyph {
	size_t bytes;
	unsigned columns; // 0: it joins the one before it; 2: a wide one. Of what is not fit: of '?'
	bool is_fit;
};

// The first character of a text, which is not at its end; of what is no UTF-8 the first byte.
struct glyph glyph_next(const char *text);

// Columns that a text takes.
size_t glyph_columns(const char *text);

// Bytes of the longest beginning that takes no more columns than that.
size_t glyph_cut(const char *text, size_t columns);

// Puts a '?' for each character that is not fit, newlines too. The text itself.
char *glyph_clean(char *text);

#endif
