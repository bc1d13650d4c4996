// SPDX-License-Identifier: BSD-2-Clause
// match: selects sources for --match, --not and --thread. --match and --not have POSIX extended
// regular expressions (regex(7)). Both search a stack's functions and modules' paths, and lines of
// a language as the log has them. --thread selects by the thread that has allocated most of a
// source.

#ifndef PMEM_CLI_MATCH_H
#define PMEM_CLI_MATCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "rows/resolved_frame.h"

struct stack_match {
	struct option_list wanted;   // --match: at least one is found in some frame; empty selects all
	struct option_list unwanted; // --not: none is found in any frame
	const char *thread;          // --thread: its name or number; NULL selects all
	regex_t *wanted_regexes, *unwanted_regexes; // set by match_compile()
};

// For a subcommand's table of options and its help text.
#define MATCH_OPTIONS(MATCH) \
	{"match", 'm', OPTION_LIST, &(MATCH).wanted, NULL}, \
	{"not", 'x', OPTION_LIST, &(MATCH).unwanted, NULL}, \
	{"thread", 0, OPTION_TEXT, &(MATCH).thread, NULL}
#define MATCH_HELP \
	"  -m, --match RE       only stacks where RE matches a function, module or line\n" \
	"  -x, --not RE         leave out stacks where RE matches\n" \
	"  --thread NAME        only sources mostly allocated by this thread (name, tid)\n"

// Returns true if every source matches.
bool match_is_empty(const struct stack_match *match);

// Compiles the expressions of an option; returns NULL if there are none. Ends the process with
// EXIT_USAGE if one is not valid.
regex_t *match_compile_list(const struct option_list *list, const char *subcommand,
	const char *option);

// Returns true if any of them is found in the frame's name or its module's path. For a line of a
// language the whole line is searched.
bool match_finds(const regex_t *regexes, size_t count,
	const struct resolved_frame *resolved);

// Called after options_parse(). Ends the process with EXIT_USAGE if an expression is not valid.
void match_compile(struct stack_match *match, const char *subcommand);

bool match_frames(const struct stack_match *match, const struct resolved_frame *frames,
	size_t count);

// Returns true if `by` is the requested thread, or if none is requested.
bool match_thread(const struct stack_match *match, const struct share *by);

// Returns true if a row's frames and thread both match.
bool match_row(const struct stack_match *match, const struct row *row);

#endif
