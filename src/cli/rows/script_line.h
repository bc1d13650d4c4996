// SPDX-License-Identifier: BSD-2-Clause
// script_line: lines of the program's own language (Ruby, Python, Java, PHP) on a stack. This
// module prints a line and says who owns it. It also knows which of an interpreter's functions
// merely run others.
//
// A line belongs to the program or to a package. Packages are the language's standard library (for
// Java: java, javax, sun, com.sun, jdk) and what was installed. Installed are gems, and files in
// site-packages, dist-packages or node_modules. A launcher counts as a package, too: top-level code
// of a file in a folder `bin` or `sbin`. Only the path in the log decides, so the result is the
// same wherever the log is read.
//
// All functions are pure functions of their arguments, except for script_line_learn().

#ifndef PMEM_CLI_SCRIPT_LINE_H
#define PMEM_CLI_SCRIPT_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "log/run.h"

// The owner of a frame's code. A lower value is more useful to a reader.
enum script_line_owner {
	SCRIPT_OWN,
	SCRIPT_PACKAGES, // lines of a package or a launcher
	SCRIPT_INSIDE,   // compiled into the interpreter: <frozen ...>, <internal:...>, node:
};
enum script_line_owner script_line_owner(const struct frame *frame);

// Returns the owner of a function that a perf map names: SCRIPT_OWN or SCRIPT_PACKAGES.
enum script_line_owner script_line_owner_of_code(const char *name);

// Decides for each file in the run's frames how it is shown from now on. The file's name is enough
// if it is unique. If it is not unique, as many of its folders as needed are shown before it. A
// file of the program is compared with the program's files, and a package's file with all files.
void script_line_learn(struct run *run);

// Prints "app.py:12 in Handler.get", without the number if the line is not known. For a Java class
// that is named like its file, prints "Order.total:12".
void script_line_print(FILE *to, const struct frame *frame);

// Prints " app.py:12", which follows the function's name in a tree.
void script_line_print_place(FILE *to, const struct frame *frame);

// Returns the line in full, with the log's escaped bytes decoded: "/srv/app.py:12 in Handler.get".
// The caller frees the text.
char *script_line_text(const struct frame *frame);

// Returns true for the name of an interpreter's function that only calls and runs other functions.
bool script_line_is_call(const char *function);

#endif
