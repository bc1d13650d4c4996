// SPDX-License-Identifier: BSD-2-Clause
// resolved_frame: a frame as its reader sees it: a function, with file and line where they are
// known. A frame of the log at which functions were inlined is several of them.

#ifndef PMEM_CLI_RESOLVED_FRAME_H
#define PMEM_CLI_RESOLVED_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/row.h"
#include "symbols/symbols.h"

// A frame of the log, or a function that was inlined there.
struct resolved_frame {
	const struct frame *frame; // NULL: a row without frames; name is {other} or {rest}
	const struct inline_call *call; // NULL: the frame has no function; name is the place, or, where
	                                // symbols.h has not looked, what the log says
	const char *name;
};

// The frames of a row, outermost first: as many as there are, or, when `frames` is NULL, their
// number. At least one. Names live as long as the process.
size_t row_resolved_frames(const struct row *row, struct resolved_frame *frames);

// The same into room that grows as needed: begin with a zeroed one, free() its frames.
struct resolved_stack {
	struct resolved_frame *frames;
	size_t count;
	size_t room;
};
void resolved_stack_take(struct resolved_stack *into, const struct row *row);

// Whether its name is a function's, and not a place.
bool resolved_is_function(const struct resolved_frame *resolved);

// Whether it is a line of the program's own language (script_line.h). It has file and line in
// `call`, too, where symbols.h has looked.
bool resolved_is_line(const struct resolved_frame *resolved);

// Whether it is in code made at run time that has a name: a perf map's.
bool resolved_is_code(const struct resolved_frame *resolved);

// Where in such a name V8 marks how it has compiled the function, as in JS:*f and JS:^f, which are
// one; 0: there is no mark.
size_t resolved_mark(const char *name);

// The last component of the path of the frame's module; of a line the path of its file; "":
// there is none, or it is not known.
const char *resolved_module(const struct resolved_frame *resolved);

// What {other} and {rest} are, in words; "" for any other frame.
const char *resolved_word(const struct resolved_frame *resolved);

#endif
