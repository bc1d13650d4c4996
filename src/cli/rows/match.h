// SPDX-License-Identifier: BSD-2-Clause
// match: --match and --not: which sources are meant, by POSIX extended regular expressions
// (regex(7)) that are looked for in the functions and the modules' paths of a stack, and in
// lines of a language as the log has them; --thread: by the thread that has allocated most of
// them.

#ifndef PMEM_CLI_MATCH_H
#define PMEM_CLI_MATCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "rows/resolved_frame.h"

struct stack_match {
	struct option_list wanted;   // --match: at least one is found in some frame; empty: all
	struct option_list unwanted; // --not: none is found in any frame
	const char *thread;          // --thread: its name or number; NULL: any, or none
	regex_t *wanted_regexes, *unwanted_regexes; // of match_compile()
};

// For a subcommand's table of options, and its lines of help.
#define MATCH_OPTIONS(MATCH) \
	{"match", 'm', OPTION_LIST, &(MATCH).wanted, NULL}, \
	{"not", 'x', OPTION_LIST, &(MATCH).unwanted, NULL}, \
	{"thread", 0, OPTION_TEXT, &(MATCH).thread, NULL}
#define MATCH_HELP \
	"  -m, --match RE       only stacks where RE matches a function, module or line\n" \
	"  -x, --not RE         leave out stacks where RE matches\n" \
	"  --thread NAME        only sources mostly allocated by this thread (name, tid)\n"

// Whether everything matches.
bool match_is_empty(const struct stack_match *match);

// The expressions of an option, compiled; NULL of none. One that is none ends the process with
// EXIT_USAGE.
regex_t *match_compile_list(const struct option_list *list, const char *subcommand,
	const char *option);

// Whether any of them is found in the frame's name, or in its module's path; in all of a line.
bool match_finds(const regex_t *regexes, size_t count,
	const struct resolved_frame *resolved);

// After options_parse(). One that is none ends the process with EXIT_USAGE.
void match_compile(struct stack_match *match, const char *subcommand);

bool match_frames(const struct stack_match *match, const struct resolved_frame *frames,
	size_t count);

// Whether it is the thread that was asked for.
bool match_thread(const struct stack_match *match, const struct share *by);

// The same of a row's frames and thread.
bool match_row(const struct stack_match *match, const struct row *row);

#endif
