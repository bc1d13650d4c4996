// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/plain.h"

static struct {
	char *text;
	size_t room; // bytes for which `text` has room
} plain;

// Returns how many bytes come before the first character that a terminal must not get (glyph.h).
// Called for many texts, so the function must be fast.
static size_t
plain_span(const char *text)
{
	const char *at = text;
	for (struct glyph glyph; *at && (glyph = glyph_next(at)).is_fit;)
		at += glyph.bytes;
	return (size_t)(at - text);
}

const char *
utf8_plain(const char *text)
{
	size_t span = plain_span(text);
	if (text[span] == '\0')
		return text;

	// Each byte becomes at most four bytes: \xHH.
	plain.text = memory_room(plain.text, strlen(text) * 4 + 1, &plain.room, 1);
	char *to = plain.text;
	for (;;) {
		memcpy(to, text, span);
		to += span;
		text += span;
		if (*text == '\0')
			break;
		for (size_t i = glyph_next(text).bytes; i > 0; i--)
			to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		span = plain_span(text);
	}
	*to = '\0';
	return plain.text;
}

// Prints a character that must be escaped. Bytes that are not UTF-8 are printed as in the log,
// \xHH. A character of more than 16 bits is printed unchanged, because JSON's \u has only 16 bits.
static void
print_escaped(FILE *to, const char *text, size_t bytes)
{
	uint32_t character = glyph_character(text);

	if (*text == '"' || *text == '\\')
		fprintf(to, "\\%c", *text);
	else if (utf8_length(text) == 0)
		fprintf(to, "\\\\x%02x", (unsigned char)*text);
	else if (character < 0x10000)
		fprintf(to, "\\u%04x", character);
	else
		fwrite(text, 1, bytes, to);
}

// Returns how many bytes come before the first character that JSON must escape, or that a terminal
// must not get.
static size_t
span(const char *text)
{
	const char *at = text;
	for (struct glyph glyph; *at && *at != '"' && *at != '\\'; at += glyph.bytes)
		if (!(glyph = glyph_next(at)).is_fit)
			break;
	return (size_t)(at - text);
}

void
json_text(FILE *to, const char *text)
{
	fputc('"', to);
	for (;;) {
		size_t length = span(text);
		fwrite(text, 1, length, to);
		text += length;
		if (*text == '\0')
			break;
		struct glyph glyph = glyph_next(text);
		print_escaped(to, text, glyph.bytes);
		text += glyph.bytes;
	}
	fputc('"', to);
}
