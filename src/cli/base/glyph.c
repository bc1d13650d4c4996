// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <string.h>

#include "base/glyph.h"

struct range {
	uint32_t first, last;
};

// Characters that take two columns: roughly, East Asian Width W and F in Unicode.
static const struct range wide[] = {
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
	{0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

// Characters that take no column: marks drawn onto the character before them, and joiners.
static const struct range narrow[] = {
	{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f},
	{0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

// Characters that are unfit for a terminal: control characters, line ends, and characters that set
// the direction of writing.
static const struct range unfit[] = {
	{0, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c}, {0x200e, 0x200f},
	{0x2028, 0x202e},
	{0x2060, 0x206f}, {0xd800, 0xdfff}, {0xfff0, 0xfffb}, {0xe0000, 0x10ffff},
};

#define IS_IN(ranges, character) \
	is_in((character), (ranges), sizeof(ranges) / sizeof((ranges)[0]))

static bool
is_in(uint32_t character, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	return false;
}

static bool
is_tail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

// After the first bytes 0xe0, 0xed, 0xf0 and 0xf4 fewer second bytes are allowed (RFC 3629, section
// 4).
size_t
utf8_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	if (at[0] == 0)
		return 0;
	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4 || !is_tail(at[1]))
		return 0;
	if (at[0] < 0xe0)
		return 2;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || !is_tail(at[2]))
		return 0;
	if (at[0] < 0xf0)
		return 3;
	if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f) || !is_tail(at[3]))
		return 0;
	return 4;
}

// Returns the code point of the character that has `length` bytes. utf8_length() must have returned
// that length.
static uint32_t
decode(const char *at, size_t length)
{
	uint32_t character = (unsigned char)*at;
	if (length > 1)
		character &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++)
		character = character << 6 | ((unsigned char)at[i] & 0x3f);
	return character;
}

uint32_t
glyph_character(const char *text)
{
	return decode(text, utf8_length(text));
}

struct glyph
glyph_next(const char *text)
{
	if (*text >= ' ' && *text <= '~')
		return (struct glyph){1, 1, true};
	size_t length = utf8_length(text);
	uint32_t character = decode(text, length);
	if (length == 0)
		return (struct glyph){1, 1, false};
	if (IS_IN(unfit, character))
		return (struct glyph){length, 1, false};
	return (struct glyph){length,
		IS_IN(wide, character) ? 2 : IS_IN(narrow, character) ? 0 : 1, true};
}

size_t
glyph_columns(const char *text)
{
	size_t sum = 0;
	while (*text) {
		struct glyph glyph = glyph_next(text);
		sum += glyph.columns;
		text += glyph.bytes;
	}
	return sum;
}

size_t
glyph_cut(const char *text, size_t columns)
{
	size_t bytes = 0;
	size_t used = 0;

	while (text[bytes]) {
		struct glyph glyph = glyph_next(text + bytes);
		used += glyph.columns;
		if (used > columns)
			break;
		bytes += glyph.bytes;
	}
	return bytes;
}

char *
glyph_clean(char *text)
{
	char *to = text;
	for (const char *at = text; *at;) {
		struct glyph glyph = glyph_next(at);
		if (glyph.is_fit)
			memmove(to, at, glyph.bytes);
		else
			*to = '?';
		to += glyph.is_fit ? glyph.bytes : 1;
		at += glyph.bytes;
	}
	*to = '\0';
	return text;
}
