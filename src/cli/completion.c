// SPDX-License-Identifier: BSD-2-Clause
// pmem completion: prints a script with which a shell completes command lines of pmem. The script
// is made from the option tables that options_parse() uses. So pmem accepts all that a shell
// completes.

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "base/options.h"

const char completion_help[] =
	"usage: pmem completion bash|zsh|fish\n"
	"\n"
	"Prints a script for a shell, which completes subcommands, options and logs.\n"
	"  pmem completion bash >pmem.bash     the script for bash\n"
	"  pmem completion zsh >_pmem          the script for zsh\n"
	"  pmem completion fish >pmem.fish     the script for fish\n"
	"\n"
	"  bash   eval \"$(pmem completion bash)\" in ~/.bashrc; or the script\n"
	"         as ~/.local/share/bash-completion/completions/pmem\n"
	"  zsh    eval \"$(pmem completion zsh)\" in ~/.zshrc, behind compinit;\n"
	"         or the script as _pmem in a folder of $fpath\n"
	"  fish   pmem completion fish | source in ~/.config/fish/config.fish;\n"
	"         or the script as ~/.config/fish/completions/pmem.fish\n";

static const struct {
	const char *name;
	void (*print)(void);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static const char *const shell_names[] = {"bash", "zsh", "fish", NULL};

enum { SHELLS = sizeof(shells) / sizeof(shells[0]) };
_Static_assert(sizeof(shell_names) / sizeof(shell_names[0]) == SHELLS + 1, "a name each");

// Prints the words of both lists, between `before` and `behind`. Returns false if there are none.
static bool
print_words(const char *const *words, const char *const *more, const char *before, const char *behind)
{
	const char *between = before;

	for (; words && *words; words++, between = " ")
		printf("%s%s", between, *words);
	for (; more && *more; more++, between = " ")
		printf("%s%s", between, *more);
	if (between == before)
		return false;
	fputs(behind, stdout);
	return true;
}

bool
completion_values(const struct option *option, const char *before, const char *behind)
{
	bool takes_moment = option->kind == OPTION_MOMENT || option->kind == OPTION_MOMENT_OR_WORD;
	return print_words(option->words, takes_moment ? moment_words : NULL, before, behind);
}

void
completion_subcommands(void)
{
	for (const struct subcommand *each = subcommands; each->name; each++)
		printf("%s%s", each == subcommands ? "" : " ", each->name);
}

bool
completion_operands(const struct subcommand *of, const char *before, const char *behind)
{
	if (of->function != help_main)
		return print_words(of->function == completion_main ? shell_names : NULL, NULL, before, behind);
	fputs(before, stdout);
	completion_subcommands();
	fputs(behind, stdout);
	return true;
}

int
completion_main(int argc, char **argv)
{
	if (argc != 2)
		die(EXIT_USAGE, "completion: expected the shell: bash, zsh or fish; see 'pmem help "
			"completion'");
	for (size_t i = 0; i < SHELLS; i++) {
		if (strcmp(argv[1], shells[i].name) == 0) {
			shells[i].print();
			return 0;
		}
	}
	die(EXIT_USAGE, "completion: %s: no such shell, only bash, zsh and fish; see 'pmem help "
		"completion'", argv[1]);
}
