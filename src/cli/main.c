// SPDX-License-Identifier: BSD-2-Clause
// pmem: the reader. This file finds the subcommand and calls its function, which is in another
// file.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "version.h"
#include "cli.h"
#include "symbols/symbolizer.h"

// Opens /dev/null for each of standard input, output and error that is closed. Otherwise the next
// file that we open would get the closed descriptor's number. Messages could then be written into
// an exported file. As standard input, /dev/null is opened for writing. As standard output and
// error, it is opened for reading. So using these descriptors still fails. A command that we run
// inherits these files.
static void
hold_places(void)
{
	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0
			&& open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			exit(EXIT_DATA);
}

// Returns 0 if all of standard output was written. Otherwise returns an errno. If an earlier write
// has failed, its errno is lost. So one more write is tried to find the cause. If that write
// succeeds, the output still has a gap, and EIO is returned.
static int
output_error(void)
{
	if (fflush(stdout) != 0)
		return errno;
	if (!ferror(stdout))
		return 0;
	return write(STDOUT_FILENO, "\n", 1) == 1 ? EIO : errno;
}

// Ends the process with an error if standard output could not be written.
static void
end_output(void)
{
	int error = output_error();

	if (error == 0)
		return;
	// The program that reads our output has ended, as `head` does. Usually SIGPIPE ends us
	// then. But our parent process has set SIGPIPE to be ignored.
	if (error == EPIPE)
		exit(128 + SIGPIPE);
	errno = error;
	die(EXIT_DATA, "standard output:");
}

static int
version(void)
{
	printf("pmem %s, log format %d\n", PMEM_VERSION, FORMAT_VERSION);
	return 0;
}

// Returns true if an option on the command line asks for help. Options of a command that is run do
// not count.
static bool
line_asks_for_help(const struct subcommand *subcommand, char **arguments)
{
	for (; *arguments && strcmp(*arguments, "--") != 0; arguments++) {
		if (help_is_asked(*arguments))
			return true;
		if (subcommand->ends_in_command && (*arguments)[0] != '-')
			return false;
	}
	return false;
}

static int
start(int argc, char **argv)
{
	if (strcmp(argv[1], "help") == 0 || help_is_asked(argv[1]))
		return help_main(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return version();
	// symbols/demangle.c starts pmem with this word.
	if (strcmp(argv[1], DEMANGLE_LINES) == 0)
		return demangle_lines(stdout);
	if (argv[1][0] == '-' && argv[1][1])
		die(EXIT_USAGE, "%s: no such option; see 'pmem help'", argv[1]);

	const struct subcommand *subcommand = subcommand_find("", argv[1]);
	if (line_asks_for_help(subcommand, argv + 2)) {
		help_print(subcommand->help);
		return 0;
	}
	if (!subcommand->ends_in_command)
		hold_places();
	return subcommand->function(argc - 1, argv + 1);
}

int
main(int argc, char **argv)
{
	if (argc < 2) {
		help_usage(stderr);
		return EXIT_USAGE;
	}
	demangle_self = "/proc/self/exe";
	int status = start(argc, argv);
	end_output();
	return status;
}
