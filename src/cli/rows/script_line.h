// SPDX-License-Identifier: BSD-2-Clause
// script_line: lines of the program's own language (Ruby, Python, Java) on a stack: how they are
// written, whose they are, and what of an interpreter stands between such a line and the allocator.
//
// Lines are of a package, or of the program. A package's are those of the language's standard
// library (Java's own packages: java, javax, sun, com.sun, jdk) and those that were installed: a
// gem, what lies in site-packages, dist-packages or node_modules. By the path alone, so that it is
// the same wherever the log is read. So are a launcher's, the top level of a file in a folder
// `bin`.
//
// Pure functions of their arguments, but for script_line_learn().

#ifndef PMEM_CLI_SCRIPT_LINE_H
#define PMEM_CLI_SCRIPT_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "log/run.h"

// Of frames that have a language. The less the more it tells.
enum script_line_owner {
	SCRIPT_OWN,
	SCRIPT_PACKAGES, // or a launcher's
	SCRIPT_INSIDE,   // what was compiled into the interpreter: <frozen ...>, <internal:...>, node:
};
enum script_line_owner script_line_owner(const struct frame *frame);

// Of a function's name in a perf map, the first two.
enum script_line_owner script_line_owner_of_code(const char *name);

// How each of the run's lines is told from now on: by the name of its file, and where there are
// two of one name by as much of the folder as tells which. The program's own are told from each
// other, a package's from all.
void script_line_learn(struct run *run);

// "app.py:12 in Handler.get"; without a line where it is not known. Of Java, where the class has its
// file's name, "Order.total:12".
void script_line_print(FILE *to, const struct frame *frame);

// "  app.py:12", what stands behind the function in a tree.
void script_line_print_place(FILE *to, const struct frame *frame);

// As the log has it, but for bytes that it escapes: "/srv/app.py:12 in Handler.get". To be freed.
char *script_line_text(const struct frame *frame);

// Whether an interpreter's function does nothing but to call and run others, by its name.
bool script_line_is_call(const char *function);

#endif
