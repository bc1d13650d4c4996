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
};

static const char between[] = " < ";
static const char via[] = " via ";
static const char more_via[] = ", ";
static const char dots[] = "...";
enum { BETWEEN = sizeof(between) - 1, DOTS = sizeof(dots) - 1 };

// Of the text that is being cut.
static struct pieces split;

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

static void
add_piece(const char *begin, const char *end, bool is_via)
{
	split.pieces = memory_grow(split.pieces, split.count, &split.room, sizeof(*split.pieces));
	split.pieces[split.count++] = (struct piece){.begin = begin, .end = end,
		.columns = columns_of(begin, end), .is_nameless = is_nameless(begin, end),
		.is_via = is_via};
}

// "getpwuid, process_line": each is a piece.
static void
add_vias(const char *begin, const char *end)
{
	for (;;) {
		const char *more = memmem(begin, (size_t)(end - begin), more_via, strlen(more_via));
		add_piece(begin, more ? more : end, true);
		if (!more)
			return;
		begin = more + strlen(more_via);
	}
}

const struct pieces *
pieces_split(const char *text)
{
	split.count = 0;
	for (const char *begin = text; begin;) {
		const char *end = strstr(begin, between);
		const char *next = end ? end + BETWEEN : NULL;
		if (!end)
			end = begin + strlen(begin);
		const char *via_begin = memmem(begin, (size_t)(end - begin), via, strlen(via));
		add_piece(begin, via_begin ? via_begin : end, false);
		if (via_begin)
			add_vias(via_begin + strlen(via), end);
		begin = next;
	}
	return &split;
}

static void
end_piece(struct piece *piece, const char *begin, const char *end)
{
	piece->begin = begin;
	piece->end = end;
	piece->columns = columns_of(begin, end);
}

// Without what may go from a name that is too long, as long as it is: its module, then namespaces
// and classes up to the last `scopes`. Not beyond the mark.
static void
shorten(struct piece *piece, size_t columns, int scopes)
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

// The fewest columns that it tells something in.
static size_t
least_columns(const struct piece *piece)
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

// What it takes where each may have so many.
static size_t
columns_in(const struct piece *piece, size_t share)
{
	if (share >= piece->columns)
		return piece->columns;
	size_t fewest = least_columns(piece);
	return least(piece->columns, share > fewest ? share : fewest);
}

// In no more columns than that, with its mark.
static void
put_piece(FILE *to, const struct piece *piece, size_t columns)
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
		fputs(dots, to);
		columns -= DOTS;
		while (columns_of(begin, piece->mark) > columns / 2
				&& columns_of(begin, piece->end) > columns)
			begin += glyph_next(begin).bytes;
	}
	char *text = memory_text(begin, (size_t)(piece->end - begin));
	if (glyph_columns(text) > columns) {
		text[glyph_cut(text, columns > DOTS ? columns - DOTS : columns)] = '\0';
		fprintf(to, "%s%s", text, columns > DOTS ? dots : "");
	} else {
		fputs(text, to);
	}
	free(text);
}

// What stands before a piece that is told, behind the dots for those that are not.
static const char *
sign_before(const struct piece *last, const struct piece *piece)
{
	return !piece->is_via ? between : last && last->is_via ? more_via : via;
}

// Between two pieces that are told; `last` NULL: before the first of them.
static void
put_before(struct compose *text, const struct piece *last, const struct piece *piece, bool has_gap)
{
	if (has_gap)
		fprintf(text->to, "%s%s", last ? between : "", dots);
	if (last || has_gap)
		fputs(sign_before(last, piece), text->to);
}

static size_t
columns_before(const struct piece *last, const struct piece *piece, bool has_gap)
{
	return (has_gap ? DOTS + (last ? BETWEEN : 0) : 0)
		+ (last || has_gap ? strlen(sign_before(last, piece)) : 0);
}

// Those that are told, of each so many columns at most; and that there are more behind them.
static char *
put_text(size_t columns, bool has_tail)
{
	const struct piece *last = NULL;
	struct compose text;
	bool has_gap = false;

	compose_begin(&text);
	for (size_t i = 0; i < split.count; i++) {
		const struct piece *piece = &split.pieces[i];
		if (!piece->is_told) {
			has_gap |= !piece->is_via;
			continue;
		}
		put_before(&text, last, piece, has_gap);
		put_piece(text.to, piece, columns_in(piece, columns));
		last = piece;
		has_gap = false;
	}
	if (has_gap && has_tail)
		fprintf(text.to, "%s%s", between, dots);
	return compose_end(&text);
}

// What that takes, without a limit for each.
static size_t
columns_told(void)
{
	const struct piece *last = NULL;
	bool has_gap = false;
	size_t columns = 0;

	for (size_t i = 0; i < split.count; i++) {
		const struct piece *piece = &split.pieces[i];
		if (!piece->is_told) {
			has_gap |= !piece->is_via;
			continue;
		}
		columns += columns_before(last, piece, has_gap) + piece->columns;
		last = piece;
		has_gap = false;
	}
	return columns + (has_gap ? BETWEEN + DOTS : 0);
}

// How many columns each of those that are told may have such that all have no more than that: those
// that need less leave it to the others.
static size_t
share_of_each(size_t columns)
{
	size_t share = 0;

	for (size_t more = columns; more > 0; more--) {
		size_t sum = 0;
		for (size_t i = 0; i < split.count; i++)
			sum += split.pieces[i].is_told ? columns_in(&split.pieces[i], more) : 0;
		share = more;
		if (sum <= columns)
			break;
	}
	return share;
}

// What is told does not fit: without that there are more, then without parts of names.
static char *
cut_pieces(size_t columns)
{
	size_t names = 0;
	size_t told = 0;
	size_t least_names = 0;

	for (size_t i = 0; i < split.count; i++) {
		const struct piece *piece = &split.pieces[i];
		if (!piece->is_told)
			continue;
		told++;
		names += piece->columns;
		least_names += least_columns(piece);
	}
	const struct piece *last = &split.pieces[split.count - 1];
	size_t tail = last->is_told || last->is_via ? 0 : BETWEEN + DOTS;
	size_t around = columns_told() - names - tail;
	size_t room = columns > around ? columns - around : 0;
	for (size_t i = 0; told > 1 && least_names > room && i < split.count; i++) {
		if (!split.pieces[i].is_told)
			continue;
		split.pieces[i].is_told = false;
		return cut_pieces(columns);
	}
	size_t room_alone = room > tail ? room - tail : 0;
	for (int scopes = 1; scopes >= 0; scopes--)
		for (size_t i = 0; i < split.count; i++)
			if (split.pieces[i].is_told && (i > 0 || scopes > 0))
				shorten(&split.pieces[i], share_of_each(told == 1 ? room_alone : room), scopes);
	if (columns_told() <= columns)
		return put_text(SIZE_MAX, true);
	char *text = put_text(share_of_each(room), false);
	// In the fewest columns not even one piece is told.
	if (glyph_columns(text) > columns) {
		size_t length = glyph_cut(text, columns > DOTS ? columns - DOTS : columns);
		memcpy(text + length, columns > DOTS ? dots : "", columns > DOTS ? DOTS + 1 : 1);
	}
	return text;
}

// The piece that the mark is in, or before which it is.
static struct piece *
piece_of(const char *mark)
{
	size_t i = split.count;

	while (i-- > 1 && split.pieces[i].begin > mark)
		continue;
	return &split.pieces[i];
}

// Tells as many of these pieces as there is room for, one after the other.
static void
tell_more(size_t from, size_t to, size_t columns)
{
	for (size_t i = from; i < to; i++) {
		struct piece *piece = &split.pieces[i];
		if (piece->is_told || (piece->is_nameless && !piece->is_via))
			continue;
		piece->is_told = true;
		if (columns_told() > columns) {
			piece->is_told = false;
			return;
		}
	}
}

char *
pieces_cut(const char *text, const char *const *marks, size_t mark_count, size_t columns)
{
	size_t last = 1;

	pieces_split(text);
	split.pieces[0].is_told = true;
	for (size_t i = 0; i < mark_count; i++) {
		struct piece *marked = piece_of(marks[i]);
		size_t behind = (size_t)(marked - split.pieces) + 1;
		marked->is_told = true;
		marked->mark = marks[i];
		last = behind > last ? behind : last;
	}
	if (columns_told() > columns)
		return cut_pieces(columns);
	tell_more(1, last, columns);
	tell_more(last, split.count, columns);
	return put_text(SIZE_MAX, true);
}
