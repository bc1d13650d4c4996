// SPDX-License-Identifier: BSD-2-Clause
// lexer: takes words and numbers from a line, one after the other. If skip() or number() finds
// nothing, *at stays where it is. If pair() or named() fails, *at may have moved.

#ifndef PMEM_CLI_LEXER_H
#define PMEM_CLI_LEXER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

// If `text` comes next in the line, moves *at to the first byte after `text` and returns true.
static inline bool
skip(const char **at, const char *text)
{
	size_t length = strlen(text);
	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

static inline bool
number(const char **at, uint64_t *value)
{
	const char *digit = *at;
	uint64_t sum = 0;

	for (; *digit >= '0' && *digit <= '9'; digit++) {
		if (__builtin_mul_overflow(sum, 10, &sum)
			|| __builtin_add_overflow(sum, (uint64_t)(*digit - '0'), &sum))
			return false;
	}
	if (digit == *at)
		return false;
	*at = digit;
	*value = sum;
	return true;
}

static inline bool
pair(const char **at, const char *name, uint64_t *one, uint64_t *other)
{
	return skip(at, name) && number(at, one) && skip(at, "/") && number(at, other);
}

static inline bool
named(const char **at, const char *name, uint64_t *value)
{
	return skip(at, name) && number(at, value);
}

// Replaces the blank after the word by a '\0'. Returns the text after that blank.
static inline char *
end_word(char *word)
{
	char *end = word + strcspn(word, " ");
	if (*end)
		*end++ = '\0';
	return end;
}

#endif
