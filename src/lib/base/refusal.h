// SPDX-License-Identifier: BSD-2-Clause
// refusal: why a place is not written to, in words for the log.
//
// Who may call: any thread, at any moment. Never allocates.

#ifndef PMEM_REFUSAL_H
#define PMEM_REFUSAL_H

#include <stdbool.h>

struct text;

// Words, a number where there is one, words.
struct refusal {
	const char *before;
	bool has_number;
	unsigned long number;
	const char *after;
	long error; // -errno of the last failure that was none of the place's
};

// Whether -errno, of a file or of its folder, is the place's own: elsewhere it may do.
bool refusal_is_of_place(struct refusal *refusal, long error);

void refusal_write(struct text *text, const struct refusal *refusal);

#endif
