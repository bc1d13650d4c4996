#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "rows/where.h"
#include "export/export.h"

static struct {
	char *text;
	size_t room; // bytes of it
} plain;

static bool
is_control(unsigned char byte)
{
	return byte < 0x20 || byte == 0x7f;
}

static size_t
plain_span(const char *text)
{
	const char *at = text;
	for (size_t length; !is_control(*at) && (length = utf8_length(at)) > 0;)
		at += length;
	return at - text;
}

const char *
utf8_plain(const char *text)
{
	size_t span = plain_span(text);
	if (text[span] == '\0')
		return text;

	// No byte takes more than four.
	plain.text = memory_room(plain.text, strlen(text) * 4 + 1, &plain.room, 1);
	char *to = plain.text;
	for (;;) {
		memcpy(to, text, span);
		to += span;
		text += span;
		if (*text == '\0')
			break;
		to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		span = plain_span(text);
	}
	*to = '\0';
	return plain.text;
}

static void
print_escaped(FILE *to, unsigned char byte)
{
	if (byte == '"' || byte == '\\')
		fprintf(to, "\\%c", byte);
	else if (byte < 0x20)
		fprintf(to, "\\u%04x", byte);
	else
		fprintf(to, "\\\\x%02x", byte);
}

// Bytes up to one that cannot stand in a string as it is.
static size_t
span(const char *text)
{
	const char *at = text;
	for (size_t length; (unsigned char)*at >= 0x20 && *at != '"' && *at != '\\'; at += length)
		if ((length = utf8_length(at)) == 0)
			break;
	return at - text;
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
		print_escaped(to, *text++);
	}
	fputc('"', to);
}

const struct row *
export_next(const struct export *what, size_t *at, uint64_t *weight)
{
	while (*at < what->profile->row_count) {
		const struct row *row = &what->profile->rows[(*at)++];
		int64_t amount = row_value(row, what->value);
		*weight = (uint64_t)amount;
		if (amount > 0)
			return row;
	}
	return NULL;
}

const struct step *
export_steps(const struct row *row, size_t *count)
{
	static struct steps steps;

	steps_take(&steps, row);
	*count = steps.count;
	return steps.steps;
}

static const char *
with_file(const struct step *step)
{
	static char *text;
	const char *file = step->call ? step->call->file : "";

	if (file[0] == '\0')
		return step->name;
	free(text);
	text = step->call->line > 0
		? memory_format("%s (%s:%u)", step->name, file, step->call->line)
		: memory_format("%s (%s)", step->name, file);
	return text;
}

const char *
export_name(const struct step *step)
{
	return step_is_line(step) ? with_file(step) : step->name;
}

const char *
export_where(const struct step *steps, size_t count)
{
	return with_file(where_step(steps, count));
}
