// SPDX-License-Identifier: BSD-2-Clause
// resolved_frame: a frame as the reader shows it: a function, with file and line if known. A frame
// of the log becomes several if functions were inlined in it.

#ifndef PMEM_CLI_RESOLVED_FRAME_H
#define PMEM_CLI_RESOLVED_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/row.h"
#include "symbols/symbols.h"

// A frame of the log, or a function that was inlined in it.
struct resolved_frame {
	const struct frame *frame; // NULL for a row without frames; name is then {other} or {rest}
	// NULL if no function is known: then name is the place. Also NULL before symbols.h has looked:
	// then name is the log's.
	const struct inline_call *call;
	const char *name;
};

// Fills in the frames of a row, outermost first, and returns their number, at least 1. With NULL
// for `frames` it only returns the number. Names live as long as the process.
size_t row_resolved_frames(const struct row *row, struct resolved_frame *frames);

// Does the same into memory that grows as needed. The caller begins with a zeroed struct, and frees
// its frames.
struct resolved_stack {
	struct resolved_frame *frames;
	size_t count;
	size_t room;
};
void resolved_stack_take(struct resolved_stack *into, const struct row *row);

// Returns true if the name is a function's, and not a place.
bool resolved_is_function(const struct resolved_frame *resolved);

// Returns true for a line of the program's own language (script_line.h). `call` also has its file
// and line once symbols.h has looked.
bool resolved_is_line(const struct resolved_frame *resolved);

// Returns true for code made at run time that has a name, from a perf map.
bool resolved_is_code(const struct resolved_frame *resolved);

// Returns the offset of V8's mark in such a name, or 0 if there is none. The mark says how the
// function was compiled, as in JS:*f and JS:^f, which are one function.
size_t resolved_mark(const char *name);

// Returns the last component of the module's path, or, for a line of a language, the path of its
// file. Returns "" if not known.
const char *resolved_module(const struct resolved_frame *resolved);

// Returns in words what {other} and {rest} are, and "" for any other frame.
const char *resolved_word(const struct resolved_frame *resolved);

#endif
