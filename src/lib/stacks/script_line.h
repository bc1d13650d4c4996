// SPDX-License-Identifier: BSD-2-Clause
// script_line: source lines of Python, Ruby, Java or PHP, as `FILE:LINE in FUNCTION
// [LANGUAGE]`. Each text is stored once and has a number. In a stack the lines follow the native
// frames.
//
// Who may call: any thread that holds the guard. Never allocates, except that it maps its tables
// when used. Never blocks: the tables are insert-only and lock-free. If there is no room for a
// line, the stack lacks that line.

#ifndef PMEM_SCRIPT_LINE_H
#define PMEM_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

enum {
	SCRIPT_LINES = 1 << 15,
	SCRIPT_LINE_NAME_MAX = 256, // characters of a name; a longer name ends in "..."
	SCRIPT_LINE_TEXT_MAX = 2 * SCRIPT_LINE_NAME_MAX + 64,
};

// Upper bound of the memory that this module takes.
#define SCRIPT_LINE_BYTES_MAX                                                              \
	(PMEM_LANGUAGE_FRAMES > 0 ? (uint64_t)SCRIPT_LINES * (16 + 2 * 4 + 128) : 0)

// The parts of a line, as an interpreter has them.
struct script_line_words {
	const char *language; // lower-case letters
	char file[SCRIPT_LINE_NAME_MAX + 1];     // bytes that the log cannot have are escaped
	char function[SCRIPT_LINE_NAME_MAX + 1]; // escaped like `file`
	uint32_t line;                    // 0 if not known
};

// In a stack's frames a line is stored as this number plus the line's number. A program's code
// never lies at such high addresses.
#define SCRIPT_LINE_FRAME (UINT64_C(1) << 47)

static inline bool
script_line_is(uint64_t pc)
{
	return pc - SCRIPT_LINE_FRAME < SCRIPT_LINES;
}

// Set the file's or the function's name. The given name may have any bytes. It may be empty.
void script_line_file(struct script_line_words *words, const char *name);
void script_line_function(struct script_line_words *words, const char *name);

// Writes a character of Unicode as UTF-8 (RFC 3629): up to 4 bytes. Returns their number.
size_t script_line_encode(char *to, uint32_t character);

// Stores the line with these words, if it is not stored yet. Returns the frame that stands for the
// line, or 0 if there is no room.
uint64_t script_line_keep(const struct script_line_words *words);

// Returns the text of the line for which this frame stands, and sets the text's length. The text
// never moves.
const char *script_line_text(uint64_t pc, uint32_t *length);

// Returns the same as script_line_text(), without the file's folder and the language. Used where
// there is little room.
const char *script_line_short(uint64_t pc, uint32_t *length);

// Returns a hash of the line's text. The hash is the same in each run.
uint64_t script_line_hash(uint64_t pc);

#endif
