// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <string.h>

#include "base/unit.h"
#include "top/keys.h"
#include "top/search.h"

bool
search_is_in(const char *text, const char *search)
{
	bool has_capital = false;

	for (const char *at = search; *at; at++)
		has_capital |= isupper((unsigned char)*at) != 0;
	return (has_capital ? strstr(text, search) : strcasestr(text, search)) != NULL;
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
	clip_style(clip, STYLE_BOLD);
	clip_format(clip, search->is_typing ? "search: %s_" : "search %s", search->text);
	clip_style(clip, STYLE_PLAIN);
	if (search->text[0])
		clip_format(clip, ": %s of %s %s, live %s", unit_count(UNIT_ROOM, found),
			unit_count(UNIT_ROOM, all), of, unit_bytes(UNIT_ROOM, live));
	clip_style(clip, STYLE_DIM);
	clip_line(clip, search->is_typing ? "   Enter: keep it, Escape: all"
		: "   /: another, Escape: all");
}
