// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "language/interpreter.h"
#include "language/python_text.h"

enum {
	TEXT_STATE = 32, // offset of the bits that say how the characters are stored
};

static bool
is_ascii(uintptr_t text)
{
	return half_at(text, TEXT_STATE) >> 6 & 1;
}

bool
python_text_find(
	const struct python_layout *layout, uintptr_t text, const char **from, size_t *bytes)
{
	uint32_t how = half_at(text, TEXT_STATE);
	unsigned width = how >> 2 & 7; // bytes a character
	bool is_compact = how >> 5 & 1;

	*from = (const char *)text + (is_ascii(text) ? layout->text_ascii : layout->text_other);
	*bytes = word_at(text, PYTHON_TEXT_LENGTH) * width;
	return is_compact && width <= 4;
}

void
python_text_copy(const struct python_layout *layout, char name[PYTHON_TEXT_ROOM], uintptr_t text)
{
	size_t length = word_at(text, PYTHON_TEXT_LENGTH);
	const char *from;
	size_t bytes;
	size_t used = 0;

	if (!python_text_find(layout, text, &from, &bytes))
		length = 0;
	if (is_ascii(text)) {
		used = length < PYTHON_TEXT_BYTES ? length : PYTHON_TEXT_BYTES;
		memcpy(name, from, used);
	}
	for (size_t i = used; i < length && used < PYTHON_TEXT_BYTES; i++) {
		uint32_t character = 0;
		memcpy(&character, from + i * (bytes / length), bytes / length);
		used += script_line_encode(name + used, character);
	}
	name[used] = '\0';
}
