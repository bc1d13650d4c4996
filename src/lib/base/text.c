// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/check.h"
#include "base/text.h"

static const char digits[] = "0123456789abcdef";

void
text_bytes(struct text *text, const char *bytes, size_t length)
{
	CHECK(text->length <= text->size);
	if (length > text->size - text->length && !text_flush(text))
		return;
	if (length > text->size - text->length) {
		text->failed = true;
		return;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
}

void
text_string(struct text *text, const char *string)
{
	text_bytes(text, string, strlen(string));
}

// Inlined for each base, so that the division is by a constant.
static inline __attribute__((always_inline)) void
number_in_base(struct text *text, uint64_t number, unsigned base, unsigned width, char pad)
{
	char buffer[64];
	size_t at = sizeof(buffer);

	do {
		buffer[--at] = digits[number % base];
		number /= base;
	} while (number);
	while (sizeof(buffer) - at < width && at > 0)
		buffer[--at] = pad;
	text_bytes(text, buffer + at, sizeof(buffer) - at);
}

void
text_number(struct text *text, uint64_t number)
{
	number_in_base(text, number, 10, 0, ' ');
}

void
text_named(struct text *text, const char *name, uint64_t number)
{
	text_string(text, name);
	text_number(text, number);
}

void
text_pair(struct text *text, const char *name, uint64_t one, uint64_t other)
{
	text_named(text, name, one);
	text_named(text, "/", other);
}

void
text_padded(struct text *text, uint64_t number, unsigned width)
{
	number_in_base(text, number, 10, width, ' ');
}

void
text_hex(struct text *text, uint64_t number, unsigned width)
{
	number_in_base(text, number, 16, width, '0');
}

enum kind {
	KIND_TEXT,
	KIND_WORD,
	KIND_FUNCTION,
};

// Returns true if a character needs no escape. A NUL needs no escape, since it only separates two
// words.
static bool
is_plain(const char *at, enum kind kind)
{
	if (kind == KIND_FUNCTION && at[0] == ':' && at[1] >= '0' && at[1] <= '9')
		return false;
	char lowest = kind == KIND_WORD ? 0x21 : 0x20;
	return (*at >= lowest && *at <= 0x7e && *at != '\\') || *at == '\0';
}

// Returns the number of characters, escapes included. If that is above `limit`, returns any number
// above `limit`.
static size_t
escaped_length(const char *bytes, size_t count, size_t limit, enum kind kind)
{
	size_t length = 0;
	for (size_t i = 0; i < count && length <= limit; i++)
		length += is_plain(bytes + i, kind) ? 1 : 4;
	return length;
}

// Returns how many bytes at the beginning need no escape. Stops at a NUL.
static size_t
plain_from(const char *bytes, size_t count, enum kind kind)
{
	size_t plain = 0;
	while (plain < count && bytes[plain] != '\0' && is_plain(bytes + plain, kind))
		plain++;
	return plain;
}

static void
escaped_from(struct text *text, const char *bytes, size_t count, size_t limit, enum kind kind)
{
	static const char mark[] = "...";
	bool cut = escaped_length(bytes, count, limit, kind) > limit;
	size_t left = cut ? limit - (sizeof(mark) - 1) : limit;

	for (size_t i = 0; i < count; i++) {
		size_t plain_bytes = plain_from(bytes + i, count - i < left ? count - i : left, kind);
		text_bytes(text, bytes + i, plain_bytes);
		left -= plain_bytes;
		i += plain_bytes;
		if (i == count)
			break;
		unsigned char byte = (unsigned char)bytes[i];
		char escape[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
		bool plain = is_plain(bytes + i, kind);
		size_t needs = plain ? 1 : sizeof(escape);

		if (needs > left)
			break;
		text_bytes(text, !plain ? escape : byte ? &bytes[i] : " ", needs);
		left -= needs;
	}
	if (cut)
		text_string(text, mark);
}

size_t
text_escaped_room(const char *string, size_t limit)
{
	size_t length = escaped_length(string, strlen(string), limit, KIND_TEXT);
	return length > limit ? limit : length;
}

void
text_escaped(struct text *text, const char *string, size_t limit)
{
	escaped_from(text, string, strlen(string), limit, KIND_TEXT);
}

void
text_word(struct text *text, const char *string, size_t limit)
{
	escaped_from(text, string, strlen(string), limit, KIND_WORD);
}

void
text_function(struct text *text, const char *string, size_t limit)
{
	escaped_from(text, string, strlen(string), limit, KIND_FUNCTION);
}

void
text_words(struct text *text, const char *words, size_t bytes, size_t limit)
{
	escaped_from(text, words, bytes, limit, KIND_WORD);
}

static void
digits_of(struct text *text, uint64_t number, unsigned width)
{
	number_in_base(text, number, 10, width, '0');
}

void
text_time(struct text *text, int64_t nanoseconds)
{
	int64_t seconds = nanoseconds / 1000000000;
	int64_t day = seconds / 86400;
	unsigned second = (unsigned)(seconds % 86400);

	// Converts days to a date. Days count from 0000-03-01, so that the leap day ends a year. libc's
	// gmtime_r() is not called: it takes a lock and may allocate.
	day += 719468;
	int64_t era = day / 146097;
	unsigned of_era = (unsigned)(day % 146097);
	unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned month_from_march = (5 * of_year + 2) / 153;
	unsigned of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
	unsigned month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;

	digits_of(text, (uint64_t)(era * 400 + year_of_era + (month <= 2)), 4);
	text_bytes(text, "-", 1);
	digits_of(text, month, 2);
	text_bytes(text, "-", 1);
	digits_of(text, of_month, 2);
	text_bytes(text, "T", 1);
	digits_of(text, second / 3600, 2);
	text_bytes(text, ":", 1);
	digits_of(text, second / 60 % 60, 2);
	text_bytes(text, ":", 1);
	digits_of(text, second % 60, 2);
	text_bytes(text, ".", 1);
	digits_of(text, (uint64_t)(nanoseconds / 1000000 % 1000), 3);
	text_bytes(text, "Z", 1);
}

bool
text_flush(struct text *text)
{
	if (!text->failed && text->length > 0) {
		if (!text->flush) {
			text->failed = true;
			return false;
		}
		if (!text->flush(text->bytes, text->length))
			text->failed = true;
		text->length = 0;
	}
	return !text->failed;
}
