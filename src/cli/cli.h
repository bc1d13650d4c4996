// SPDX-License-Identifier: BSD-2-Clause
// cli: functions for all subcommands of the reader, and the table of subcommands.
//
// A subcommand is one file with one function, one help text and one list of option tables. The
// table in subcommands.c names these three. Subcommands never call each other.
//
// These rules hold for the whole reader unless a header says otherwise. There is one thread, and no
// function is called in a signal handler. A function may allocate; if memory is short, the process
// ends with EXIT_DATA (base/memory.h). A function that cannot do its work ends the process by
// die(). A function that can do only a part of its work warns by warn(), and returns false or NULL.
// The caller must not free what a returned pointer points to, unless the header says so.

#ifndef PMEM_CLI_H
#define PMEM_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/message.h"

struct option; // options.h

struct subcommand {
	const char *name;
	// Runs the subcommand, whose name is argv[0]. Returns the exit status. main() then flushes
	// standard output and checks it.
	int (*function)(int argc, char **argv);
	const char *summary; // one line for the list of subcommands
	const char *help;    // the help text
	// the subcommand's options, for options_parse(); NULL if it has no options
	const struct option *const *tables;
	// true if the operands are a command: words after the first operand are not pmem's options
	bool ends_in_command;
};

// All subcommands. The last entry has a NULL name.
extern const struct subcommand subcommands[];

// Returns the subcommand with this name. If the name is unknown, ends the process with EXIT_USAGE
// and a message that begins with `before`.
const struct subcommand *subcommand_find(const char *before, const char *name);

// Returns true for an option that asks for help, like --help.
bool help_is_asked(const char *argument);

// Prints the overview of all subcommands.
void help_usage(FILE *to);

// Prints a subcommand's help to standard output. If the terminal is narrower than the text,
// paragraphs and the texts beside options are wrapped anew. Otherwise lines stay as they are.
void help_print(const char *text);

// Prints the manual page in man(7) macros: the text `usage`, and the help of all subcommands.
void help_man(const char *usage);

// A part of a subcommand's help that explains one thing, mostly an option. An item begins with a
// name, such as "--by VALUE". A text stands beside the name.
struct help_item {
	const char *name, *text; // further lines of the text may follow, each indented by `hang`
	size_t name_length, text_length; // lengths within the item's first line
	size_t hang;             // the column in which the text begins
};

// Sets *item if an item begins in this line. Returns false if no item begins.
bool help_item(struct help_item *item, const char *line, size_t length);

// Returns the beginning of an option's help text, up to a colon or semicolon. The caller frees the
// text.
char *help_of_option(const char *help, const char *name);

// completion_bash(), completion_zsh() and completion_fish() each print the script for a shell.
// completion_values() prints the words that an option's value may be, between `before` and `behind`.
// It returns false if it prints nothing: any word may be the value. completion_operands() does so
// with the words that a subcommand's operands may be. It returns false if these are logs.
// completion_subcommands() prints the names of all subcommands.
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);
bool completion_values(const struct option *option, const char *before, const char *behind);
bool completion_operands(const struct subcommand *of, const char *before, const char *behind);
void completion_subcommands(void);

// Declares a subcommand's function, help and option tables, for the table in subcommands.c.
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
