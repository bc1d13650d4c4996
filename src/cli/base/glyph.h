// SPDX-License-Identifier: BSD-2-Clause
// glyph: splits text into the characters that a terminal shows. A log's text may have any bytes.
// Some characters are called unfit: they would move the cursor, change the direction of writing or
// set the title. Unfit characters become '?'.
//
// These are pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_GLYPH_H
#define PMEM_CLI_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns how many bytes the text's first character has. Returns 0 at the end of the text, or if
// the bytes are no UTF-8. Overlong forms, surrogates and characters beyond U+10FFFF are no UTF-8
// (RFC 3629).
size_t utf8_length(const char *text);

// Returns the first character's code point. The result is undefined for text that is no UTF-8.
uint32_t glyph_character(const char *text);

struct glyph {
	size_t bytes;
	// Columns that the character takes. A mark that is drawn onto the character before it takes 0,
	// a wide character 2, any other 1. An unfit character takes 1, like the '?' that replaces it.
	unsigned columns;
	bool is_fit;
};

// Returns the first character of the text, which must not be at its end. If the first bytes are no
// UTF-8, the first byte counts as an unfit character.
struct glyph glyph_next(const char *text);

// Returns how many columns the text takes on a terminal.
size_t glyph_columns(const char *text);

// Returns how many bytes of the text fit into `columns` columns, as whole characters.
size_t glyph_cut(const char *text, size_t columns);

// Replaces each unfit character by '?', newlines included. Returns the text.
char *glyph_clean(char *text);

#endif
