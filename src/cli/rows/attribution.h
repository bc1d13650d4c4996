// SPDX-License-Identifier: BSD-2-Clause
// attribution: finds the function of a stack that its source is put down to. Prints the line for
// it: that function and its callers.
//
// The chosen function is not always the innermost one. It is the program's own, without wrappers of
// allocators (wrapper.h) while a caller with a name remains. If it has no name, it is the nearest
// caller in the same module that has one. Only the words of a line are chosen here: numbers,
// sources and whole stacks stay unchanged.
//
// A stack may have lines of the program's own language (script_line.h). Then only these lines are
// shown, and not the interpreter's functions. The program's lines are shown if there are any, else
// those of packages.

#ifndef PMEM_CLI_ATTRIBUTION_H
#define PMEM_CLI_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rows/name.h"
#include "rows/resolved_frame.h"

// Returns the program's own function, even if it is a wrapper: the innermost frame that is in no
// library (library.h). If all are in libraries, it is the innermost frame that is no hook, or else
// the hook. Of lines of a language it is the innermost outside packages, or the innermost. `count`
// is at least 1. Names are those of exports.
const struct resolved_frame *attribution_own(const struct resolved_frame *frames,
	size_t count);

// Returns the frame that a line begins with. For code made at run time it is the innermost of that,
// because the interpreter called the allocator for it. With --show-all it is attribution_own().
const struct resolved_frame *attribution_shown(const struct resolved_frame *frames,
	size_t count);

// Returns the innermost line of the program's own language, or NULL.
const struct resolved_frame *attribution_line(const struct resolved_frame *frames,
	size_t count);

// Removes an interpreter's frames between a line and the allocator, or between two lines. These are
// functions that call others, functions without a name, and wrappers. Returns how many frames
// remain. With --show-all all remain.
size_t attribution_leave_out(struct resolved_frame *frames, size_t count);

// Frames that a line must show, because two lines would read the same without them.
enum { ATTRIBUTION_MARKS = 3 };
struct attribution_mark {
	size_t index; // in frames
	bool with_line, with_offset; // the name alone is not enough, nor is name and line
	enum name_form form; // the shortest form that is enough
};

struct attribution_marks {
	struct attribution_mark marks[ATTRIBUTION_MARKS];
	size_t count;
};

// Prints the line: function, then file and line, or the module if it is not the program. Then comes
// the library function it called, and then its callers of the program: "take util.c:7 via strdup <
// parse x3 < main". Template arguments are left out, unless --show-all is given, or two lines
// differ only in them: "step via std::map<int, Order>::at < main". `marks` may be NULL; it has the
// frames that must be shown. A caller without a name is an offset after the first one of its
// module: "git(+0x1f) < +0x2c". Lines of a language look like this: "app.py:12 in Shop.get <
// app.py:40 in main".
void attribution_print(FILE *to, const struct resolved_frame *frames, size_t count,
	const struct attribution_marks *marks);

#endif
