// SPDX-License-Identifier: BSD-2-Clause
// gc: tells whether a language's garbage collector frees what a source allocates, and when.
//
// Lines of Ruby, Python, Java or PHP in a stack show the language. A stack lacks such lines if the
// library does not know the language or the interpreter's version. Then the language is recognized
// by file names of programs and libraries, or by names of functions.
//
// Pure functions of their arguments.

#ifndef PMEM_CLI_GC_H
#define PMEM_CLI_GC_H

#include <stdbool.h>

#include "log/run.h"

enum gc {
	GC_NONE,    // no collector, as far as is known
	// the collector frees all garbage when live bytes have doubled since the last collection
	GC_DOUBLED,
	GC_SELDOM,  // the collector frees old objects seldom, by the language's own rules
	GC_NEVER,   // no garbage, but a virtual machine's own memory: its compiler works for minutes
	GC_CIRCLES, // references are counted: only blocks that refer to each other wait for the collector
};

// Returns how the innermost language in the source's stack collects garbage, since that language's
// code caused the allocation. Returns GC_NEVER if no language but its virtual machine is in the stack,
// and GC_NONE for NULL.
enum gc gc_of(const struct source *source);

// Returns true if the function that allocates is in a language's own program or library. Returns
// false if the function is in other code that the language calls. That code may free its memory
// itself, without the collector.
bool gc_is_caller(const struct source *source);

#endif
