// SPDX-License-Identifier: BSD-2-Clause
// cli: what the reader's subcommands share: how they are listed.
//
// A subcommand is one file with one function, one help text and one list of tables of options;
// subcommands.c's table names them. Subcommands never call each other.
//
// What holds for all of the reader where a header does not say otherwise: there is one thread,
// and nothing is called in a signal handler. A function may allocate, and a lack of memory ends
// the process with EXIT_DATA (base/memory.h). What it cannot do without ends the process as
// well, by die(); what can be left out it warns of, by warn(), and says so by false or NULL. A
// pointer it returns is its own, unless it says that the caller frees it.

#ifndef PMEM_CLI_H
#define PMEM_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/message.h"

struct option; // options.h

struct subcommand {
	const char *name;
	// argv[0] is the subcommand's name. The result is the exit status. What it has written to
	// standard output is flushed, and checked, afterwards.
	int (*function)(int argc, char **argv);
	const char *summary; // one line
	const char *help;    // all of it
	const struct option *const *tables; // as for options_parse(); NULL: it has no options
	bool ends_in_command; // of another's: options behind the first operand are not ours
};

// All there are; behind them one without a name.
extern const struct subcommand subcommands[];

// The one of that name. There is none: ends the process with EXIT_USAGE and a line that begins
// with `before`.
const struct subcommand *subcommand_find(const char *before, const char *name);

// Whether it is one of the options by which help is asked for.
bool help_is_asked(const char *argument);

// What all of pmem understands.
void help_usage(FILE *to);

// The text of a subcommand's help, on standard output. On a terminal that is narrower than the
// text, paragraphs and what stands beside an option are filled anew; otherwise lines are as they
// are.
void help_print(const char *text);

// The manual page, in the macros of man(7): `usage`, and the help of all subcommands.
void help_man(const char *usage);

// A part of a subcommand's help that begins with a name: an option's, mostly, and what it takes.
struct help_item {
	const char *name, *text; // the text goes on in the lines below that are indented as far
	size_t name_length, text_length; // in this line
	size_t hang;             // columns before the text
};

// The item that begins in the line; false: none does.
bool help_item(struct help_item *item, const char *line, size_t length);

// The first words of what help says of the option, up to a colon or semicolon; to be freed.
char *help_of_option(const char *help, const char *name);

// The scripts for shells, and what they share: the words that an option or a subcommand takes, NULL
// behind the last (none: whatever it is, or logs), and how they are printed.
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);
const char *const *completion_values(const struct option *option);
const char *const *completion_operands(const struct subcommand *subcommand);
const char *const *completion_subcommands(void);
void completion_words(const char *const *words);

// Each subcommand's function, help and options, for subcommands.c's table.
#define SUBCOMMAND(NAME) \
	int NAME##_main(int argc, char **argv); \
	extern const char NAME##_help[]; \
	extern const struct option *const NAME##_tables[]

SUBCOMMAND(report);
SUBCOMMAND(leaks);
SUBCOMMAND(diff);
SUBCOMMAND(top);
SUBCOMMAND(export);
SUBCOMMAND(html);
SUBCOMMAND(run);
SUBCOMMAND(completion);
SUBCOMMAND(help);

#endif
