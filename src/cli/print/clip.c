// SPDX-License-Identifier: BSD-2-Clause

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/glyph.h"
#include "print/clip.h"
#include "print/wrap.h"

void
clip_begin(struct clip *clip, unsigned width)
{
	clip->lines.count = 0;
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
	bytes_add(&clip->lines, bytes, length);
}

void
clip_text(struct clip *clip, const char *text)
{
	while (*text && !clip->full) {
		struct glyph glyph = glyph_next(text);
		if (glyph.is_fit)
			put(clip, text, glyph.bytes, glyph.columns);
		else
			put(clip, "?", 1, 1);
		text += glyph.bytes;
	}
}

static void
add_list(struct clip *clip, const char *format, va_list arguments)
{
	char *text = memory_format_list(format, arguments);

	clip_text(clip, text);
	free(text);
}

void
clip_format(struct clip *clip, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_list(clip, format, arguments);
	va_end(arguments);
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
	unsigned takes = (unsigned)glyph_columns(text);
	clip_pad(clip, clip->column + (takes < columns ? columns - takes : 0));
	clip_text(clip, text);
}

void
clip_style(struct clip *clip, enum style style)
{
	const char *sequence = term_style(style);
	bytes_add(&clip->lines, sequence, strlen(sequence));
	clip->is_styled = style != STYLE_PLAIN;
}

void
clip_end_line(struct clip *clip)
{
	if (clip->is_styled)
		clip_style(clip, STYLE_PLAIN);
	bytes_add(&clip->lines, "\n", 1);
	clip->column = 0;
	clip->full = false;
}

void
clip_line(struct clip *clip, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_list(clip, format, arguments);
	va_end(arguments);
	clip_end_line(clip);
}

unsigned
clip_print(FILE *to, struct clip *clip)
{
	const char *end = clip->lines.at + clip->lines.count;
	size_t lines = 0, columns = term_width();

	for (const char *line = clip->lines.at; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		ASSERT(newline);
		lines += wrap_count(line, (size_t)(newline - line), columns);
		line = newline + 1;
	}
	if (clip->lines.count > 0)
		fwrite(clip->lines.at, 1, clip->lines.count, to);
	clip_begin(clip, clip->width);
	return (unsigned)lines;
}

void
clip_free(struct clip *clip)
{
	free(clip->lines.at);
	*clip = (struct clip){0};
}

char *
clip_take(struct clip *clip)
{
	char *text = memory_text(clip->lines.at ? clip->lines.at : "", clip->lines.count);

	clip_free(clip);
	return text;
}
