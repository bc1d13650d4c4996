#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rows/match.h"

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

void
match_compile(struct stack_match *match, const char *subcommand)
{
	size_t wanted = match->wanted.count;

	if (has_no_regex(match))
		return;
	match->regexes = memory_get(wanted + match->unwanted.count, sizeof(*match->regexes));
	for (size_t i = 0; i < wanted; i++)
		compile(&match->regexes[i], match->wanted.texts[i], subcommand, "match");
	for (size_t i = 0; i < match->unwanted.count; i++)
		compile(&match->regexes[wanted + i], match->unwanted.texts[i], subcommand, "not");
}

static bool
is_found(const regex_t *regex, const struct step *step)
{
	if (regexec(regex, step->name, 0, NULL, 0) == 0)
		return true;
	return step->frame && step->frame->module
		&& regexec(regex, step->frame->module->path, 0, NULL, 0) == 0;
}

// Whether any of the expressions is found in any of the steps.
static bool
any_is_found(const regex_t *regexes, size_t regex_count, const struct step *steps, size_t count)
{
	for (size_t i = 0; i < regex_count; i++)
		for (size_t j = 0; j < count; j++)
			if (is_found(&regexes[i], &steps[j]))
				return true;
	return false;
}

bool
match_steps(const struct stack_match *match, const struct step *steps, size_t count)
{
	if (has_no_regex(match))
		return true;
	const regex_t *unwanted = match->regexes + match->wanted.count;
	if (match->wanted.count && !any_is_found(match->regexes, match->wanted.count, steps, count))
		return false;
	return !any_is_found(unwanted, match->unwanted.count, steps, count);
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
