// step: a stack as its reader sees it: functions, those inlined at a frame as well, each with
// its file and line where they are known.

#ifndef PMEM_CLI_STEP_H
#define PMEM_CLI_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

// The last component of the path of the step's module; "": there is none, or it is not known.
const char *step_module(const struct step *step);

// What {other} and {rest} are, in words; "" for any other step.
const char *step_word(const struct step *step);

// Of where.c: the step of a stack that is worth looking at, the program's own function, and not
// the wrappers of libraries between it and the allocator.
//
// The innermost step that is in none of these: the allocator and its hooks, the C library and
// the loader, the C++ library (in code of the program as well: operator new, std::,
// __gnu_cxx::), Rust's own (alloc::, core::, std::, hashbrown::). A program's own xmalloc() is
// its own function. Where all are in these, the innermost that is no hook; else the hook.
// *index, unless NULL: its place in steps. `count` is at least 1.
const struct step *where_step(const struct step *steps, size_t count, size_t *index);

// Whether the step is in one of these.
bool where_is_library(const struct step *step);

// The same in words: with file and line or, where it is in another module than the program,
// that one; through which function of a library; then those of its callers that are the
// program's: "take util.c:7 via strdup < parse x3 < main".
void where_print(FILE *to, const struct step *steps, size_t count);

#endif
