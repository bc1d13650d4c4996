// SPDX-License-Identifier: BSD-2-Clause
// wrapper: finds functions that allocate for their callers, so their names do not say who holds the
// memory. Examples are zmalloc(), PyMem_Malloc(), an operator new, and what grows a container.
// Lines about sources leave wrappers out (attribution.h); whole stacks have them.
//
// A wrapper is recognized by its name, or by its callers. At least WRAPPER_CALLERS functions must
// have allocated through it, with only libraries and other wrappers between it and the allocator.
// Callers without a name count once for each 4 KiB of code. This count only grows with the log, so
// a wrapper stays one for every moment, order and filter. It covers all sources that the log has
// named so far. It uses the log's own names, which are the same wherever the log is read.

#ifndef PMEM_CLI_WRAPPER_H
#define PMEM_CLI_WRAPPER_H

#include <stdbool.h>

#include "base/options.h"
#include "log/run.h"
#include "rows/resolved_frame.h"

enum { WRAPPER_CALLERS = 24 };

// The options --hide RE, which may be repeated, and --show-all; for options_parse().
extern const struct option wrapper_options[];
#define WRAPPER_HELP \
	"  --hide RE            leave functions that RE matches out of lines\n" \
	"  --show-all           leave no function out, and print names in full\n"

// Called after options_parse(). Ends the process with EXIT_USAGE if an option is not valid.
void wrapper_compile(const char *subcommand);

// Returns true if --hide or --show-all was given.
bool wrapper_is_asked(void);

bool wrapper_shows_all(void);

// Finds the run's wrappers by their callers, and its files that share a name (script_line.h). Does
// so again if the run has new sources. Without this call wrappers of a run are recognized only by
// their names.
void wrapper_learn(struct run *run);

// Returns true for a wrapper. The frame must be in no library (library.h).
bool wrapper_is(const struct resolved_frame *resolved);

// Returns true if the name alone says so, for any function.
bool wrapper_is_name(const char *name);

#endif
