// SPDX-License-Identifier: BSD-2-Clause
// keys: what a terminal sends for the keys pressed, one key after the other. Any bytes will do.

#ifndef PMEM_CLI_KEYS_H
#define PMEM_CLI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

// What there is beside the characters from ' ' to '~'.
enum key {
	KEY_NONE,   // the time is up
	KEY_REDRAW, // the size changed, or we were continued
	KEY_CLOSED, // there will be no keys any more
	KEY_OTHER,  // one that has no name here
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

// Bytes that have been read; more go behind them.
struct keys {
	char bytes[64];
	size_t count;
};

// Takes the first key out; KEY_NONE: there is none, or, unless `is_all`, more of it may
// come.
int keys_take(struct keys *keys, bool is_all);

#endif
