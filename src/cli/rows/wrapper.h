// SPDX-License-Identifier: BSD-2-Clause
// wrapper: finds functions that allocate for their callers, so their names do not say who holds the
// memory. Examples are zmalloc(), PyMem_Malloc(), an operator new, and functions that grow a
// container. The text of a source leaves wrappers out (attribution.h), but whole stacks have them.
//
// A wrapper is recognized by its name, or by its callers. By its callers, a function is a wrapper
// if at least WRAPPER_CALLERS functions have called it to allocate. Between this function and the
// allocator, only libraries and other wrappers may be on the stack. Callers without a name count
// once for each 4 KiB of code.
//
// The callers in all sources that the log has named so far are counted. Moments, orders and filters
// that the user chooses do not change the number of callers. So whatever the user chooses, the same
// functions are wrappers. The log's own names are used, which are the same wherever the log is
// read.

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

// Finds the run's wrappers by their callers, and which of the run's files have the same name
// (script_line.h). If the run has new sources since the last call, all sources are examined again.
// Before the first call, the run's wrappers are recognized only by their names.
void wrapper_learn(struct run *run);

// Returns true if the frame's function is a wrapper. The frame must be in no library (library.h).
bool wrapper_is(const struct resolved_frame *resolved);

// Returns true if the name alone shows that any function so called is a wrapper.
bool wrapper_is_name(const char *name);

#endif
