// SPDX-License-Identifier: BSD-2-Clause
// cli: what the reader's subcommands share, and their table.
//
// A subcommand is one file with one function, one help text and one list of tables of options. The
// table in subcommands.c names them. Subcommands never call each other.
//
// These rules hold for the whole reader unless a header says otherwise. There is one thread, and
// nothing is called in a signal handler. A function may allocate, and a lack of memory ends the
// process with EXIT_DATA (base/memory.h). A function that cannot do its work ends the process,
// too, by die(). If a part can be left out, it warns by warn(), and returns false or NULL. A
// returned pointer stays the function's, unless the header says that the caller frees it.

#ifndef PMEM_CLI_H
#define PMEM_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/message.h"

struct option; // options.h

struct subcommand {
	const char *name;
	// argv[0] is the subcommand's name. Returns the exit status. Standard output is flushed and
	// checked afterwards.
	int (*function)(int argc, char **argv);
	const char *summary; // one line
	const char *help;    // the whole text
	const struct option *const *tables; // as for options_parse(). NULL if it has no options
	bool ends_in_command; // the operands are a command: options behind the first are the command's
};

// All subcommands. The last entry has no name.
extern const struct subcommand subcommands[];

// Returns the subcommand of that name. If there is none, ends the process with EXIT_USAGE and a
// line that begins with `before`.
const struct subcommand *subcommand_find(const char *before, const char *name);

// Returns true for the options that ask for help.
bool help_is_asked(const char *argument);

// Prints the help for all of pmem.
void help_usage(FILE *to);

// Prints a subcommand's help to standard output. If the terminal is narrower than the text,
// paragraphs and texts beside options are wrapped again. Otherwise lines stay as they are.
void help_print(const char *text);

// Prints the manual page in man(7) macros: `usage`, and the help of all subcommands.
void help_man(const char *usage);

// A part of a subcommand's help that begins with a name, mostly an option and its value.
struct help_item {
	const char *name, *text; // the text goes on in lines that are indented by `hang`
	size_t name_length, text_length; // in the item's first line
	size_t hang;             // columns before the text
};

// Sets the item that begins in the line. Returns false if none does.
bool help_item(struct help_item *item, const char *line, size_t length);

// Returns the first words of the option's help, up to a colon or semicolon. The caller frees them.
char *help_of_option(const char *help, const char *name);

// The scripts for shells, and what they share. completion_values() and completion_operands()
// return the words for an option or a subcommand, with NULL behind the last. An empty list stands
// for any word, or for logs. completion_words() prints such a list.
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);
const char *const *completion_values(const struct option *option);
const char *const *completion_operands(const struct subcommand *subcommand);
const char *const *completion_subcommands(void);
void completion_words(const char *const *words);

// Declares each subcommand's function, help and options, for the table in subcommands.c.
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
