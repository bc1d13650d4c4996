// SPDX-License-Identifier: BSD-2-Clause
// Handles one part of a source's text, which is one function: counts the part's columns, and
// shortens it.

#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "print/ellipsis.h"

enum {
	LEAST_PART = 8,    // a name is cut to no fewer columns than these
	LEAST_MARKED = 14, // LEAST_PART for a name with a mark that is not near its beginning
	LEAST_NAME = 3,    // before its file and line, a name cut to fewer columns than these is left out
	LEAST_MODULE = 3,  // a module's name is left out if fewer columns than these remain for it
	DOTS = sizeof(ELLIPSIS) - 1,
};

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
columns_of(const char *begin, const char *end)
{
	size_t columns = 0;

	while (begin < end) {
		// These characters take one byte and one column each, and most names have no others.
		if (*begin >= ' ' && *begin <= '~') {
			begin++;
			columns++;
			continue;
		}
		struct glyph glyph = glyph_next(begin);
		columns += glyph.columns;
		begin += glyph.bytes;
	}
	return columns;
}

static bool
is_nameless(const char *begin, const char *end)
{
	size_t length = (size_t)(end - begin);
	const char *offset = memmem(begin, length, "(+0x", 4);
	const char *blank = memchr(begin, ' ', length);

	return strncmp(begin, "+0x", 3) == 0 || strncmp(begin, "[0x", 3) == 0
		|| (offset && (!blank || offset < blank));
}

struct ellipsis_part
ellipsis_part_of(const char *begin, const char *end, bool is_via)
{
	return (struct ellipsis_part){.begin = begin, .end = end,
		.columns = columns_of(begin, end), .is_nameless = is_nameless(begin, end),
		.is_via = is_via};
}

static void
end_part(struct ellipsis_part *part, const char *begin, const char *end)
{
	part->begin = begin;
	part->end = end;
	part->columns = columns_of(begin, end);
}

void
ellipsis_part_shorten(struct ellipsis_part *part, size_t columns, int scopes)
{
	const char *mark = part->mark;
	size_t length = (size_t)(part->end - part->begin);
	const char *module = memmem(part->begin, length, " (", 2);

	if (part->columns > columns && module && part->end[-1] == ')'
			&& (!mark || mark < module)
			&& memmem(module, (size_t)(part->end - module), ".so", 3))
		end_part(part, part->begin, module);
	while (part->columns > columns) {
		const char *scope = part->begin;
		for (int i = 0; scope && i <= scopes; i++) {
			scope = memmem(scope, (size_t)(part->end - scope), "::", 2);
			scope = scope ? scope + 2 : NULL;
		}
		const char *first = scope ? strstr(part->begin, "::") + 2 : NULL;
		// Stops if this cut would end within brackets, or in the text behind the name.
		if (!first || (mark && mark < first)
				|| strcspn(part->begin, "<({ ") < (size_t)(first - part->begin))
			return;
		end_part(part, first, part->end);
	}
}

// Returns where the offset begins in a part without a name: "(+0xd89a4)" in
// libruby-3.1.so.3.1(+0xd89a4). Returns NULL if the part has no offset. When such a part is
// shortened, its offset is cut last.
static const char *
offset_of(const struct ellipsis_part *part)
{
	if (!part->is_nameless)
		return NULL;
	return memmem(part->begin, (size_t)(part->end - part->begin), "(+0x", 4);
}

// Returns the offset without its brackets, followed by the text behind it: "+0xd89a4 x3" for
// "(+0xd89a4) x3".
static char *
bare_offset(const struct ellipsis_part *part, const char *offset)
{
	const char *end = memchr(offset, ')', (size_t)(part->end - offset));
	const char *behind = end ? end + 1 : part->end;

	return memory_format("%.*s%.*s", (int)((end ? end : behind) - offset) - 1, offset + 1,
		(int)(part->end - behind), behind);
}

size_t
ellipsis_part_least(const struct ellipsis_part *part)
{
	const char *offset = offset_of(part);

	if (offset)
		return columns_of(offset, part->end) - 2;
	if (part->is_nameless)
		return part->columns;
	if (part->place && !part->mark)
		return columns_of(part->place, part->end) - 1;
	if (part->line > 0)
		return least(part->columns, part->line + DOTS);
	bool is_behind = part->mark && columns_of(part->begin, part->mark) + DOTS >= LEAST_PART;
	return least(part->columns, is_behind ? LEAST_MARKED : LEAST_PART);
}

// Prints a part that is a module and an offset. The module's name is cut to the columns that the
// offset leaves. What comes behind ".so" in the name is cut in any case.
static void
put_place(FILE *to, const struct ellipsis_part *part, const char *offset, size_t columns)
{
	size_t rest = columns_of(offset, part->end);
	size_t room = columns > rest ? columns - rest : 0;
	const char *end = memmem(part->begin, (size_t)(offset - part->begin), ".so", 3);
	size_t module = (size_t)((end ? end : offset) - part->begin);

	if (room < LEAST_MODULE) {
		char *bare = bare_offset(part, offset);
		fputs(bare, to);
		free(bare);
		return;
	}
	fprintf(to, "%.*s%.*s", (int)glyph_cut(part->begin, least(room, module)), part->begin,
		(int)(part->end - offset), offset);
}

size_t
ellipsis_part_columns(const struct ellipsis_part *part, size_t share)
{
	if (share >= part->columns)
		return part->columns;
	size_t fewest = ellipsis_part_least(part);
	return least(part->columns, share > fewest ? share : fewest);
}

void
ellipsis_part_put(FILE *to, const struct ellipsis_part *part, size_t columns)
{
	const char *begin = part->begin;
	const char *offset = offset_of(part);

	if (part->columns > columns && offset) {
		put_place(to, part, offset, columns);
		return;
	}
	size_t place = part->place && !part->mark ? columns_of(part->place, part->end) : 0;
	if (part->columns > columns && place > 0 && columns >= place + LEAST_NAME + DOTS) {
		fprintf(to, "%.*s%s%.*s", (int)glyph_cut(begin, columns - place - DOTS), begin, ELLIPSIS,
			(int)(part->end - part->place), part->place);
		return;
	}
	if (part->columns > columns && place > 0)
		begin = part->place + 1;
	if (part->columns > columns && part->mark && columns > 4 * DOTS
			&& columns_of(begin, part->mark) > columns / 2) {
		// The text before the mark is replaced by dots.
		fputs(ELLIPSIS, to);
		columns -= DOTS;
		while (columns_of(begin, part->mark) > columns / 2
				&& columns_of(begin, part->end) > columns)
			begin += glyph_next(begin).bytes;
	}
	char *text = memory_text(begin, (size_t)(part->end - begin));
	if (glyph_columns(text) > columns) {
		text[glyph_cut(text, columns > DOTS ? columns - DOTS : columns)] = '\0';
		fprintf(to, "%s%s", text, columns > DOTS ? ELLIPSIS : "");
	} else {
		fputs(text, to);
	}
	free(text);
}
