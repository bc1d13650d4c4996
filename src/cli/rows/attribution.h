// SPDX-License-Identifier: BSD-2-Clause
// attribution: which function of its stack a source is put down to, and what a line says of it:
// that function, and its callers.
//
// It is the function that tells most, not the innermost one: the program's own, without the
// wrappers of allocators (wrapper.h), as long as a caller with a name remains behind them; and
// where it has no name, the nearest caller in the same module that has one. Numbers, sources and
// whole stacks are what they are: only the words of a line are chosen here.
//
// Where the stack has lines of the program's own language (script_line.h), these tell most, and the
// interpreter's functions nothing: only lines are shown, of the program where there are any, else
// of packages.

#ifndef PMEM_CLI_ATTRIBUTION_H
#define PMEM_CLI_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rows/name.h"
#include "rows/resolved_frame.h"

// The program's own function, be it a wrapper: the innermost frame that is in no library
// (library.h). Where all are, the innermost that is no hook; else the hook. Of lines of a
// language the innermost that is no package's, or the innermost. `count` is at least 1. What
// exports say.
const struct resolved_frame *attribution_own(const struct resolved_frame *frames,
	size_t count);

// The one that a line begins with: of code made at run time the innermost one, since what called
// the allocator for it is its interpreter. With --show-all attribution_own().
const struct resolved_frame *attribution_shown(const struct resolved_frame *frames,
	size_t count);

// The innermost line of the program's own language; NULL: there is none.
const struct resolved_frame *attribution_line(const struct resolved_frame *frames,
	size_t count);

// Leaves out of the frames what an interpreter does between a line and the allocator, or between
// two: its functions that call others, those without a name, and wrappers. How many remain.
// With --show-all all do.
size_t attribution_leave_out(struct resolved_frame *frames, size_t count);

// Frames that a line must tell, since without them two lines would read the same.
enum { ATTRIBUTION_MARKS = 3 };
struct attribution_mark {
	size_t index; // in frames
	bool with_line, with_offset; // its name is not enough, nor is its line
	enum name_form form; // in a shorter one it is not enough either
};

struct attribution_marks {
	struct attribution_mark marks[ATTRIBUTION_MARKS];
	size_t count;
};

// In words: with file and line or, where it is in another module than the program, that one;
// through which function of a library; then those of its callers that are the program's: "take
// util.c:7 via strdup < parse x3 < main". Without arguments of templates, but for --show-all, and
// where two lines differ in these alone: "step via std::map<int, Order>::at < main". `marks`,
// unless NULL: what must be among that. Callers without a name are a number behind the first of
// their module: "git(+0x1f) < +0x2c". Of lines: "app.py:12 in Shop.get < app.py:40 in main".
void attribution_print(FILE *to, const struct resolved_frame *frames, size_t count,
	const struct attribution_marks *marks);

#endif
