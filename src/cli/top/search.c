// SPDX-License-Identifier: BSD-2-Clause
// Keeps the rows in which a searched text is found.

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/resolved_frame.h"
#include "rows/script_line.h"
#include "top/rows.h"

// Returns true if the text has a capital letter. Then the search is case-sensitive.
static bool
has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

static bool
is_in(const char *text, const char *search)
{
	return (has_capital(search) ? strstr(text, search) : strcasestr(text, search)) != NULL;
}

static bool
is_in_frame(const struct resolved_frame *resolved, const char *search)
{
	if (!resolved_is_line(resolved))
		return is_in(resolved->name, search) || is_in(resolved_module(resolved), search);
	char *text = script_line_text(resolved->frame);
	bool found = is_in(text, search);
	free(text);
	return found;
}

static bool
is_meant(const char *search, const struct row *row)
{
	static struct resolved_stack stack;
	char id[24];

	snprintf(id, sizeof(id), "%016" PRIx64, row->id);
	if (is_in(id, search) || (row->by.name && is_in(row->by.name, search)))
		return true;
	resolved_stack_take(&stack, row);
	for (size_t i = 0; i < stack.count; i++)
		if (is_in_frame(&stack.frames[i], search))
			return true;
	return false;
}

void
top_rows_search(struct top_rows *rows, const char *search)
{
	size_t count = 0;

	rows->found = (struct row){0};
	if (!search[0])
		return;
	top_rows_resolve(rows, 0, rows->count);
	for (size_t i = 0; i < rows->count; i++) {
		if (!is_meant(search, &rows->rows[i]))
			continue;
		row_add(&rows->found, &rows->rows[i]);
		rows->rows[count++] = rows->rows[i];
	}
	rows->all = rows->count;
	rows->count = count;
}
