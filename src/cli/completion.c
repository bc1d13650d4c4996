// SPDX-License-Identifier: BSD-2-Clause
// pmem completion: prints a script with which a shell completes command lines of pmem. The script
// is made from the option tables that options_parse() uses. So pmem accepts all that a shell
// completes.

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "base/memory.h"
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
static const char *const no_words[] = {NULL};

enum { SHELLS = sizeof(shells) / sizeof(shells[0]) };
_Static_assert(sizeof(shell_names) / sizeof(shell_names[0]) == SHELLS + 1, "a name each");

// Returns the option's words, and behind them those of moments.
static const char *const *
words_and_moments(const char *const *words)
{
	const char **all = NULL;
	size_t count = 0, room = 0;

	for (; *words; words++) {
		all = memory_grow(all, count, &room, sizeof(*all));
		all[count++] = *words;
	}
	for (words = moment_words; *words; words++) {
		all = memory_grow(all, count, &room, sizeof(*all));
		all[count++] = *words;
	}
	return memory_grow(all, count, &room, sizeof(*all));
}

const char *const *
completion_values(const struct option *option)
{
	if (option->kind == OPTION_MOMENT_OR_WORD)
		return words_and_moments(option->words);
	if (option->kind == OPTION_WORD)
		return option->words;
	return option->kind == OPTION_MOMENT ? moment_words : no_words;
}

const char *const *
completion_subcommands(void)
{
	static const char **names;
	size_t count = 0;

	while (subcommands[count].name)
		count++;
	if (!names)
		names = memory_get(count + 1, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = subcommands[i].name;
	return names;
}

const char *const *
completion_operands(const struct subcommand *subcommand)
{
	if (subcommand->function == help_main)
		return completion_subcommands();
	return subcommand->function == completion_main ? shell_names : no_words;
}

void
completion_words(const char *const *words)
{
	for (int i = 0; words[i]; i++)
		printf("%s%s", i ? " " : "", words[i]);
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
