// SPDX-License-Identifier: BSD-2-Clause
// gc: does a language collect what a source allocates, and when?
//
// That is told by the lines of Ruby, Python and Java in a stack; where it has none, as of a
// version that the library does not know, and of other languages, by the files that functions lie
// in, or by their names.
//
// Pure functions of their arguments.

#ifndef PMEM_CLI_GC_H
#define PMEM_CLI_GC_H

#include <stdbool.h>

#include "log/run.h"

enum gc {
	GC_NONE,    // nobody does, as far as is known
	GC_DOUBLED, // all of it, when there is twice as much as when it had last done so
	GC_SELDOM,  // what is old, for which it has rules of its own
};

// Of several languages in a stack that of the innermost one, whose call it is. NULL: none.
enum gc gc_of(const struct source *source);

// The language itself allocates it, and nothing that it calls, which may free by itself.
bool gc_is_caller(const struct source *source);

#endif
