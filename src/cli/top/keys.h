// SPDX-License-Identifier: BSD-2-Clause
// keys: decodes the bytes that a terminal sends into keys, one key at a time. Accepts any bytes.

#ifndef PMEM_CLI_KEYS_H
#define PMEM_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

// Values for events and for named keys. The value of a key from ' ' to '~' is the character.
enum key {
	KEY_NONE,   // no key came before the timeout
	KEY_REDRAW, // the terminal's size has changed, or we were stopped and continued
	KEY_CLOSED, // no more keys will come
	KEY_OTHER,  // any other key
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_ENTER,
	KEY_ESCAPE,
	KEY_BACKSPACE,
};

// Bytes that were read from the terminal and not decoded yet. The caller appends more.
struct keys {
	char bytes[64];
	size_t count;
};

// Removes the first key from the bytes and returns it. Returns KEY_NONE if no bytes are left. If
// the first key may be incomplete, returns KEY_NONE. With `is_all`, takes all bytes as one key
// instead.
int keys_take(struct keys *keys, bool is_all);

#endif
