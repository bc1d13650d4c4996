#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "utf8.h"
#include "clip.h"

struct range {
	uint32_t first, last;
};

// Two columns in a terminal: Unicode's East Asian Width W and F, in broad strokes.
static const struct range wide[] = {
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
	{0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

// None: marks that join the character before them, and joiners.
static const struct range narrow[] = {
	{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f},
	{0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

// Not for a terminal: control characters; line ends and directions of writing.
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

// The character of so many bytes, as utf8_length() has found it.
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

struct character {
	size_t bytes;
	unsigned columns;
	bool is_fit;
};

// Of what is there; it is not the text's end.
static struct character
measure(const char *at)
{
	size_t length = utf8_length(at);
	uint32_t character = decode(at, length);
	if (length == 0)
		return (struct character){1, 1, false};
	if (IS_IN(unfit, character))
		return (struct character){length, 1, false};
	return (struct character){length,
		IS_IN(wide, character) ? 2 : IS_IN(narrow, character) ? 0 : 1, true};
}

static void
append(struct clip *clip, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		clip->bytes = memory_grow(clip->bytes, clip->count, &clip->room, 1);
		clip->bytes[clip->count++] = bytes[i];
	}
}

void
clip_begin(struct clip *clip, unsigned width)
{
	clip->count = 0;
	clip->column = 0;
	clip->full = false;
	clip->is_styled = false;
	clip->width = width;
}

static void
put(struct clip *clip, const char *bytes, size_t length, unsigned columns)
{
	if (clip->full)
		return;
	if (clip->width && clip->column + columns > clip->width) {
		clip->full = true;
		return;
	}
	clip->column += columns;
	append(clip, bytes, length);
}

void
clip_text(struct clip *clip, const char *text)
{
	while (*text && !clip->full) {
		struct character character = measure(text);
		if (character.is_fit)
			put(clip, text, character.bytes, character.columns);
		else
			put(clip, "?", 1, 1);
		text += character.bytes;
	}
}

void
clip_format(struct clip *clip, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	clip_text(clip, text);
}

unsigned
clip_columns(const char *text)
{
	unsigned sum = 0;
	while (*text) {
		struct character character = measure(text);
		sum += character.columns;
		text += character.bytes;
	}
	return sum;
}

void
clip_pad(struct clip *clip, unsigned column)
{
	while (clip->column < column && !clip->full)
		put(clip, " ", 1, 1);
}

void
clip_right(struct clip *clip, const char *text, unsigned columns)
{
	unsigned takes = clip_columns(text);
	clip_pad(clip, clip->column + (takes < columns ? columns - takes : 0));
	clip_text(clip, text);
}

void
clip_style(struct clip *clip, enum style style)
{
	const char *sequence = term_style(style);
	append(clip, sequence, strlen(sequence));
	clip->is_styled = style != STYLE_PLAIN;
}

void
clip_end_line(struct clip *clip)
{
	if (clip->is_styled)
		clip_style(clip, STYLE_PLAIN);
	append(clip, "\n", 1);
	clip->column = 0;
	clip->full = false;
}
