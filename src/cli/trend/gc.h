// SPDX-License-Identifier: BSD-2-Clause
// gc: tells whether a language collects what a source allocates, and when.
//
// Lines of Ruby, Python and Java in a stack tell the language. A stack may have none: of a version
// that the library does not know, or of other languages. Then the files and names of functions
// tell it.
//
// Pure functions of their arguments.

#ifndef PMEM_CLI_GC_H
#define PMEM_CLI_GC_H

#include <stdbool.h>

#include "log/run.h"

enum gc {
	GC_NONE,    // nobody, as far as is known
	GC_DOUBLED, // all of it, when live has doubled since the last collection
	GC_SELDOM,  // old objects seldom, by the language's own rules
};

// Returns the innermost language of the stack, since the call is from its code. NULL gives
// GC_NONE.
enum gc gc_of(const struct source *source);

// Returns true if the language's own code allocates. Other code that it calls may free by itself.
bool gc_is_caller(const struct source *source);

#endif
