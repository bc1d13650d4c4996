// SPDX-License-Identifier: BSD-2-Clause
// Prints the script for bash 4 and later. The package bash-completion is not needed.

#include <stdio.h>

#include "format.h"
#include "cli.h"
#include "base/options.h"

// bash splits words at `=`. So the script sees --by=l as three words.
static const char head[] =
	"_pmem() {\n"
	"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i\n"
	"\tlocal options='' values='' operands='' command='' takes=''\n"
	"\tCOMPREPLY=()\n"
	"\tif [ \"$before\" = = ]; then\n"
	"\t\tbefore=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\telif [ \"$word\" = = ]; then\n"
	"\t\tword=''\n"
	"\tfi\n"
	"\tif [ \"$COMP_CWORD\" -le 1 ]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$_pmem_subcommands --help --version\" -- \"$word\")\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tcase ${COMP_WORDS[1]} in\n";

static const char tail[] =
	"\tesac\n"
	"\tif [ -n \"$command\" ]; then\n"
	"\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	"\t\t\t[[ ${COMP_WORDS[i]} == -* ]] || return 0\n"
	"\t\tdone\n"
	"\tfi\n"
	"\tif [ -n \"$takes\" ]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
	"\telif [[ $word == -* ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\")\n"
	"\telif [ -n \"$operands\" ]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -W \"$operands\" -- \"$word\")\n"
	"\telif [ -n \"$command\" ]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
	"\telse\n"
	"\t\tcompopt -o filenames 2>/dev/null\n"
	"\t\tmapfile -t COMPREPLY < <(\n"
	"\t\t\tcompgen -f -X '!*" FORMAT_LOG_PREFIX "*" FORMAT_LOG_SUFFIX "*' -- \"$word\"\n"
	"\t\t\tcompgen -d -- \"$word\"\n"
	"\t\t)\n"
	"\tfi\n"
	"\treturn 0\n"
	"}\n"
	"# Where nothing is known, names of files.\n"
	"complete -o default -F _pmem pmem\n";

static void
print_options(const struct option *const *tables)
{
	const struct option *option;

	fputs("\t\toptions='", stdout);
	for (size_t i = 0; (option = options_get(tables, i)); i++)
		printf("--%s ", option->name);
	fputs("'\n\t\tcase $before in\n", stdout);
	for (size_t i = 0; (option = options_get(tables, i)); i++) {
		if (option->kind == OPTION_FLAG)
			continue;
		printf("\t\t--%s", option->name);
		if (option->letter)
			printf(" | -%c", option->letter);
		fputs(") takes=1 values='", stdout);
		completion_values(option, "", "");
		fputs("' ;;\n", stdout);
	}
	fputs("\t\tesac\n", stdout);
}

void
completion_bash(void)
{
	const struct subcommand *each;

	fputs("_pmem_subcommands='", stdout);
	completion_subcommands();
	puts("'");
	fputs(head, stdout);
	for (each = subcommands; each->name; each++) {
		printf("\t%s)\n\t\toperands='", each->name);
		completion_operands(each, "", "");
		puts("'");
		if (each->ends_in_command)
			fputs("\t\tcommand=1\n", stdout);
		if (each->tables)
			print_options(each->tables);
		fputs("\t\t;;\n", stdout);
	}
	fputs(tail, stdout);
}
