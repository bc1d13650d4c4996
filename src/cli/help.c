// SPDX-License-Identifier: BSD-2-Clause
// pmem help: prints the help of subcommands. If the terminal is narrow, the help is wrapped anew.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/memory.h"
#include "base/term.h"

const char help_help[] =
	"usage: pmem help [SUBCOMMAND | --man]\n"
	"\n"
	"Explains a subcommand: its options, and the words of its output.\n"
	"  pmem help                           lists the subcommands\n"
	"  pmem help leaks                     explains one, as pmem leaks --help does\n"
	"  pmem help --man >pmem.1             all help as a manual page: man -l pmem.1\n"
	"\n"
	"  --man                all help as a manual page\n"
	"  --version, -V        of pmem: its version, and the log format that it writes.\n"
	"                       pmem reads all older formats\n";

static const char usage[] =
	"A LOG is a file pmem.PID.log with its rotated pieces. A process may still write\n"
	"to a LOG. The pid of a running process means its log. A folder means all logs in\n"
	"it, but not to diff. `-` is standard input, but not to html.\n"
	"\n"
	"Sizes are 4096, 64K or 1.5MiB: powers of 1024. Durations are 90s, 5m, 1.5h, 2d.\n"
	"Times are UTC.\n"
	"\n"
	"Exit status: 0; 1 when something could not be read or written (what is whole is\n"
	"still shown); 2 for a wrong command line; of `leaks --fail-on` 3 for a leak, 4\n"
	"for growth outside malloc, 5 if nobody can tell; 70 for a fault of pmem itself.\n"
	"`run` ends as its command does.\n";

void
help_usage(FILE *to)
{
	fputs("usage: pmem SUBCOMMAND [ARGUMENT...]\n"
		"       pmem help [SUBCOMMAND]\n"
		"       pmem --version | -V\n\n"
		"  pmem run -- COMMAND     starts it with the library, and says where its log is\n"
		"  pmem leaks .            what leaks, of all logs in this folder\n"
		"  pmem leaks 4242         what leaks in process 4242\n\n",
		to);
	for (const struct subcommand *each = subcommands; each->name; each++)
		fprintf(to, "  %-10s  %s\n", each->name, each->summary);
	fputc('\n', to);
	fputs(usage, to);
}

enum {
	// The column in which the texts beside options' names begin.
	HELP_COLUMN = 23,
	// If fewer columns than this are left beside a name, the text goes below the name.
	TEXT_COLUMNS = 20,
};

struct filling {
	size_t width;
	size_t column; // the next column of the line that is being printed
	size_t hang;   // the column at which the current item's text begins
	bool is_open;  // true if the line that is being printed has no newline yet
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

bool
help_item(struct help_item *item, const char *line, size_t length)
{
	size_t indent = strspn(line, " ");
	const char *gap = memmem(line + indent, length - indent, "  ", 2);
	bool is_beside = length > HELP_COLUMN && line[HELP_COLUMN - 1] == ' '
		&& line[HELP_COLUMN] != ' ';

	if (indent < 2 || indent >= HELP_COLUMN)
		return false;
	// If an option's name fills the columns before the text, only one blank separates the two.
	if (!gap && is_beside && line[indent] == '-')
		gap = line + HELP_COLUMN - 1;
	*item = (struct help_item){.name = line + indent, .name_length = length - indent,
		.text = line + length, .hang = HELP_COLUMN};
	if (gap) {
		item->name_length = (size_t)(gap - item->name);
		item->text = gap + strspn(gap, " ");
		item->text_length = (size_t)(line + length - item->text);
		item->hang = (size_t)(item->text - line);
	}
	return true;
}

// Prints the first line of an item or of a paragraph.
static void
begin(struct filling *filling, const char *line, size_t length, size_t indent)
{
	struct help_item item;
	size_t name = indent;

	end_line(filling);
	if (help_item(&item, line, length) && item.text_length > 0)
		name = item.hang;
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

void
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

static bool
names_option(const struct help_item *item, const char *name)
{
	const char *dashes = memmem(item->name, item->name_length, "--", 2);
	size_t length = strlen(name);

	return item->name[0] == '-' && dashes && strncmp(dashes + 2, name, length) == 0
		&& strchr(" \n", dashes[2 + length]) != NULL;
}

char *
help_of_option(const char *help, const char *name)
{
	struct help_item item;
	char *said = memory_text("", 0);

	for (size_t length; *help; help += length + (help[length] == '\n')) {
		length = strcspn(help, "\n");
		if (!help_item(&item, help, length) || !names_option(&item, name))
			continue;
		const char *line = item.text;
		do {
			line += strspn(line, "\n ");
			size_t words = strcspn(line, ":;\n");
			char *longer = memory_format("%s%s%.*s", said, *said ? " " : "", (int)words, line);
			free(said);
			said = longer;
			line += words;
		} while (*line == '\n' && strspn(line + 1, " ") == item.hang);
		break;
	}
	return said;
}

bool
help_is_asked(const char *argument)
{
	return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

int
help_main(int argc, char **argv)
{
	if (argc > 2)
		die(EXIT_USAGE, "help: %s: one subcommand at a time", argv[2]);
	if (argc < 2 || help_is_asked(argv[1]))
		help_usage(stdout);
	else if (strcmp(argv[1], "--man") == 0)
		help_man(usage);
	else
		help_print(subcommand_find("help: ", argv[1])->help);
	return 0;
}
