// SPDX-License-Identifier: BSD-2-Clause
// options: parses command lines by tables. Options and operands may be mixed; `--` ends options.
// `--name=value`, `--name value`, `-nvalue` and `-n value` are the same, and so are `-ab` and `-a
// -b`. A name may be shortened while it is unambiguous. Any error ends the process with EXIT_USAGE
// and one line.

#ifndef PMEM_CLI_OPTIONS_H
#define PMEM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/moment.h"

enum option_kind {
	OPTION_FLAG,    // to: bool
	OPTION_TEXT,    // to: const char *
	OPTION_NUMBER,  // to: uint64_t
	OPTION_BYTES,   // to: uint64_t; 4096, 64K, 1.5MiB
	OPTION_DURATION, // to: int64_t, milliseconds; 90, 90s, 1.5m
	OPTION_PERCENT, // to: double, 0 to 100
	OPTION_WORD,    // to: int, the index in words
	OPTION_MOMENT,  // to: struct moment
	OPTION_FOLDER,  // to: const char *, an existing directory
	OPTION_LIST,    // to: struct option_list; may be repeated. For any other kind the last counts
	OPTION_FOLDERS, // the same, of directories
};

struct option_list {
	const char **texts;
	size_t count;
	size_t room; // private to options.c
};

struct option {
	const char *name; // long, without the dashes; NULL ends the table
	char letter;      // 0 if none
	enum option_kind kind;
	void *to;
	const char *const *words; // OPTION_WORD: NULL-terminated
};

// Returns the option with this number, from 0 on, among all tables of a list. NULL after the last.
const struct option *options_get(const struct option *const *tables, size_t number);

// Sets what the tables name. Returns the operands, NULL-terminated, within argv. `tables` is a
// NULL-terminated list of tables: a subcommand's own, then symbols_options, term_options. argv[0]
// is the subcommand's name, for messages.
char **options_parse(int argc, char **argv, const struct option *const *tables);

// Does the same for a command line that ends in another command. Options end at the first operand;
// nothing after it is parsed.
char **options_parse_first(int argc, char **argv, const struct option *const *tables);

// Reports any other error in a subcommand's line: `pmem: SUBCOMMAND: TEXT; see 'pmem help
// SUBCOMMAND'`. Ends with EXIT_USAGE.
_Noreturn void options_refuse(const char *subcommand, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The word that the user probably meant.
struct nearest {
	const char *word; // the nearest so far; NULL if none is near
	unsigned slips;
};

// Takes the word if it is nearer to what was written than any before, and near enough. A slip is a
// letter too many, too few, wrong, or swapped with the next.
void nearest_try(struct nearest *nearest, const char *written, const char *word);

#endif
