// SPDX-License-Identifier: BSD-2-Clause
// script_line: places in a program's own language, as `FILE:LINE in FUNCTION [LANGUAGE]`, each text
// once and by a number. In a stack they stand behind the frames, for those of an interpreter.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its tables as they
// are used, never blocks: they are insert-only and lock-free. Where there is no room there is no
// line.

#ifndef PMEM_SCRIPT_LINE_H
#define PMEM_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

enum {
	SCRIPT_LINES = 1 << 15,
	SCRIPT_LINE_NAME_MAX = 256, // characters of a file, and of a function; longer ones end in "..."
	SCRIPT_LINE_TEXT_MAX = 2 * SCRIPT_LINE_NAME_MAX + 64,
};

// The most memory that they take.
#define SCRIPT_LINE_BYTES_MAX                                                              \
	(PMEM_LANGUAGE_FRAMES > 0 ? (uint64_t)SCRIPT_LINES * (16 + 2 * 4 + 128) : 0)

// As an interpreter has it.
struct script_line_words {
	const char *language; // lower-case letters
	char file[SCRIPT_LINE_NAME_MAX + 1];     // made harmless for the log
	char function[SCRIPT_LINE_NAME_MAX + 1]; // the same
	uint32_t line;                    // 0: not known
};

// In a stack a line is an address that no code of a program has, behind all of them: its number
// above this.
#define SCRIPT_LINE_FRAME (UINT64_C(1) << 47)

static inline bool
script_line_is(uint64_t pc)
{
	return pc - SCRIPT_LINE_FRAME < SCRIPT_LINES;
}

// Either one as it came from outside, which may have bytes of any kind, or none.
void script_line_file(struct script_line_words *words, const char *name);
void script_line_function(struct script_line_words *words, const char *name);

// A character of Unicode as UTF-8 (RFC 3629): up to 4 bytes. How many.
size_t script_line_encode(char *to, uint32_t character);

// The frame of these words. 0: there is no room.
uint64_t script_line_keep(const struct script_line_words *words);

// The text of a frame that is a line; its length in *length. It stays where it is.
const char *script_line_text(uint64_t pc, uint32_t *length);

// The part of it that is read at a glance: without the file's folder, and the language.
const char *script_line_short(uint64_t pc, uint32_t *length);

// The text's hash: the same in each run.
uint64_t script_line_hash(uint64_t pc);

#endif
