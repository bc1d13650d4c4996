// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/codeline.h"

static int
digit_of(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

// A number in base 16, with or without 0x, and the blanks behind it. NULL: there is none.
static const char *
read_number(const char *at, const char *end, uint64_t *number)
{
	const char *first;
	int digit;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	first = at;
	for (*number = 0; at < end && (digit = digit_of(*at)) >= 0; at++)
		*number = *number << 4 | (uint64_t)digit;
	if (at == first || at - first > 16 || at == end || *at != ' ')
		return NULL;
	while (at < end && *at == ' ')
		at++;
	return at;
}

bool
codeline_set_range(struct codeline *line, uint64_t start, uint64_t bytes)
{
	line->start = start;
	line->end = start + bytes;
	return bytes > 0 && bytes <= INT32_MAX && start + bytes >= start
		&& start + bytes < UINT64_C(1) << 48;
}

// A line, up to its line feed. False: it is damaged, or tells of nothing.
static bool
read_line(const char *at, const char *end, struct codeline *line)
{
	uint64_t start;
	uint64_t bytes;

	at = read_number(at, end, &start);
	at = at ? read_number(at, end, &bytes) : NULL;
	if (!at || at == end || !codeline_set_range(line, start, bytes))
		return false;
	line->name = at;
	line->length = (size_t)(end - at);
	if (line->length > CODELINE_NAME_MAX)
		line->length = CODELINE_NAME_MAX;
	return !memchr(at, '\0', line->length);
}

bool
codeline_read(const char *bytes, size_t length, uint64_t at, struct codeline *line)
{
	const char *end = memchr(bytes, '\n', length);

	line->at = line->when = at;
	return read_line(bytes, end ? end : bytes + length, line);
}

size_t
codeline_take(const char *bytes, size_t length, uint64_t at, codeline_taker *take)
{
	struct codeline line;
	size_t done = 0;
	const char *end;

	while ((end = memchr(bytes + done, '\n', length - done))) {
		line.at = line.when = at + done;
		if (read_line(bytes + done, end, &line))
			take(&line);
		done = (size_t)(end + 1 - bytes);
	}
	return done;
}
