// SPDX-License-Identifier: BSD-2-Clause
// keys: decodes the bytes that a terminal sends into keys, one at a time. Any bytes are allowed.

#ifndef PMEM_CLI_KEYS_H
#define PMEM_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

// The keys and events besides the characters from ' ' to '~'.
enum key {
	KEY_NONE,   // the time is up
	KEY_REDRAW, // the size changed, or we were continued
	KEY_CLOSED, // no more keys will come
	KEY_OTHER,  // a key without a name here
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

// Bytes that have been read. More are appended.
struct keys {
	char bytes[64];
	size_t count;
};

// Removes and returns the first key. Returns KEY_NONE if there is none, or if more of it may come
// and `is_all` is false.
int keys_take(struct keys *keys, bool is_all);

#endif
