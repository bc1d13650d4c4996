// cli: what the reader's subcommands share: how they are listed, how they complain.
//
// A subcommand is one file with one function and one help text; main.c's table names both.
// Subcommands never call each other.

#ifndef PMEM_CLI_H
#define PMEM_CLI_H

enum {
	EXIT_DATA = 1,   // what was read is no good, or output could not be written
	EXIT_USAGE = 2,  // the command line is no good
	EXIT_SELF = 125, // `run` itself failed: statuses below are the command's, as in env(1)
};

// Prints `pmem: TEXT` to standard error, as one line; a text that ends in ':' goes on with
// what errno says.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same, then ends the process with the status.
_Noreturn void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Subcommands: argv[0] is the subcommand's name. The result is the exit status.
int run(int argc, char **argv);
extern const char run_help[];

#endif
