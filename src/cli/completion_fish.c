// SPDX-License-Identifier: BSD-2-Clause
// Prints the script for fish 3 and later. The script has one line for each thing that can be
// completed.

#include <stdio.h>
#include <stdlib.h>

#include "format.h"
#include "cli.h"
#include "base/options.h"

static const char head[] =
	"# Whether it is this subcommand's turn.\n"
	"function __pmem_is\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -q words[2]; and test $words[2] = $argv[1]\n"
	"end\n"
	"function __pmem_begins\n"
	"\tset -l words (commandline -opc)\n"
	"\tnot set -q words[2]\n"
	"end\n"
	"# Whether the command that is run is still to come: what follows it is its own.\n"
	"function __pmem_runs\n"
	"\tset -l words (commandline -opc)\n"
	"\t__pmem_is $argv[1]; or return\n"
	"\tfor word in $words[3..-1]\n"
	"\t\tstring match -q -- '--?*' $word; or return\n"
	"\tend\n"
	"end\n"
	"function __pmem_logs\n"
	"\tcomplete -C \"'' \"(commandline -ct) |\n"
	"\t\tstring match -er '^([^\\t]+/|[^\\t]*" FORMAT_LOG_PREFIX "[^\\t]*" FORMAT_LOG_SUFFIX
	"[^\\t]*)(\\t|$)'\n"
	"end\n"
	"complete -c pmem -f\n"
	"complete -c pmem -n __pmem_begins -s h -l help -d 'what there is'\n"
	"complete -c pmem -n __pmem_begins -s V -l version -d 'which pmem it is'\n";

static void
print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		fputs(*text == '\'' ? "\\'" : (char[]){*text, '\0'}, stdout);
	putchar('\'');
}

static void
print_option(const struct option *option, const struct subcommand *of)
{
	char *said = help_of_option(of->help, option->name);

	printf("complete -c pmem -n '%s %s' -l %s", of->ends_in_command ? "__pmem_runs" : "__pmem_is",
		of->name, option->name);
	if (option->letter)
		printf(" -s %c", option->letter);
	if (option->kind == OPTION_FOLDER || option->kind == OPTION_FOLDERS) {
		fputs(" -x -a '(__fish_complete_directories)'", stdout);
	} else if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST) {
		fputs(" -rF", stdout);
	} else if (option->kind != OPTION_FLAG) {
		fputs(" -x -a '", stdout);
		completion_values(option, "", "");
		putchar('\'');
	}
	fputs(" -d ", stdout);
	print_quoted(said);
	putchar('\n');
	free(said);
}

static void
print_subcommand(const struct subcommand *subcommand)
{
	const struct option *option;

	printf("complete -c pmem -n __pmem_begins -a %s -d ", subcommand->name);
	print_quoted(subcommand->summary);
	putchar('\n');
	for (size_t i = 0; subcommand->tables && (option = options_get(subcommand->tables, i)); i++)
		print_option(option, subcommand);
	if (subcommand->ends_in_command) {
		printf("complete -c pmem -n '__pmem_is %s' -a '(__fish_complete_subcommand --fcs-skip=2)'\n",
			subcommand->name);
		return;
	}
	printf("complete -c pmem -n '__pmem_is %s' -s h -l help -d 'all of this explained'\n",
		subcommand->name);
	printf("complete -c pmem -n '__pmem_is %s' -a '", subcommand->name);
	bool has_words = completion_operands(subcommand, "", "");
	printf("%s'\n", has_words ? "" : "(__pmem_logs)");
}

void
completion_fish(void)
{
	fputs(head, stdout);
	for (const struct subcommand *each = subcommands; each->name; each++)
		print_subcommand(each);
}
