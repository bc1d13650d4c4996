// SPDX-License-Identifier: BSD-2-Clause
// refusal: why no log is written at one of the paths that are tried, in words for the log.
//
// Who may call: any thread, at any moment. Never allocates.

#ifndef PMEM_REFUSAL_H
#define PMEM_REFUSAL_H

#include <stdbool.h>

struct text;

// The reason: words, an optional number, and more words.
struct refusal {
	const char *before;
	bool has_number;
	unsigned long number;
	const char *after;
	long error; // -errno of the last failure whose cause is not the path
};

// Returns true if an error, the -errno of a call on a file or its folder, is the path's own fault:
// another path may work. Then sets `refusal` to the error's words. Otherwise sets refusal->error.
bool refusal_is_of_place(struct refusal *refusal, long error);

void refusal_write(struct text *text, const struct refusal *refusal);

#endif
