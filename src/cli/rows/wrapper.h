// SPDX-License-Identifier: BSD-2-Clause
// wrapper: functions that others have allocate for them, so that their names do not tell who
// holds the memory: zmalloc(), PyMem_Malloc(), an operator new, what a container grows by.
// Lines about sources leave them out (attribution.h); whole stacks have them.
//
// A wrapper is known by its name, or by what it is: WRAPPER_CALLERS functions or more have
// allocated through it by themselves, nothing but libraries and other wrappers being between it
// and the allocator. Of functions without a name those in the same 4 KiB of code count as one.
// How many have done so only grows as a log does: what was a wrapper once is one at each later
// look, whatever the moment, the order or the filter is that is asked for. So it is counted over
// all sources that the log has named so far, and by the log's own names, which are the same
// wherever it is read.

#ifndef PMEM_CLI_WRAPPER_H
#define PMEM_CLI_WRAPPER_H

#include <stdbool.h>

#include "base/options.h"
#include "log/run.h"
#include "rows/resolved_frame.h"

enum { WRAPPER_CALLERS = 24 };

// --hide RE, which may be repeated, and --show-all; for options_parse().
extern const struct option wrapper_options[];
#define WRAPPER_HELP \
	"  --hide RE            leave functions that RE matches out of lines\n" \
	"  --show-all           leave no function out, and print names in full\n"

// After options_parse(). What is wrong with them ends the process with EXIT_USAGE.
void wrapper_compile(const char *subcommand);

// Whether either of the two was given.
bool wrapper_is_asked(void);

bool wrapper_shows_all(void);

// Looks which of the run's functions are wrappers by what they are, and which of its files have the
// same name (script_line.h); again when it has new sources. Frames of a run that was not looked
// through are known by their names.
void wrapper_learn(struct run *run);

// Of a frame that is in no library (library.h).
bool wrapper_is(const struct resolved_frame *resolved);

// By the function's name alone, of anything.
bool wrapper_is_name(const char *name);

#endif
