// SPDX-License-Identifier: BSD-2-Clause
// keys: decodes the bytes that a terminal sends into keys, one key at a time. Any bytes may come,
// so nothing is taken for granted.

#ifndef PMEM_CLI_KEYS_H
#define PMEM_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

// Values for keys other than the characters from ' ' to '~', and for events.
enum key {
	KEY_NONE,   // no key came within the time
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

// Bytes read from the terminal and not decoded yet. The caller appends more.
struct keys {
	char bytes[64];
	size_t count;
};

// Removes the first key from the bytes and returns it. Returns KEY_NONE if there is none. Unless
// `is_all`, also returns KEY_NONE if the rest of the key may still come.
int keys_take(struct keys *keys, bool is_all);

#endif
