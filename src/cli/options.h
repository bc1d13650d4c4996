// options: command lines by a table. Options and operands may be mixed; `--` ends options;
// `--name=value`, `--name value`, `-nvalue` and `-n value` are the same; a name may be
// shortened while it is not ambiguous. Whatever is wrong ends the process with EXIT_USAGE and
// one line.

#ifndef PMEM_CLI_OPTIONS_H
#define PMEM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "moment.h"

enum option_kind {
	OPTION_FLAG,    // to: bool
	OPTION_TEXT,    // to: const char *
	OPTION_NUMBER,  // to: uint64_t
	OPTION_BYTES,   // to: uint64_t; 4096, 64K, 1.5MiB
	OPTION_PERCENT, // to: double, 0 to 100
	OPTION_WORD,    // to: int, the index in words
	OPTION_MOMENT,  // to: struct moment
	OPTION_LIST,    // to: struct option_list; may be repeated
};

struct option_list {
	const char **texts;
	size_t count;
};

struct option {
	const char *name; // long, without the dashes; NULL ends the table
	char letter;      // 0: none
	enum option_kind kind;
	void *to;
	const char *const *words; // OPTION_WORD: NULL-terminated
};

// Sets what the tables name (`common` may be NULL) and returns the operands, NULL-terminated.
// argv[0] is the subcommand's name, for messages.
char **options_parse(int argc, char **argv, const struct option *table,
	const struct option *common);

#endif
