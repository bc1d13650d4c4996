// SPDX-License-Identifier: BSD-2-Clause
// gc: tells whether a language's garbage collector frees what a source allocates, and when.
//
// Lines of Ruby, Python or Java in a stack show the language. A stack lacks such lines if the
// library does not know the interpreter's version, or does not know the language. Then file names
// of programs and libraries show the language, or names of functions.
//
// Pure functions of their arguments.

#ifndef PMEM_CLI_GC_H
#define PMEM_CLI_GC_H

#include <stdbool.h>

#include "log/run.h"

enum gc {
	GC_NONE,    // no collector, as far as is known
	GC_DOUBLED, // frees all garbage when live bytes have doubled since the last collection
	GC_SELDOM,  // looks at old objects seldom, by the language's own rules
};

// Returns how the innermost language in the source's stack collects, since that language's code
// makes the call. Returns GC_NONE for NULL.
enum gc gc_of(const struct source *source);

// Returns true if the function that allocates is in a language's own program or library. Returns
// false if it is in other code that the language calls. Such code may free its memory itself.
bool gc_is_caller(const struct source *source);

#endif
