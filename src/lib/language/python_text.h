// SPDX-License-Identifier: BSD-2-Clause
// python_text: reads a text of CPython, an object of type str.
//
// Who may call: a thread that holds the interpreter's lock.

#ifndef PMEM_PYTHON_TEXT_H
#define PMEM_PYTHON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/script_line.h"
#include "language/python_layout.h"

enum {
	// Offsets in a text, the same in all versions (Include/cpython/unicodeobject.h).
	PYTHON_TEXT_LENGTH = 16, // number of characters
	PYTHON_TEXT_HASH = 24,   // the characters' hash, or -1 if it has not been computed
	PYTHON_TEXT_COPIED = 4 * SCRIPT_LINE_NAME_MAX,
	// The last character may begin before PYTHON_TEXT_COPIED and end after it; a NUL follows.
	PYTHON_TEXT_BYTES = PYTHON_TEXT_COPIED + 8,
};

// Finds a text's characters, and their length in bytes. Returns false if the characters are not
// right after the text's head.
bool python_text_characters(
	const struct python_layout *layout, uintptr_t text, const char **from, size_t *bytes);

// Copies a text as UTF-8. A long one is cut after PYTHON_TEXT_COPIED bytes. The copy of a text
// whose characters are elsewhere is empty.
void python_text_copy(
	const struct python_layout *layout, char copy[PYTHON_TEXT_BYTES], uintptr_t text);

#endif
