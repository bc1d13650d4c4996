// pmem: the reader. Finds the subcommand; each has its own file.

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "cli.h"

#define VERSION "0.1"

struct subcommand {
	const char *name;
	int (*function)(int argc, char **argv);
	const char *summary; // one line
	const char *help;    // all of it
};

static const struct subcommand subcommands[] = {
	{"run", run, "run a command under the logger and say where its logs are", run_help},
};

enum { SUBCOMMANDS = sizeof(subcommands) / sizeof(subcommands[0]) };

static const struct subcommand *
find(const char *name)
{
	for (int i = 0; i < SUBCOMMANDS; i++)
		if (strcmp(subcommands[i].name, name) == 0)
			return &subcommands[i];
	return NULL;
}

static bool
asks_for_help(const char *argument)
{
	return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

// What was asked for is only given when it has arrived.
static int
end_output(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		die(EXIT_DATA, "standard output:");
	return 0;
}

static void
print_usage(FILE *to)
{
	fputs("usage: pmem SUBCOMMAND [ARGUMENT...]\n\n", to);
	for (int i = 0; i < SUBCOMMANDS; i++)
		fprintf(to, "  %-8s  %s\n", subcommands[i].name, subcommands[i].summary);
	fprintf(to, "  %-8s  %s\n", "help", "explain a subcommand: pmem help SUBCOMMAND");
}

static int
help(int argc, char **argv)
{
	if (argc > 2)
		die(EXIT_USAGE, "help: %s: one subcommand at a time", argv[2]);
	if (argc < 2 || asks_for_help(argv[1])) {
		print_usage(stdout);
		return end_output();
	}
	const struct subcommand *subcommand = find(argv[1]);
	if (!subcommand)
		die(EXIT_USAGE, "help: %s: no such subcommand; see 'pmem help'", argv[1]);
	fputs(subcommand->help, stdout);
	return end_output();
}

static int
version(void)
{
	printf("pmem %s, log format %d\n", VERSION, FORMAT_VERSION);
	return end_output();
}

int
main(int argc, char **argv)
{
	// A message is one write: a command's children may be printing as well.
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 || asks_for_help(argv[1]))
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0)
		return version();
	if (argv[1][0] == '-')
		die(EXIT_USAGE, "%s: no such option; see 'pmem help'", argv[1]);

	const struct subcommand *subcommand = find(argv[1]);
	if (!subcommand)
		die(EXIT_USAGE, "%s: no such subcommand; see 'pmem help'", argv[1]);
	if (argc > 2 && asks_for_help(argv[2])) {
		fputs(subcommand->help, stdout);
		return end_output();
	}
	return subcommand->function(argc - 1, argv + 1);
}
