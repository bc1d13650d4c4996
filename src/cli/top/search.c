// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "top/keys.h"
#include "top/search.h"

// Returns true if the text has a capital letter. Then the search is case-sensitive.
static bool
has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

bool
search_is_in(const char *text, const char *search)
{
	return (has_capital(search) ? strstr(text, search) : strcasestr(text, search)) != NULL;
}

bool
search_type(struct search *search, int key)
{
	size_t length = strlen(search->text);

	if (key == KEY_ENTER || key == KEY_ESCAPE)
		search->is_typing = false;
	if (key == KEY_ESCAPE)
		search->text[0] = '\0';
	else if (key == KEY_BACKSPACE && length > 0)
		search->text[length - 1] = '\0';
	else if (key >= ' ' && key <= '~' && length < SEARCH_MAX)
		memcpy(search->text + length, (char[]){(char)key, '\0'}, 2);
	return strlen(search->text) != length;
}

void
search_draw(const struct search *search, uint64_t found, uint64_t all, const char *of,
	uint64_t live, struct clip *clip)
{
	char text[3][UNIT_TEXT];

	clip_style(clip, STYLE_BOLD);
	clip_format(clip, search->is_typing ? "search: %s_" : "search %s", search->text);
	clip_style(clip, STYLE_PLAIN);
	if (search->text[0])
		clip_format(clip, ": %s of %s %s, live %s", unit_count(text[0], found),
			unit_count(text[1], all), of, unit_bytes(text[2], live));
	clip_style(clip, STYLE_DIM);
	clip_text(clip, search->is_typing ? "   Enter: keep it, Escape: all"
		: "   /: another, Escape: all");
	clip_end_line(clip);
}
