// SPDX-License-Identifier: BSD-2-Clause
// attribution: a report prints each source as one line of text, which names a function and its
// callers. This module chooses that function from the source's stack, and prints the text.
//
// The chosen function is not always the innermost one. It is the innermost function of the program
// that is no wrapper of an allocator (wrapper.h). A wrapper is chosen only if no near caller has a
// name. If the chosen function has no name, its nearest caller in the same module that has a name
// is chosen. Only the printed text depends on this choice: numbers, sources and whole stacks do
// not.
//
// A stack may have frames that are lines of the program's own language (script_line.h), such as
// Python. They are called script lines here. Then only script lines are printed, and not the
// interpreter's functions. The program's script lines are printed if the stack has any, else those
// of packages.

#ifndef PMEM_CLI_ATTRIBUTION_H
#define PMEM_CLI_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rows/name.h"
#include "rows/resolved_frame.h"

// Returns the program's own function, even if it is a wrapper: the innermost frame that is in no
// library (library.h). If all frames are in libraries, returns the innermost frame that is no hook,
// or else the hook. If the stack has script lines, returns the innermost one outside packages, or
// else the innermost one. `count` is at least 1. Exports name this function.
const struct resolved_frame *attribution_own(const struct resolved_frame *frames,
	size_t count);

// Returns the frame whose function the printed text begins with. If a perf map names code made at
// run time on the stack, returns the innermost frame of such code. The functions which that code
// called are the interpreter's, and allocated for that code. With --show-all returns what
// attribution_own() returns.
const struct resolved_frame *attribution_shown(const struct resolved_frame *frames,
	size_t count);

// Returns the innermost script line, or NULL if the stack has none.
const struct resolved_frame *attribution_line(const struct resolved_frame *frames,
	size_t count);

// Removes an interpreter's frames between a script line and the allocator, or between two script
// lines. Removes functions that only call others, functions without a name, and wrappers. Returns
// how many frames remain. Removes nothing with --show-all.
size_t attribution_leave_out(struct resolved_frame *frames, size_t count);

// Frames that the text must show, because two sources' texts would read the same without them.
enum { ATTRIBUTION_MARKS = 3 };
struct attribution_mark {
	size_t index; // index of the frame in the stack
	// true if the line number, or the offset, must be shown, too: the name alone is ambiguous
	bool with_line, with_offset;
	enum name_form form; // the shortest form of the name that is unambiguous
};

struct attribution_marks {
	struct attribution_mark marks[ATTRIBUTION_MARKS];
	size_t count;
};

// Prints the text of a source: first the function, with its file and line. If file and line are
// unknown, the function's module follows, unless that is the program. Next comes the library
// function that the function called, and last the function's callers: "take util.c:7 via strdup <
// parse x3 < main". Template arguments are left out, unless --show-all is given or two texts differ
// only in them: "step via std::map<int, Order>::at < main". `marks` has the frames that must be
// shown, and may be NULL. If several callers in a row of one module have no name, only the first
// prints the module: "git(+0x1f) < +0x2c". Script lines look like this: "app.py:12 in Shop.get <
// app.py:40 in main".
void attribution_print(FILE *to, const struct resolved_frame *frames, size_t count,
	const struct attribution_marks *marks);

#endif
