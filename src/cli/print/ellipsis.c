// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "rows/name.h"
#include "print/ellipsis.h"

static const char between[] = " < ";
static const char via[] = " via ";
static const char more_via[] = ", ";
static const char dots[] = ELLIPSIS;
static const char between_dots[] = " < " ELLIPSIS;
enum { BETWEEN = sizeof(between) - 1, DOTS = sizeof(dots) - 1 };

// The parts of the text that is being cut. They are filled by ellipsis_split().
static struct ellipsis_parts split;

static void
add_part(const char *begin, const char *end, bool is_via)
{
	split.parts = memory_grow(split.parts, split.count, &split.room, sizeof(*split.parts));
	split.parts[split.count++] = ellipsis_part_of(begin, end, is_via);
}

// Adds the functions behind " via " as parts, such as "getpwuid, process_line". A comma within
// template arguments ends no part.
static void
add_vias(const char *begin, const char *end)
{
	for (;;) {
		const char *name_end = name_end_in_list(begin, end);
		add_part(begin, name_end, true);
		if (name_end == end)
			return;
		begin = name_end + strlen(more_via);
	}
}

const struct ellipsis_parts *
ellipsis_split(const char *text)
{
	split.count = 0;
	for (const char *begin = text; begin;) {
		const char *end = strstr(begin, between);
		const char *next = end ? end + BETWEEN : NULL;
		if (!end)
			end = begin + strlen(begin);
		const char *via_begin = memmem(begin, (size_t)(end - begin), via, strlen(via));
		add_part(begin, via_begin ? via_begin : end, false);
		if (via_begin)
			add_vias(via_begin + strlen(via), end);
		begin = next;
	}
	return &split;
}

// Returns the separator before `part`. `last` is the part that is shown before it; NULL if none.
static const char *
sign_before(const struct ellipsis_part *last, const struct ellipsis_part *part)
{
	return !part->is_via ? between : last && last->is_via ? more_via : via;
}

// Prints the text if `to` is not NULL. Returns how many columns it takes.
static size_t
put(FILE *to, const char *text)
{
	if (to)
		fputs(text, to);
	return strlen(text);
}

// Prints the text of the shown parts, each cut to at most `columns`. Dots stand for the parts hidden
// before another. If `to` is NULL, prints nothing. Returns how many columns the text takes.
static size_t
put_parts(FILE *to, size_t columns)
{
	const struct ellipsis_part *last = NULL;
	bool has_gap = false;
	size_t sum = 0;

	for (size_t i = 0; i < split.count; i++) {
		const struct ellipsis_part *part = &split.parts[i];
		if (!part->is_told) {
			has_gap |= !part->is_via;
			continue;
		}
		if (has_gap)
			sum += put(to, last ? between_dots : dots);
		if (last || has_gap)
			sum += put(to, sign_before(last, part));
		size_t own = columns < part->columns ? ellipsis_part_columns(part, columns) : part->columns;
		if (to)
			ellipsis_part_put(to, part, own);
		sum += own;
		last = part;
		has_gap = false;
	}
	return sum;
}

// Returns how many columns the text takes if no part is cut.
static size_t
columns_told(void)
{
	return put_parts(NULL, SIZE_MAX);
}

static char *
put_text(size_t columns)
{
	struct compose text;

	compose_begin(&text);
	put_parts(text.to, columns);
	return compose_end(&text);
}

// All shown parts get the same limit of columns. Returns the largest limit with which the parts
// together fit into `columns`. A part that needs less than the limit leaves columns to the others.
static size_t
share_of_each(size_t columns)
{
	size_t share = 0;

	for (size_t more = columns; more > 0; more--) {
		size_t sum = 0;
		for (size_t i = 0; i < split.count; i++)
			sum += split.parts[i].is_told ? ellipsis_part_columns(&split.parts[i], more)
				: 0;
		share = more;
		if (sum <= columns)
			break;
	}
	return share;
}

// Returns the shown part's file and line alone, without their beginning if they do not fit into `columns`.
// Returns NULL if there are none. The caller frees the text.
static char *
line_alone(size_t columns)
{
	for (size_t i = 0; i < split.count; i++) {
		const struct ellipsis_part *part = &split.parts[i];
		if (!part->is_told || (part->line == 0 && !part->place))
			continue;
		const char *begin = part->place ? part->place + 1 : part->begin;
		const char *end = part->place ? part->end : begin + glyph_cut(begin, part->line);
		bool is_cut = ellipsis_part_of(begin, end, false).columns > columns;
		while (is_cut && begin < end && ellipsis_part_of(begin, end, false).columns + DOTS > columns)
			begin += glyph_next(begin).bytes;
		return memory_format("%s%.*s", is_cut ? dots : "", (int)(end - begin), begin);
	}
	return NULL;
}

// Returns a text that fits into `columns`. First, shown parts are hidden, from the first on, until
// the shortest forms of the others fit. Then names are shortened. At last the ends of names are cut.
static char *
cut_parts(size_t columns)
{
	size_t names = 0;
	size_t told = 0;
	size_t least_names = 0;

	for (size_t i = 0; i < split.count; i++) {
		const struct ellipsis_part *part = &split.parts[i];
		if (!part->is_told)
			continue;
		told++;
		names += part->columns;
		least_names += ellipsis_part_least(part);
	}
	size_t around = columns_told() - names;
	size_t room = columns > around ? columns - around : 0;
	for (size_t i = 0; told > 1 && least_names > room && i < split.count; i++) {
		if (!split.parts[i].is_told)
			continue;
		split.parts[i].is_told = false;
		return cut_parts(columns);
	}
	for (int scopes = 1; scopes >= 0; scopes--)
		for (size_t i = 0; i < split.count; i++)
			if (split.parts[i].is_told && (i > 0 || scopes > 0))
				ellipsis_part_shorten(&split.parts[i], share_of_each(room), scopes);
	if (columns_told() <= columns)
		return put_text(SIZE_MAX);
	char *text = put_text(share_of_each(room));
	// Not even one part at its shortest useful length fits. So the text is a file and line without dots, or
	// is cut at any character.
	char *line = glyph_columns(text) > columns ? line_alone(columns) : NULL;
	if (line) {
		free(text);
		return line;
	}
	if (glyph_columns(text) > columns) {
		size_t length = glyph_cut(text, columns > DOTS ? columns - DOTS : columns);
		memcpy(text + length, columns > DOTS ? dots : "", columns > DOTS ? DOTS + 1 : 1);
	}
	return text;
}

// Returns the part's columns up to the end of its file and line, or 0 if it has none. In
// "service.py:12 in render" these are the columns of "service.py:12".
static size_t
columns_of_line(const struct ellipsis_part *part)
{
	for (const char *at = part->begin; at < part->end; at++) {
		size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
		const char *end = at + 1 + digits;
		if (digits > 0 && end <= part->end && (end == part->end || *end == ' '))
			return ellipsis_part_of(part->begin, end, false).columns;
	}
	return 0;
}

// Shows the first part that has a file and line. These are not cut. A name before them is cut if they end
// the text's first part. What comes before the part, such as mmap, is no place of the program. Returns the
// number of parts up to that one.
static size_t
tell_line(void)
{
	for (size_t i = 0; i < split.count; i++) {
		size_t line = columns_of_line(&split.parts[i]);
		if (line == 0)
			continue;
		struct ellipsis_part *part = &split.parts[i];
		part->is_told = true;
		const char *blank = memchr(part->begin, ' ', (size_t)(part->end - part->begin));
		bool is_first = !blank || ellipsis_part_of(part->begin, blank, false).columns >= line;
		part->line = i > 0 || is_first ? line : 0;
		part->place = i == 0 && line == part->columns
			? memrchr(part->begin, ' ', (size_t)(part->end - part->begin)) : NULL;
		return i + 1;
	}
	return 1;
}

// Shows the parts from `from` up to `to` in order, until the next one does not fit. Leaves callers
// without a name hidden.
static void
tell_more(size_t from, size_t to, size_t columns)
{
	for (size_t i = from; i < to; i++) {
		struct ellipsis_part *part = &split.parts[i];
		if (part->is_told || (part->is_nameless && !part->is_via))
			continue;
		part->is_told = true;
		if (columns_told() > columns) {
			part->is_told = false;
			return;
		}
	}
}

char *
ellipsis_cut(const char *text, const char *const *marks, size_t mark_count, size_t columns)
{
	ellipsis_split(text);
	split.parts[0].is_told = true;
	size_t last = tell_line();
	for (size_t i = 0; i < mark_count; i++) {
		// The part that contains the mark; for a mark between two parts, the part before it.
		size_t at = split.count - 1;
		while (at > 0 && split.parts[at].begin > marks[i])
			at--;
		split.parts[at].is_told = true;
		split.parts[at].mark = marks[i];
		last = at + 1 > last ? at + 1 : last;
	}
	if (columns_told() > columns)
		return cut_parts(columns);
	tell_more(1, last, columns);
	tell_more(last, split.count, columns);
	return put_text(SIZE_MAX);
}
