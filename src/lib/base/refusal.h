// SPDX-License-Identifier: BSD-2-Clause
// refusal: the reason why no log is written at a path, in words for the log.
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

// `error` is the -errno of a call on a file or its folder. Returns true if the error is the path's
// own fault, so that another path may work. If true, sets `refusal` to words for the error.
// Otherwise sets refusal->error.
bool refusal_is_of_place(struct refusal *refusal, long error);

void refusal_write(struct text *text, const struct refusal *refusal);

#endif
