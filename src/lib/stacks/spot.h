// SPDX-License-Identifier: BSD-2-Clause
// spot: places in a program's own language, as `FILE:LINE in FUNCTION [LANGUAGE]`, each text once
// and by a number. In a stack they stand behind the frames, for those of an interpreter.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its tables as they
// are used, never blocks: they are insert-only and lock-free. Where there is no room there is no
// spot.

#ifndef PMEM_SPOT_H
#define PMEM_SPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

enum {
	SPOTS = 1 << 15,
	SPOT_NAME_MAX = 256, // characters of a file, and of a function; longer ones end in "..."
	SPOT_TEXT_MAX = 2 * SPOT_NAME_MAX + 64,
};

// The most memory that they take.
#define SPOT_BYTES_MAX (PMEM_LANGUAGE_FRAMES > 0 ? (uint64_t)SPOTS * (16 + 2 * 4 + 128) : 0)

// As an interpreter has it.
struct spot_words {
	const char *language; // lower-case letters
	char file[SPOT_NAME_MAX + 1];     // made harmless for the log
	char function[SPOT_NAME_MAX + 1]; // the same
	uint32_t line;                    // 0: not known
};

// In a stack a spot is an address that no code of a program has, behind all of them: its number
// above this.
#define SPOT_FRAME (UINT64_C(1) << 47)

static inline bool
spot_is(uint64_t pc)
{
	return pc - SPOT_FRAME < SPOTS;
}

// Either one as it came from outside, which may have bytes of any kind, or none.
void spot_file(struct spot_words *words, const char *name);
void spot_function(struct spot_words *words, const char *name);

// A character of Unicode as UTF-8 (RFC 3629): up to 4 bytes. How many.
size_t spot_encode(char *to, uint32_t character);

// The frame of these words. 0: there is no room.
uint64_t spot_keep(const struct spot_words *words);

// The text of a frame that is a spot; its length in *length. It stays where it is.
const char *spot_text(uint64_t pc, uint32_t *length);

// The part of it that is read at a glance: without the file's folder, and the language.
const char *spot_short(uint64_t pc, uint32_t *length);

// The text's hash: the same in each run.
uint64_t spot_hash(uint64_t pc);

#endif
