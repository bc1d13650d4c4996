// SPDX-License-Identifier: BSD-2-Clause
// python_text: reads the characters of Python's texts (objects of the type str).
//
// Who may call: as interpreter.h says. The text must be one, and must not be freed meanwhile.

#ifndef PMEM_PYTHON_TEXT_H
#define PMEM_PYTHON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/python_layout.h"
#include "stacks/script_line.h"

enum {
	PYTHON_TEXT_LENGTH = 16, // offset of a text's length in characters, the same in all versions
	// At most this many bytes of a name are copied.
	PYTHON_TEXT_BYTES = 4 * SCRIPT_LINE_NAME_MAX,
	// Room for a name, for the end of a character that begins before that limit, and for a NUL.
	PYTHON_TEXT_ROOM = PYTHON_TEXT_BYTES + 8,
};

// Finds a text's characters, and their length in bytes. Returns false if the characters are not
// right after the text's head.
bool python_text_find(
	const struct python_layout *layout, uintptr_t text, const char **from, size_t *bytes);

// Copies a text as UTF-8, with a NUL. Copies an empty text if python_text_find() returns false.
void python_text_copy(const struct python_layout *layout, char name[PYTHON_TEXT_ROOM], uintptr_t text);

#endif
