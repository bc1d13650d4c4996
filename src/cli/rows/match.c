// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
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
is_found(const regex_t *regex, const struct resolved_frame *resolved)
{
	if (regexec(regex, resolved->name, 0, NULL, 0) == 0)
		return true;
	if (resolved_is_line(resolved)) {
		char *text = script_line_text(resolved->frame);
		bool is_in = regexec(regex, text, 0, NULL, 0) == 0;
		free(text);
		return is_in;
	}
	return resolved->frame && resolved->frame->module
		&& regexec(regex, resolved->frame->module->path, 0, NULL, 0) == 0;
}

bool
match_finds(const regex_t *regexes, size_t count, const struct resolved_frame *resolved)
{
	for (size_t i = 0; i < count; i++)
		if (is_found(&regexes[i], resolved))
			return true;
	return false;
}

// Returns true if any of the expressions is found in any of the frames.
static bool
any_is_found(const regex_t *regexes, size_t regex_count,
	const struct resolved_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (match_finds(regexes, regex_count, &frames[i]))
			return true;
	return false;
}

bool
match_frames(const struct stack_match *match, const struct resolved_frame *frames,
	size_t count)
{
	if (has_no_regex(match))
		return true;
	ASSERT((match->wanted.count == 0 || match->wanted_regexes)
		&& (match->unwanted.count == 0 || match->unwanted_regexes));
	if (match->wanted.count
			&& !any_is_found(match->wanted_regexes, match->wanted.count, frames, count))
		return false;
	return !any_is_found(match->unwanted_regexes, match->unwanted.count, frames, count);
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
	static struct resolved_stack stack;

	if (!match_thread(match, &row->by))
		return false;
	if (has_no_regex(match))
		return true;
	resolved_stack_take(&stack, row);
	return match_frames(match, stack.frames, stack.count);
}
