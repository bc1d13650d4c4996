// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/term.h"
#include "print/wrap.h"

// Returns the length in bytes of the escape sequence at the beginning of `text`. Returns 0 if there
// is none.
static size_t
sequence_length(const char *text, size_t length)
{
	if (length < 2 || text[0] != '\033' || text[1] != '[')
		return 0;
	for (size_t i = 2; i < length; i++)
		if (text[i] >= '@' && text[i] <= '~')
			return i + 1;
	return length;
}

// Returns true if a word may be parted before the letter at `at`: behind a slash, and before "::".
static bool
parts_word(const char *line, size_t at)
{
	return line[at - 1] == '/' || (line[at - 1] != ':' && strncmp(line + at, "::", 2) == 0);
}

// The line must not have a '\0' before `length`: the line would be cut there.
size_t
wrap_at(const char *line, size_t length, size_t columns, const char *before)
{
	size_t column = 0, at = 0, room = 0, inside = 0;
	// offset of the last blank that fits, and of the last one before a preferred word
	size_t any = 0, best = 0;
	size_t letters = 0; // of the text from its first word on

	while (at < length) {
		size_t sequence = sequence_length(line + at, length - at);
		struct glyph glyph = glyph_next(line + at);
		size_t bytes = sequence ? sequence : glyph.bytes ? glyph.bytes : 1;
		bool is_blank = line[at] == ' ';
		// A line is wrapped at the first of several blanks in a row, but not behind a single sign.
		bool parts = is_blank && letters > 1 && line[at - 1] != ' ';
		size_t word = parts ? at + strspn(line + at, " ") : 0;
		if (parts && column <= columns && word < length) {
			any = at;
			best = strchr(before, line[word]) ? at : best;
		}
		if (letters > 0 && column <= columns && parts_word(line, at))
			inside = at;
		letters += letters > 0 || (!is_blank && !sequence);
		column += sequence ? 0 : glyph.columns;
		if (column <= columns)
			room = at + bytes;
		else if (!is_blank)
			return best > 0 ? best : any > 0 ? any : inside > 0 ? inside : room > 0 ? room : bytes;
		at += bytes;
	}
	return length;
}

// Returns the offset of the next character from `at` on that is no blank, or `length`.
static size_t
skip_blanks(const char *line, size_t at, size_t length)
{
	while (at < length && line[at] == ' ')
		at++;
	return at;
}

static size_t
room_of(size_t columns)
{
	return columns > 2 * WRAP_INDENT ? columns - WRAP_INDENT : columns;
}

size_t
wrap_count(const char *line, size_t length, size_t columns)
{
	size_t lines = 1;

	for (size_t room = columns; columns > 0; room = room_of(columns), lines++) {
		size_t at = skip_blanks(line, wrap_at(line, length, room, ""), length);
		if (at >= length)
			break;
		line += at;
		length -= at;
	}
	return lines;
}

// Returns where the command that ends the line begins, or `length`.
static size_t
command_at(const char *line, size_t length)
{
	static const char sign[] = ": pmem ";
	const char *found = strstr(line, sign);

	return found ? (size_t)(found - line) + 2 : length;
}

// Wraps the text, but does not end the last line.
static void
print_text(FILE *to, const char *line, size_t length, size_t columns)
{
	for (size_t room = columns;; room = room_of(columns)) {
		size_t end = wrap_at(line, length, room, "");
		size_t at = skip_blanks(line, end, length);
		if (at >= length)
			break;
		fwrite(line, 1, end, to);
		fprintf(to, "\n%*s", room_of(columns) < columns ? WRAP_INDENT : 0, "");
		line += at;
		length -= at;
	}
	fwrite(line, 1, length, to);
}

static void
print_line(FILE *to, const char *line, size_t length)
{
	size_t columns = term_width();
	size_t command = command_at(line, length);

	if (command == length || wrap_count(line, length, columns) == 1) {
		print_text(to, line, length, columns);
		return;
	}
	print_text(to, line, command - 1, columns);
	fprintf(to, "\n%*s%s", room_of(columns) < columns ? WRAP_INDENT : 0, "", line + command);
}

FILE *
wrap_begin(struct wrap *wrap, FILE *behind)
{
	*wrap = (struct wrap){.behind = behind, .compose.to = behind};
	if (term_width() > 0)
		compose_begin(&wrap->compose);
	return wrap->compose.to;
}

void
wrap_end(struct wrap *wrap)
{
	if (wrap->compose.to == wrap->behind)
		return;
	char *text = compose_end(&wrap->compose);
	char *line = text;
	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		print_line(wrap->behind, line, (size_t)(end - line));
		fputc('\n', wrap->behind);
	}
	ASSERT(*line == '\0');
	free(text);
}
