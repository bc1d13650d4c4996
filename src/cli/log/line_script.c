// SPDX-License-Identifier: BSD-2-Clause
// Parses a frame that is a line of source code: PATH:LINE in FUNCTION [LANGUAGE].

#include <limits.h>
#include <string.h>

#include "log/lexer.h"
#include "log/line.h"

static bool
is_small(char letter)
{
	return letter >= 'a' && letter <= 'z';
}

// Returns where ` [LANGUAGE]` begins at the end of the text, or NULL if the text ends otherwise.
static char *
find_language(char *text)
{
	char *end = text + strlen(text);
	char *at = end - 1;

	if (end == text || *at != ']')
		return NULL;
	while (at > text && is_small(at[-1]))
		at--;
	if (at == end - 1 || at - text < 2 || at[-1] != '[' || at[-2] != ' ')
		return NULL;
	return at - 2;
}

bool
line_is_script(char *text)
{
	return find_language(text) != NULL;
}

// Returns true if the text at `at` is a number, ` in ` and at least one more byte. Sets *value to
// the number, and *function to the text after ` in `.
static bool
is_number(const char *at, uint64_t *value, char **function)
{
	if (!number(&at, value) || *value > UINT_MAX || !skip(&at, " in ") || !*at)
		return false;
	*function = (char *)at;
	return true;
}

bool
line_parse_script(struct script_line *script, char *text)
{
	char *language = find_language(text);
	uint64_t value;

	*language = '\0';
	script->language = language + strlen(" [");
	script->language[strlen(script->language) - 1] = '\0';
	script->path = text + strlen(text);
	script->function = text;
	script->line = 0;
	// A path may itself contain a colon, a number and ` in `. So the last match in the text is
	// taken.
	for (char *colon = language; colon-- > text + 1;) {
		if (*colon != ':' || !is_number(colon + 1, &value, &script->function))
			continue;
		*colon = '\0';
		script->path = text;
		script->line = (unsigned)value;
		break;
	}
	line_unescape(script->path);
	line_unescape(script->function);
	return script->path[0] != '\0';
}
