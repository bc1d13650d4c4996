// cli: what the reader's subcommands share: how they are listed.
//
// A subcommand is one file with one function, one help text and one list of tables of options;
// main.c's table names them. Subcommands never call each other.
//
// What holds for all of the reader where a header does not say otherwise: there is one thread,
// and nothing is called in a signal handler. A function may allocate, and a lack of memory ends
// the process with EXIT_DATA (base/memory.h). What it cannot do without ends the process as
// well, by die(); what can be left out it warns of, by warn(), and says so by false or NULL. A
// pointer it returns is its own, unless it says that the caller frees it.

#ifndef PMEM_CLI_H
#define PMEM_CLI_H

#include <stdbool.h>
#include <stddef.h>

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

// A script that completes the subcommands, their options and these' words, and names of logs.
void completion_print(const struct subcommand *subcommands, size_t count);

// Each subcommand's function, help and options, for main.c's table.
#define SUBCOMMAND(NAME) \
	int NAME##_main(int argc, char **argv); \
	extern const char NAME##_help[]; \
	extern const struct option *const NAME##_tables[]

SUBCOMMAND(report);
SUBCOMMAND(leaks);
SUBCOMMAND(diff);
SUBCOMMAND(top);
SUBCOMMAND(export);
SUBCOMMAND(run);

#endif
