// SPDX-License-Identifier: BSD-2-Clause
// options: parses command lines by tables of options. Options and operands may be mixed; `--` ends
// options. These forms mean the same: `--name=value` and `--name value`; `-nvalue` and `-n value`;
// `-ab` and `-a -b`. A name may be shortened as long as it is unambiguous. Any error ends the
// process with EXIT_USAGE and a message of one line.

#ifndef PMEM_CLI_OPTIONS_H
#define PMEM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/moment.h"

enum option_kind {
	OPTION_FLAG,    // `to` points to a bool
	OPTION_TEXT,    // `to` points to a const char *
	OPTION_NUMBER,  // `to` points to a uint64_t
	OPTION_BYTES,   // `to` points to a uint64_t; values are like 4096, 64K or 1.5MiB
	OPTION_DURATION, // `to` points to an int64_t, in ms; values are like 90, 90s or 1.5m
	OPTION_PERCENT, // `to` points to a double, from 0 to 100
	OPTION_WORD,    // `to` points to an int, which is set to the value's index in `words`
	OPTION_MOMENT,  // `to` points to a struct moment
	// `to` points to a struct moment_or_word; a value that is none of `words` is a moment
	OPTION_MOMENT_OR_WORD,
	OPTION_FOLDER,  // `to` points to a const char *; the value is an existing directory
	// `to` points to a struct option_list. The option may be repeated, and all values count. If
	// an option of another kind is repeated, the last value counts.
	OPTION_LIST,
	OPTION_FOLDERS, // like OPTION_LIST, but the values are existing directories
};

struct option_list {
	const char **texts;
	size_t count;
	size_t room; // private to options.c
};

// The option may be given twice, once with a moment and once with a word: both count.
struct moment_or_word {
	struct moment moment;
	int word; // index in `words`
};

struct option {
	const char *name; // long, without the dashes; NULL ends the table
	char letter;      // 0 if the option has no letter
	enum option_kind kind;
	void *to;
	// the words that an OPTION_WORD or OPTION_MOMENT_OR_WORD may be, NULL-terminated
	const char *const *words;
};

// Returns the option with this number, counted from 0 over all tables. Returns NULL after the last.
const struct option *options_get(const struct option *const *tables, size_t number);

// Parses the command line and writes values to where the tables say. Returns the operands,
// NULL-terminated; they are in argv. `tables` is a NULL-terminated list of tables: a subcommand's
// own, then symbols_options and term_options. argv[0] is the subcommand's name, for messages.
char **options_parse(int argc, char **argv, const struct option *const *tables);

// Does the same as options_parse(), for a command line that ends with another command. Parsing ends
// at the first operand, which is the other command. So the other command's options are not parsed.
char **options_parse_first(int argc, char **argv, const struct option *const *tables);

// Refuses the command line for a reason that options_parse() cannot know. Prints `pmem: SUBCOMMAND:
// TEXT; see 'pmem help SUBCOMMAND'` and ends the process with EXIT_USAGE.
_Noreturn void options_refuse(const char *subcommand, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The word that a user probably meant by a mistyped word. nearest_try() is called for each possible
// word.
struct nearest {
	const char *word; // the nearest word so far; NULL if no word is near
	unsigned slips;
};

// Takes `word` if it is nearer to `written` than all words tried before, and near enough. The
// distance is the number of slips. A slip is a letter too many, too few, wrong, or swapped with the
// next one.
void nearest_try(struct nearest *nearest, const char *written, const char *word);

#endif
