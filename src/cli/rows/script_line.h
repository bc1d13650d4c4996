// SPDX-License-Identifier: BSD-2-Clause
// script_line: lines of the program's own language (Ruby, Python, Java) on a stack. It prints them,
// finds their owner, and knows an interpreter's functions between a line and the allocator.
//
// A line belongs to a package or to the program. Packages are the language's standard library (for
// Java: java, javax, sun, com.sun, jdk) and what was installed: gems, and files in site-packages,
// dist-packages or node_modules. The path alone decides, so the result is the same wherever the log
// is read. A launcher counts as a package, too: the top level of a file in a folder `bin`.
//
// Pure functions of their arguments, except for script_line_learn().

#ifndef PMEM_CLI_SCRIPT_LINE_H
#define PMEM_CLI_SCRIPT_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "log/run.h"

// The owner of a frame that has a language. A lower value is more useful to a reader.
enum script_line_owner {
	SCRIPT_OWN,
	SCRIPT_PACKAGES, // or a launcher's
	SCRIPT_INSIDE,   // compiled into the interpreter: <frozen ...>, <internal:...>, node:
};
enum script_line_owner script_line_owner(const struct frame *frame);

// Returns the owner of a function that a perf map names: one of the first two.
enum script_line_owner script_line_owner_of_code(const char *name);

// Sets how each of the run's files is shown from now on. A file's name is enough if it is unique;
// else as much of the folder as needed comes before it. The program's files are compared among
// themselves, a package's with all files.
void script_line_learn(struct run *run);

// Prints "app.py:12 in Handler.get", without the line if it is not known. A class of Java that is
// named like its file prints "Order.total:12".
void script_line_print(FILE *to, const struct frame *frame);

// Prints " app.py:12", which comes after the function in a tree.
void script_line_print_place(FILE *to, const struct frame *frame);

// Returns the line as in the log, with escaped bytes decoded: "/srv/app.py:12 in Handler.get". The
// caller frees it.
char *script_line_text(const struct frame *frame);

// Returns true if the name is that of an interpreter's function that only calls and runs others.
bool script_line_is_call(const char *function);

#endif
