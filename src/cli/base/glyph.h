// SPDX-License-Identifier: BSD-2-Clause
// glyph: characters as a terminal shows them. A log's text may have any bytes. Those that would
// move the cursor, turn the direction of writing or set the title are unfit, and become '?'. These
// are pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_GLYPH_H
#define PMEM_CLI_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the bytes of the text's first character (RFC 3629: no overlong forms, no surrogates,
// nothing beyond U+10FFFF). Returns 0 at the end of the text, or if these bytes are no UTF-8.
size_t utf8_length(const char *text);

// Returns the first character's code point. The result is undefined for text that is no UTF-8.
uint32_t glyph_character(const char *text);

struct glyph {
	size_t bytes;
	unsigned columns; // 0 if it joins the one before it, 2 if it is wide; of '?' if unfit
	bool is_fit;
};

// Returns the first character of a text that is not at its end. If it is no UTF-8, it is the first
// byte.
struct glyph glyph_next(const char *text);

// Returns the columns that a text takes.
size_t glyph_columns(const char *text);

// Returns the bytes of the longest beginning that takes at most that many columns.
size_t glyph_cut(const char *text, size_t columns);

// Replaces each unfit character by '?', newlines too. Returns the text itself.
char *glyph_clean(char *text);

#endif
