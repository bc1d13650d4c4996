// SPDX-License-Identifier: BSD-2-Clause
// Prints the script for zsh, which uses _arguments() of zsh's completion system.

#include <stdio.h>
#include <stdlib.h>

#include "format.h"
#include "cli.h"
#include "base/options.h"

static const char head[] =
	"#compdef pmem\n"
	"_pmem_logs() { _files -g '*" FORMAT_LOG_PREFIX "*" FORMAT_LOG_SUFFIX "*' }\n"
	"_pmem() {\n"
	"\tlocal curcontext=$curcontext\n"
	"\tlocal -a subcommands=(\n";

// If zsh has loaded the script from $fpath, the script is the body of the function _pmem. If the
// script was run by eval, it registers the function _pmem.
static const char tail[] =
	"\tesac\n"
	"}\n"
	"if [[ ${funcstack[1]} == _pmem ]]; then _pmem \"$@\"; else compdef _pmem pmem; fi\n";

// Prints a text between single quotes of the script. Puts a backslash before each character of the
// text that is in `meanings`.
static void
print_quoted(const char *text, const char *meanings)
{
	for (; *text; text++) {
		for (const char *each = meanings; *each; each++)
			if (*each == *text)
				putchar('\\');
		fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stdout);
	}
}

static void
print_value(const struct option *option)
{
	if (option->kind == OPTION_FLAG)
		return;
	fputs(":value:", stdout);
	if (option->kind == OPTION_FOLDER || option->kind == OPTION_FOLDERS)
		fputs("_files -/", stdout);
	else if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST)
		fputs("_files", stdout);
	else if (!completion_values(option, "(", ")"))
		putchar(' ');
}

static void
print_option(const struct option *option, const char *help)
{
	bool is_list = option->kind == OPTION_LIST || option->kind == OPTION_FOLDERS;
	bool is_flag = option->kind == OPTION_FLAG;
	char *said = help_of_option(help, option->name);

	fputs(" \\\n\t\t\t", stdout);
	if (option->letter && !is_list)
		printf("'(-%c --%s)'", option->letter, option->name);
	else if (is_list)
		fputs("\\*", stdout);
	if (option->letter)
		printf("{-%c%s,--%s%s}", option->letter, is_flag ? "" : "+", option->name,
			is_flag ? "" : "=");
	else
		printf("--%s%s", option->name, is_flag ? "" : "=");
	fputs("'[", stdout);
	print_quoted(said, "[]\\");
	putchar(']');
	print_value(option);
	putchar('\'');
	free(said);
}

static void
print_subcommand(const struct subcommand *subcommand)
{
	const struct option *option;

	printf("\t%s)\n\t\t_arguments -s -S", subcommand->name);
	for (size_t i = 0; subcommand->tables && (option = options_get(subcommand->tables, i)); i++)
		print_option(option, subcommand->help);
	fputs(" \\\n\t\t\t'(-)'{-h,--help}'[all of this explained]' \\\n\t\t\t", stdout);
	if (completion_operands(subcommand, "'1:word:(", ")' ;;\n"))
		return;
	puts(subcommand->ends_in_command ? "'(-)1:command:_command_names -e' '*::arguments:_normal' ;;"
		: "'*:log:_pmem_logs' ;;");
}

void
completion_zsh(void)
{
	const struct subcommand *each;

	fputs(head, stdout);
	for (each = subcommands; each->name; each++) {
		printf("\t\t'%s:", each->name);
		print_quoted(each->summary, "");
		puts("'");
	}
	fputs("\t)\n"
		"\tif (( CURRENT == 2 )); then\n"
		"\t\t_arguments '(-)'{-h,--help}'[what there is]' '(-)'{-V,--version}'[which pmem it is]' \\\n"
		"\t\t\t'1: :{_describe subcommand subcommands}'\n"
		"\t\treturn\n"
		"\tfi\n"
		"\tshift words\n"
		"\t(( CURRENT-- ))\n"
		"\tcase ${words[1]} in\n", stdout);
	for (each = subcommands; each->name; each++)
		print_subcommand(each);
	fputs(tail, stdout);
}
