// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rows/match.h"
#include "rows/script_line.h"

static void
compile(regex_t *regex, const char *text, const char *subcommand, const char *option)
{
	char why[256];
	int error = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);

	if (error == 0)
		return;
	regerror(error, regex, why, sizeof(why));
	options_refuse(subcommand, "--%s %s: %s", option, text, why);
}

static bool
has_no_regex(const struct stack_match *match)
{
	return match->wanted.count + match->unwanted.count == 0;
}

bool
match_is_empty(const struct stack_match *match)
{
	return has_no_regex(match) && !match->thread;
}

regex_t *
match_compile_list(const struct option_list *list, const char *subcommand, const char *option)
{
	if (list->count == 0)
		return NULL;
	regex_t *regexes = memory_get(list->count, sizeof(*regexes));
	for (size_t i = 0; i < list->count; i++)
		compile(&regexes[i], list->texts[i], subcommand, option);
	return regexes;
}

void
match_compile(struct stack_match *match, const char *subcommand)
{
	match->wanted_regexes = match_compile_list(&match->wanted, subcommand, "match");
	match->unwanted_regexes = match_compile_list(&match->unwanted, subcommand, "not");
}

static bool
is_found(const regex_t *regex, const struct step *step)
{
	if (regexec(regex, step->name, 0, NULL, 0) == 0)
		return true;
	if (step_is_line(step)) {
		char *text = script_line_text(step->frame);
		bool is_in = regexec(regex, text, 0, NULL, 0) == 0;
		free(text);
		return is_in;
	}
	return step->frame && step->frame->module
		&& regexec(regex, step->frame->module->path, 0, NULL, 0) == 0;
}

bool
match_finds(const regex_t *regexes, size_t count, const struct step *step)
{
	for (size_t i = 0; i < count; i++)
		if (is_found(&regexes[i], step))
			return true;
	return false;
}

// Whether any of the expressions is found in any of the steps.
static bool
any_is_found(const regex_t *regexes, size_t regex_count, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (match_finds(regexes, regex_count, &steps[i]))
			return true;
	return false;
}

bool
match_steps(const struct stack_match *match, const struct step *steps, size_t count)
{
	if (has_no_regex(match))
		return true;
	if (match->wanted.count
			&& !any_is_found(match->wanted_regexes, match->wanted.count, steps, count))
		return false;
	return !any_is_found(match->unwanted_regexes, match->unwanted.count, steps, count);
}

bool
match_thread(const struct stack_match *match, const struct share *by)
{
	char id[24];

	if (!match->thread)
		return true;
	snprintf(id, sizeof(id), "%" PRIu64, by->id);
	return by->name && (strcmp(by->name, match->thread) == 0 || strcmp(id, match->thread) == 0);
}

bool
match_row(const struct stack_match *match, const struct row *row)
{
	static struct steps steps;

	if (!match_thread(match, &row->by))
		return false;
	if (has_no_regex(match))
		return true;
	steps_take(&steps, row);
	return match_steps(match, steps.steps, steps.count);
}
