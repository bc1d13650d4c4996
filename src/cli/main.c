// pmem: the reader. Finds the subcommand; each has its own file.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "cli.h"
#include "base/options.h"
#include "base/term.h"

#define VERSION "0.1"

static int completion_main(int argc, char **argv);

static const char completion_help[] =
	"usage: pmem completion bash\n"
	"\n"
	"Prints a script that lets bash complete subcommands, their options and the words these\n"
	"take, and the names of logs. For this shell: eval \"$(pmem completion bash)\"; for all to\n"
	"come, put its output into ~/.local/share/bash-completion/completions/pmem, or where it is\n"
	"not looked for, that line into ~/.bashrc.\n";

static const struct subcommand subcommands[] = {
	{"report", report_main, "what holds memory: a table or a tree of sources",
		report_help, report_tables, false},
	{"leaks", leaks_main, "what leaks, since when, and how fast", leaks_help, leaks_tables, false},
	{"diff", diff_main, "what grew, shrank, came and went between two logs or snapshots",
		diff_help, diff_tables, false},
	{"top", top_main, "the same as it happens: a log that is being written, or a process",
		top_help, top_tables, false},
	{"export", export_main, "for other programs: flame graphs, pprof, speedscope, csv, ndjson",
		export_help, export_tables, false},
	{"run", run_main, "run a command under the logger and say where its logs are",
		run_help, run_tables, true},
	{"completion", completion_main, "print a script with which bash completes all this",
		completion_help, NULL, false},
};

enum { SUBCOMMANDS = sizeof(subcommands) / sizeof(subcommands[0]) };

static const char usage[] =
	"A LOG is a file pmem.PID.log, with the rotated pieces beside it; it may still be\n"
	"being written. `-` is standard input; to leaks, report and export a folder\n"
	"is all logs in it.\n"
	"\n"
	"Sizes are given as 4096, 64K or 1.5MiB: powers of 1024. Times are UTC.\n"
	"\n"
	"Exit status: 0; 1 when something could not be read or written (what is whole is\n"
	"still shown); 2 for a wrong command line; 3 when `leaks --fail-on` finds a leak.\n"
	"`run` ends as its command does.\n";

static int
completion_main(int argc, char **argv)
{
	if (argc != 2)
		die(EXIT_USAGE, "completion: expected the shell, bash; see 'pmem help completion'");
	if (strcmp(argv[1], "bash") != 0)
		die(EXIT_USAGE, "completion: %s: no such shell, only bash; see 'pmem help completion'",
			argv[1]);
	completion_print(subcommands, SUBCOMMANDS);
	return 0;
}

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

static bool
is_log(const char *name)
{
	return strstr(name, FORMAT_LOG_SUFFIX) && access(name, F_OK) == 0;
}

static _Noreturn void
refuse_subcommand(const char *before, const char *name)
{
	struct nearest nearest = {0};

	if (is_log(name))
		die(EXIT_USAGE, "%s%s: no such subcommand; did you mean 'pmem report %s'?", before, name,
			name);
	for (int i = 0; i < SUBCOMMANDS; i++)
		nearest_try(&nearest, name, subcommands[i].name);
	if (nearest.word)
		die(EXIT_USAGE, "%s%s: no such subcommand, did you mean '%s'? See 'pmem help'", before,
			name, nearest.word);
	die(EXIT_USAGE, "%s%s: no such subcommand; see 'pmem help'", before, name);
}

// Where we were started with closed files, the next that is opened would take their place, and
// messages would go into an export. What is read or written there still fails. A command that
// we run gets them as they are.
static void
hold_places(void)
{
	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0
			&& open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			exit(EXIT_DATA);
}

// Why standard output fails: as it does at the end, or, when what failed was written long
// before, as it does now. What arrives of an output that has a hole is worth nothing.
static int
output_error(void)
{
	if (fflush(stdout) != 0)
		return errno;
	if (!ferror(stdout))
		return 0;
	return write(STDOUT_FILENO, "\n", 1) == 1 ? EIO : errno;
}

// What was asked for is only given when it has arrived.
static void
end_output(void)
{
	int error = output_error();

	if (error == 0)
		return;
	// The reader has seen enough, as `head` does; but whoever started us ignores SIGPIPE.
	if (error == EPIPE)
		exit(128 + SIGPIPE);
	errno = error;
	die(EXIT_DATA, "standard output:");
}

static void
print_usage(FILE *to)
{
	fputs("usage: pmem SUBCOMMAND [ARGUMENT...]\n"
		"       pmem help [SUBCOMMAND]\n"
		"       pmem --version\n\n",
		to);
	for (int i = 0; i < SUBCOMMANDS; i++)
		fprintf(to, "  %-10s  %s\n", subcommands[i].name, subcommands[i].summary);
	fprintf(to, "  %-10s  %s\n\n", "help", "explain a subcommand: pmem help SUBCOMMAND");
	fputs(usage, to);
}

enum {
	// What a text must have beside an option's name; else it goes below it.
	TEXT_COLUMNS = 20,
};

struct filling {
	size_t width;
	size_t column; // that has been written
	size_t hang;   // where the item's text begins
	bool is_open;  // the item's line has not been ended
};

static size_t
longest_line(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");
		longest = length > longest ? length : longest;
		text += length + (text[length] == '\n');
	}
	return longest;
}

static void
end_line(struct filling *filling)
{
	if (filling->is_open)
		putchar('\n');
	filling->is_open = false;
	filling->column = 0;
}

static void
put_words(struct filling *filling, const char *text, size_t length)
{
	const char *end = text + length;

	while (text < end) {
		text += strspn(text, " ");
		size_t word = strcspn(text, " \n");
		size_t blank = filling->column > filling->hang;
		if (blank && filling->column + blank + word > filling->width) {
			putchar('\n');
			printf("%*s", (int)filling->hang, "");
			filling->column = filling->hang;
			blank = 0;
		}
		printf("%s%.*s", blank ? " " : "", (int)word, text);
		filling->column += blank + word;
		text += word;
	}
}

// A line that begins an item: what stands before two blanks is its name.
static void
begin(struct filling *filling, const char *line, size_t length, size_t indent)
{
	const char *gap = memmem(line + indent, length - indent, "  ", 2);
	size_t name = indent;

	end_line(filling);
	if (gap && indent > 0)
		name = (size_t)(gap - line) + strspn(gap, " ");
	filling->is_open = true;
	filling->hang = name;
	printf("%.*s", (int)name, line);
	filling->column = name;
	if (name > indent && name + TEXT_COLUMNS > filling->width) {
		putchar('\n');
		filling->hang = filling->column = indent + 2;
		printf("%*s", (int)filling->hang, "");
	}
	put_words(filling, line + name, length - name);
}

static void
put_line(struct filling *filling, const char *line, size_t length)
{
	size_t indent = strspn(line, " ");

	if (length == 0) {
		end_line(filling);
		putchar('\n');
	} else if (filling->is_open && indent == filling->hang) {
		put_words(filling, line + indent, length - indent);
	} else {
		begin(filling, line, length, indent);
	}
}

// The text of a subcommand's help. On a terminal that is narrower than the text, paragraphs and
// what stands beside an option are filled anew; otherwise lines are as they are.
static void
help_print(const char *text)
{
	struct filling filling = {.width = term_width()};

	if (filling.width == 0 || longest_line(text) <= filling.width) {
		fputs(text, stdout);
		return;
	}
	while (*text) {
		size_t length = strcspn(text, "\n");
		put_line(&filling, text, length);
		text += length + (text[length] == '\n');
	}
	end_line(&filling);
}

static int
help(int argc, char **argv)
{
	if (argc > 2)
		die(EXIT_USAGE, "help: %s: one subcommand at a time", argv[2]);
	if (argc < 2 || asks_for_help(argv[1])) {
		print_usage(stdout);
		return 0;
	}
	const struct subcommand *subcommand = find(argv[1]);
	if (!subcommand)
		refuse_subcommand("help: ", argv[1]);
	help_print(subcommand->help);
	return 0;
}

static int
version(void)
{
	printf("pmem %s, log format %d\n", VERSION, FORMAT_VERSION);
	return 0;
}

// Anywhere among the options.
static bool
line_asks_for_help(const struct subcommand *subcommand, char **arguments)
{
	for (; *arguments && strcmp(*arguments, "--") != 0; arguments++) {
		if (asks_for_help(*arguments))
			return true;
		if (subcommand->ends_in_command && (*arguments)[0] != '-')
			return false;
	}
	return false;
}

static int
start(int argc, char **argv)
{
	if (strcmp(argv[1], "help") == 0 || asks_for_help(argv[1]))
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0)
		return version();
	if (argv[1][0] == '-' && argv[1][1])
		die(EXIT_USAGE, "%s: no such option; see 'pmem help'", argv[1]);

	const struct subcommand *subcommand = find(argv[1]);
	if (!subcommand)
		refuse_subcommand("", argv[1]);
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
		print_usage(stderr);
		return EXIT_USAGE;
	}
	int status = start(argc, argv);
	end_output();
	return status;
}
