// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "top/keys.h"

// Returns the key for the bytes after ESC [ or ESC O: a cursor key's letter, or a number and '~'.
static int
named_key(const char *bytes, size_t length)
{
	static const struct {
		const char *bytes;
		enum key key;
	} names[] = {
		{"A", KEY_UP}, {"B", KEY_DOWN}, {"C", KEY_RIGHT}, {"D", KEY_LEFT},
		{"H", KEY_HOME}, {"F", KEY_END}, {"1~", KEY_HOME}, {"4~", KEY_END},
		{"7~", KEY_HOME}, {"8~", KEY_END},
		{"5~", KEY_PAGE_UP}, {"6~", KEY_PAGE_DOWN},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *name = names[i].bytes;
		if (strlen(name) == length && memcmp(name, bytes, length) == 0)
			return names[i].key;
	}
	return KEY_OTHER;
}

// Returns the length of the first key in the buffer. Returns 0 if further bytes of that key may
// still come. By ECMA-48, 5.4, parameters follow ESC [, and a byte from '@' to '~' ends the key.
static size_t
key_length(const struct keys *keys)
{
	if (keys->bytes[0] != '\033')
		return 1;
	if (keys->count < 2)
		return 0;
	if (keys->bytes[1] == '\033')
		return 1;
	if (keys->bytes[1] == 'O')
		return keys->count < 3 ? 0 : 3;
	if (keys->bytes[1] != '[')
		return 2;
	for (size_t i = 2; i < keys->count; i++)
		if (keys->bytes[i] >= '@' && keys->bytes[i] <= '~')
			return i + 1;
	return keys->count == sizeof(keys->bytes) ? keys->count : 0;
}

int
keys_take(struct keys *keys, bool is_all)
{
	size_t length = keys->count > 0 ? key_length(keys) : 0;
	if (length == 0 && is_all)
		length = keys->count;
	if (length == 0)
		return KEY_NONE;
	int key = (unsigned char)keys->bytes[0];
	if (key == '\033' && length == 1)
		key = KEY_ESCAPE;
	else if (key == '\033')
		key = length < 3 ? KEY_OTHER : named_key(keys->bytes + 2, length - 2);
	else if (key == '\r' || key == '\n')
		key = KEY_ENTER;
	else if (key == '\b' || key == 127)
		key = KEY_BACKSPACE;
	else if (key < ' ' || key > '~')
		key = key == '\f' ? KEY_REDRAW : KEY_OTHER;
	keys->count -= length;
	memmove(keys->bytes, keys->bytes + length, keys->count);
	return key;
}
