// SPDX-License-Identifier: BSD-2-Clause
// One piece: its columns, and what is left of it where it has fewer.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "print/pieces.h"

enum {
	LEAST_PIECE = 8,   // columns of a name that is cut
	LEAST_MARKED = 14, // of one whose mark is not at its beginning
	LEAST_MODULE = 3,
	DOTS = sizeof(PIECE_DOTS) - 1,
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
		// Most names are of such characters alone.
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

struct piece
piece_of(const char *begin, const char *end, bool is_via)
{
	return (struct piece){.begin = begin, .end = end, .columns = columns_of(begin, end),
		.is_nameless = is_nameless(begin, end), .is_via = is_via};
}

static void
end_piece(struct piece *piece, const char *begin, const char *end)
{
	piece->begin = begin;
	piece->end = end;
	piece->columns = columns_of(begin, end);
}

void
piece_shorten(struct piece *piece, size_t columns, int scopes)
{
	const char *mark = piece->mark;
	size_t length = (size_t)(piece->end - piece->begin);
	const char *module = memmem(piece->begin, length, " (", 2);

	if (piece->columns > columns && module && piece->end[-1] == ')' && (!mark || mark < module)
			&& memmem(module, (size_t)(piece->end - module), ".so", 3))
		end_piece(piece, piece->begin, module);
	while (piece->columns > columns) {
		const char *scope = piece->begin;
		for (int i = 0; scope && i <= scopes; i++) {
			scope = memmem(scope, (size_t)(piece->end - scope), "::", 2);
			scope = scope ? scope + 2 : NULL;
		}
		const char *first = scope ? strstr(piece->begin, "::") + 2 : NULL;
		// Neither within brackets, nor in what is said behind the name.
		if (!first || (mark && mark < first)
				|| strcspn(piece->begin, "<({ ") < (size_t)(first - piece->begin))
			return;
		end_piece(piece, first, piece->end);
	}
}

// Of libruby-3.1.so.3.1(+0xd89a4) what goes last, "(+0xd89a4)"; NULL: it is no such piece.
static const char *
offset_of(const struct piece *piece)
{
	if (!piece->is_nameless)
		return NULL;
	return memmem(piece->begin, (size_t)(piece->end - piece->begin), "(+0x", 4);
}

// The same without its brackets, "+0xd89a4", and what is behind them, " x3".
static char *
bare_offset(const struct piece *piece, const char *offset)
{
	const char *end = memchr(offset, ')', (size_t)(piece->end - offset));
	const char *behind = end ? end + 1 : piece->end;

	return memory_format("%.*s%.*s", (int)((end ? end : behind) - offset) - 1, offset + 1,
		(int)(piece->end - behind), behind);
}

size_t
piece_least(const struct piece *piece)
{
	const char *offset = offset_of(piece);

	if (offset)
		return columns_of(offset, piece->end) - 2;
	if (piece->is_nameless)
		return piece->columns;
	bool is_behind = piece->mark && columns_of(piece->begin, piece->mark) + DOTS >= LEAST_PIECE;
	return least(piece->columns, is_behind ? LEAST_MARKED : LEAST_PIECE);
}

// A place: of the module what there is room for, at most up to ".so".
static void
put_place(FILE *to, const struct piece *piece, const char *offset, size_t columns)
{
	size_t rest = columns_of(offset, piece->end);
	size_t room = columns > rest ? columns - rest : 0;
	const char *end = memmem(piece->begin, (size_t)(offset - piece->begin), ".so", 3);
	size_t module = (size_t)((end ? end : offset) - piece->begin);

	if (room < LEAST_MODULE) {
		char *bare = bare_offset(piece, offset);
		fputs(bare, to);
		free(bare);
		return;
	}
	fprintf(to, "%.*s%.*s", (int)glyph_cut(piece->begin, least(room, module)), piece->begin,
		(int)(piece->end - offset), offset);
}

size_t
piece_columns(const struct piece *piece, size_t share)
{
	if (share >= piece->columns)
		return piece->columns;
	size_t fewest = piece_least(piece);
	return least(piece->columns, share > fewest ? share : fewest);
}

void
piece_put(FILE *to, const struct piece *piece, size_t columns)
{
	const char *begin = piece->begin;
	const char *offset = offset_of(piece);

	if (piece->columns > columns && offset) {
		put_place(to, piece, offset, columns);
		return;
	}
	if (piece->columns > columns && piece->mark && columns > 4 * DOTS
			&& columns_of(begin, piece->mark) > columns / 2) {
		// What is before it goes.
		fputs(PIECE_DOTS, to);
		columns -= DOTS;
		while (columns_of(begin, piece->mark) > columns / 2
				&& columns_of(begin, piece->end) > columns)
			begin += glyph_next(begin).bytes;
	}
	char *text = memory_text(begin, (size_t)(piece->end - begin));
	if (glyph_columns(text) > columns) {
		text[glyph_cut(text, columns > DOTS ? columns - DOTS : columns)] = '\0';
		fprintf(to, "%s%s", text, columns > DOTS ? PIECE_DOTS : "");
	} else {
		fputs(text, to);
	}
	free(text);
}
