// SPDX-License-Identifier: BSD-2-Clause
// match: selects sources for --match, --not and --thread. --match and --not take POSIX extended
// regular expressions (regex(7)). Both search the functions of a stack and the paths of their
// modules. Both also search script lines (attribution.h), in full as the log has them. --thread
// selects sources of which the given thread has allocated more than half of the bytes.

#ifndef PMEM_CLI_MATCH_H
#define PMEM_CLI_MATCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "rows/resolved_frame.h"

struct stack_match {
	// --match: at least one expression must be found in some frame; empty selects all
	struct option_list wanted;
	struct option_list unwanted; // --not: no expression may be found in any frame
	const char *thread;          // --thread: the thread's name or number; NULL selects all
	regex_t *wanted_regexes, *unwanted_regexes; // set by match_compile()
};

// The options --match, --not and --thread, for a subcommand's table of options and its help text.
#define MATCH_OPTIONS(MATCH) \
	{"match", 'm', OPTION_LIST, &(MATCH).wanted, NULL}, \
	{"not", 'x', OPTION_LIST, &(MATCH).unwanted, NULL}, \
	{"thread", 0, OPTION_TEXT, &(MATCH).thread, NULL}
#define MATCH_HELP \
	"  -m, --match RE       only stacks where RE matches a function, module or line\n" \
	"  -x, --not RE         leave out stacks where RE matches\n" \
	"  --thread NAME        only sources mostly allocated by this thread (name, tid)\n"

// Returns true if none of the options was given, so that every source matches.
bool match_is_empty(const struct stack_match *match);

// Compiles the option's expressions, and returns NULL if it has none. Ends the process with
// EXIT_USAGE if an expression is not valid.
regex_t *match_compile_list(const struct option_list *list, const char *subcommand,
	const char *option);

// Returns true if any of the expressions is found in the frame's name or its module's path. A
// script line is searched as "/srv/app.py:12 in Handler.get".
bool match_finds(const regex_t *regexes, size_t count,
	const struct resolved_frame *resolved);

// Called after options_parse(). Ends the process with EXIT_USAGE if an expression is not valid.
void match_compile(struct stack_match *match, const char *subcommand);

bool match_frames(const struct stack_match *match, const struct resolved_frame *frames,
	size_t count);

// Returns true if the thread `by` is the one that --thread names, or if --thread was not given.
bool match_thread(const struct stack_match *match, const struct share *by);

// Returns true if a row's frames and thread both match.
bool match_row(const struct stack_match *match, const struct row *row);

#endif
