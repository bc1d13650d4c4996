// SPDX-License-Identifier: BSD-2-Clause
// refusal: the reason for which a place is not written to, in words for the log.
//
// Who may call: any thread, at any moment. Never allocates.

#ifndef PMEM_REFUSAL_H
#define PMEM_REFUSAL_H

#include <stdbool.h>

struct text;

// Words, an optional number, and more words.
struct refusal {
	const char *before;
	bool has_number;
	unsigned long number;
	const char *after;
	long error; // -errno of the last failure that was not the place's fault
};

// Returns true if -errno, of a file or of its folder, is the place's own fault: another place
// may work.
bool refusal_is_of_place(struct refusal *refusal, long error);

void refusal_write(struct text *text, const struct refusal *refusal);

#endif
