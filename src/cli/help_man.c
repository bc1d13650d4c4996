// SPDX-License-Identifier: BSD-2-Clause
// pmem help --man: prints the help of pmem and all subcommands as a manual page of section 1, in
// man(7) macros.

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "version.h"
#include "cli.h"

static const char usage_word[] = "usage: ";

// The kind of thing that was printed last.
enum last {
	LAST_TITLE,
	LAST_TEXT,
	LAST_END, // the end of a paragraph or an item
	LAST_USAGE,
};

static struct {
	enum last last;
	size_t hang; // `hang` of the item that is being printed; 0 outside of an item
} page;

// Prints a text so that man(7) takes no line for a macro and no backslash for an escape. A minus is
// printed as \-, which is still a minus when a user copies it from the page.
static void
put(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (i == 0 && (text[i] == '.' || text[i] == '\''))
			fputs("\\&", stdout);
		if (text[i] == '\\')
			fputs("\\e", stdout);
		else if (text[i] == '-')
			fputs("\\-", stdout);
		else
			putchar(text[i]);
	}
}

static void
put_line(const char *text, size_t length)
{
	put(text, length);
	putchar('\n');
	page.last = LAST_TEXT;
}

static void
put_usage(const char *line, size_t length)
{
	size_t indent = strspn(line, " ");

	if (strncmp(line, usage_word, strlen(usage_word)) == 0)
		indent = strlen(usage_word);
	// Each further form of the usage begins on a new line.
	if (page.last == LAST_USAGE)
		puts(".br");
	put(line + indent, length - indent);
	putchar('\n');
	page.last = LAST_USAGE;
}

static void
put_item(const struct help_item *item)
{
	fputs(".TP\n\\fB", stdout);
	put(item->name, item->name_length);
	puts("\\fR");
	if (item->text_length > 0)
		put_line(item->text, item->text_length);
	page.last = LAST_TEXT;
	page.hang = item->hang;
}

static void
put_help_line(const char *line, size_t length)
{
	struct help_item item;
	size_t indent = strspn(line, " ");

	if (length == 0) {
		page.last = LAST_END;
		page.hang = 0;
	} else if (page.hang > 0 && indent == page.hang) {
		put_line(line + indent, length - indent);
	} else if (help_item(&item, line, length)) {
		put_item(&item);
	} else {
		if (page.last == LAST_END)
			puts(".PP");
		page.hang = 0;
		put_line(line + indent, length - indent);
	}
}

static void
put_help(const char *help)
{
	// The usage text of pmem itself does not begin with "usage: ".
	bool is_usage = strncmp(help, usage_word, strlen(usage_word)) == 0;

	page.last = LAST_TITLE;
	page.hang = 0;
	for (size_t length; *help; help += length + (help[length] == '\n')) {
		length = strcspn(help, "\n");
		is_usage = is_usage && length > 0;
		if (is_usage)
			put_usage(help, length);
		else
			put_help_line(help, length);
	}
}

void
help_man(const char *usage)
{
	printf(".TH PMEM 1 %s \"pmem %s\" \"pmem\"\n", PMEM_DATE, PMEM_VERSION);
	puts(".SH NAME\npmem \\- what leaks and what holds memory, from the logs of libpmem.so");
	puts(".SH SYNOPSIS\n.B pmem\n.I SUBCOMMAND\n[\\fIARGUMENT\\fR...]");
	puts(".SH DESCRIPTION");
	put_help(usage);
	puts(".SH SUBCOMMANDS");
	for (const struct subcommand *each = subcommands; each->name; each++) {
		printf(".SS %s: ", each->name);
		put(each->summary, strlen(each->summary));
		putchar('\n');
		put_help(each->help);
	}
}
