// SPDX-License-Identifier: BSD-2-Clause
// codeline: what a line of a perf map tells of a piece of code (perfmap.h).
//
// Who may call: any thread. Looks at bytes that it is given, and trusts none of them.

#ifndef PMEM_CODELINE_H
#define PMEM_CODELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CODELINE_NAME_MAX = 257, // bytes of a name: one more than is shown; the rest is cut off
	CODELINE_BEFORE_MAX = 64, // bytes before it, in a line or a record
};

// A line, or a record of a dump (jitdump.h).
struct codeline {
	uintptr_t start; // and the address behind it
	uintptr_t end;
	uint64_t at; // where it stands in the file: what was written later stands behind
	uint64_t when; // it was told: of a line where it stands, else by the monotonic clock
	const char *name; // in what was given; without an end
	size_t length; // 0: it is not known what lies there
};

typedef void codeline_taker(const struct codeline *line);

// Sets where it lies. False: nowhere that code can be.
bool codeline_set_range(struct codeline *line, uint64_t start, uint64_t bytes);

// Gives the lines that are whole, of what stands at `at` in the file. How many bytes they have.
size_t codeline_take(const char *bytes, size_t length, uint64_t at, codeline_taker *take);

// The one that stands there, whole or not. False: it is damaged, or tells of nothing.
bool codeline_read(const char *bytes, size_t length, uint64_t at, struct codeline *line);

#endif
