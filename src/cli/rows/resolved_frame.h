// SPDX-License-Identifier: BSD-2-Clause
// resolved_frame: a frame as the reader shows it: a function, with file and line if known. If
// functions were inlined into a frame's function, the frame becomes several resolved frames.

#ifndef PMEM_CLI_RESOLVED_FRAME_H
#define PMEM_CLI_RESOLVED_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/row.h"
#include "symbols/symbols.h"

// A frame of the log, or a function that was inlined into it.
struct resolved_frame {
	// NULL for a row without frames. Then `name` is {other}, {rest} or the like
	const struct frame *frame;
	// NULL if no function is known: then `name` is a place, such as "git(+0x1f)". Also NULL before
	// symbols_resolve() was called: then `name` is the name in the log.
	const struct inline_call *call;
	const char *name;
};

// Writes the frames of a row, outermost first, and returns their number, at least 1. If `frames` is
// NULL, only returns the number. Names stay valid until this program ends.
size_t row_resolved_frames(const struct row *row, struct resolved_frame *frames);

// Returns the number of resolved frames that a frame of the log becomes, at least 1.
size_t resolved_frames_of(const struct frame *frame);

// Does the same as row_resolved_frames(), into memory that grows as needed. The caller begins with
// a zeroed struct, and frees its `frames`.
struct resolved_stack {
	struct resolved_frame *frames;
	size_t count;
	size_t room;
};
void resolved_stack_take(struct resolved_stack *into, const struct row *row);

// Returns true if `name` is a function's name, and not a place such as "git(+0x1f)".
bool resolved_is_function(const struct resolved_frame *resolved);

// Returns true for a line of the program's own language (script_line.h). After symbols.h has
// resolved the frame, `call` has the line's file and number, too.
bool resolved_is_line(const struct resolved_frame *resolved);

// Returns true for code made at run time that has a name, from a perf map.
bool resolved_is_code(const struct resolved_frame *resolved);

// Returns the last component of the module's path. For a line of a language, returns the path of
// its file. Returns "" if not known.
const char *resolved_module(const struct resolved_frame *resolved);

// For {other}, {rest} and the like, returns their meaning in words. Returns "" for any other frame.
const char *resolved_word(const struct resolved_frame *resolved);

#endif
