// SPDX-License-Identifier: BSD-2-Clause
// step: a stack as its reader sees it: functions, those inlined at a frame as well, each with
// its file and line where they are known.

#ifndef PMEM_CLI_STEP_H
#define PMEM_CLI_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/row.h"
#include "symbols/symbols.h"

// One step of a stack, from a frame or from a function inlined there.
struct step {
	const struct frame *frame; // NULL: a row without frames; name is {other} or {rest}
	const struct inline_call *call;   // NULL: the frame has no function; name is the place, or, where
	                           // symbols.h has not looked, what the log says
	const char *name;
};

// The steps of a row, outermost first: as many as there are, or, when `steps` is NULL, their
// number. At least one. Names live as long as the process.
size_t row_steps(const struct row *row, struct step *steps);

// The same into room that grows as needed: begin with a zeroed one, free() its steps.
struct steps {
	struct step *steps;
	size_t count;
	size_t room;
};
void steps_take(struct steps *into, const struct row *row);

// Whether its name is a function's, and not a place.
bool step_is_function(const struct step *step);

// Whether it is a line of the program's own language (script_line.h). It has file and line in
// `call`, too, where symbols.h has looked.
bool step_is_line(const struct step *step);

// Whether it is in code made at run time that has a name: a perf map's.
bool step_is_code(const struct step *step);

// Where in such a name V8 marks how it has compiled the function, as in JS:*f and JS:^f, which are
// one; 0: there is no mark.
size_t step_mark(const char *name);

// The last component of the path of the step's module; of a line the path of its file; "":
// there is none, or it is not known.
const char *step_module(const struct step *step);

// What {other} and {rest} are, in words; "" for any other step.
const char *step_word(const struct step *step);

#endif
