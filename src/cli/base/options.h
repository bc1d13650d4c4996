// SPDX-License-Identifier: BSD-2-Clause
// options: command lines by tables. Options and operands may be mixed; `--` ends options;
// `--name=value`, `--name value`, `-nvalue` and `-n value` are the same, and so are `-ab` and
// `-a -b`; a name may be shortened while it is not ambiguous. Whatever is wrong ends the
// process with EXIT_USAGE and one line.

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
	OPTION_FOLDER,  // to: const char *, a directory that is there
	OPTION_LIST,    // to: struct option_list; may be repeated. Of any other the last counts
	OPTION_FOLDERS, // likewise, of directories
};

struct option_list {
	const char **texts;
	size_t count;
	size_t room; // of options.c
};

struct option {
	const char *name; // long, without the dashes; NULL ends the table
	char letter;      // 0: none
	enum option_kind kind;
	void *to;
	const char *const *words; // OPTION_WORD: NULL-terminated
};

// The options of all tables of a list, by number from 0 on; NULL: there are no more.
const struct option *options_get(const struct option *const *tables, size_t number);

// Sets what the tables name and returns the operands, NULL-terminated, within argv. `tables` is
// a NULL-terminated list of tables: a subcommand's own, then symbols_options, term_options.
// argv[0] is the subcommand's name, for messages.
char **options_parse(int argc, char **argv, const struct option *const *tables);

// The same for a command line that ends in another command: options end at the first operand,
// and from there on nothing is looked at.
char **options_parse_first(int argc, char **argv, const struct option *const *tables);

// Whatever else is wrong with a subcommand's line: `pmem: SUBCOMMAND: TEXT; see 'pmem help
// SUBCOMMAND'`, and EXIT_USAGE.
_Noreturn void options_refuse(const char *subcommand, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The word that was probably meant.
struct nearest {
	const char *word; // the nearest so far; NULL: none is near
	unsigned slips;
};

// Takes it for the nearest if it is nearer to what was written than any before, and near at
// all. A slip is a letter too many, too few, wrong, or swapped with the next.
void nearest_try(struct nearest *nearest, const char *written, const char *word);

#endif
