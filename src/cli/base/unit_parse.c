// SPDX-License-Identifier: BSD-2-Clause
// A text is accepted as a whole or refused. Nothing is guessed.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/unit.h"

enum {
	DAY_MS = 24 * 3600 * 1000,
	SPAN_WORD = 16, // room for the longest unit, "minutes", with a blank before and after it
};

static bool
is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// Parses the digits at *text and moves *text past them. Returns false if *text has no digits, or if
// the number is too large.
static bool
take_number(uint64_t *number, const char **text)
{
	const char *at = *text;

	*number = 0;
	if (!is_digit(*at))
		return false;
	for (; is_digit(*at); at++) {
		if (__builtin_mul_overflow(*number, 10, number)
			|| __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
			return false;
	}
	*text = at;
	return true;
}

bool
unit_parse_number(uint64_t *number, const char *text)
{
	return take_number(number, &text) && *text == '\0';
}

// Sets *shift to the unit's exponent of 2: 0 for "" and "B", 10 for "K", "KB" and "KiB", and so on.
// Returns false for an unknown unit.
static bool
parse_unit(unsigned *shift, const char *text)
{
	static const char prefixes[] = "kmgtpe";

	*shift = 0;
	if (*text == '\0' || strcasecmp(text, "b") == 0)
		return true;
	const char *letter = strchr(prefixes, *text | ('a' ^ 'A'));
	if (!letter)
		return false;
	*shift = 10 * (unsigned)(letter + 1 - prefixes);
	text++;
	return *text == '\0' || strcasecmp(text, "b") == 0 || strcasecmp(text, "ib") == 0;
}

bool
unit_parse_bytes(uint64_t *bytes, const char *text)
{
	uint64_t whole;
	uint64_t part = 0;
	unsigned shift;

	if (!take_number(&whole, &text))
		return false;
	const char *decimals = text;
	size_t count = 0;
	if (*text == '.') {
		decimals++;
		while (is_digit(decimals[count]))
			count++;
		if (count == 0)
			return false;
		text = decimals + count;
	}
	if (text[0] == ' ' && text[1])
		text++;
	if (!parse_unit(&shift, text) || (count > 0 && shift == 0))
		return false;
	// Computes the decimals' part of the size, from the last decimal to the first. Each step
	// divides by ten. All divisions together cut off less than a byte.
	while (count-- > 0)
		part = (((uint64_t)(decimals[count] - '0') << shift) + part) / 10;
	if (whole > UINT64_MAX >> shift)
		return false;
	return !__builtin_add_overflow(whole << shift, part, bytes);
}

// A duration of more than a thousand years is certainly a mistake.
static const double longest_ms = 1000 * 366 * 86400e3;

bool
unit_parse_duration(int64_t *ms, const char *text)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = {{"", 1e3}, {"s", 1e3}, {"ms", 1}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}};
	size_t length = strspn(text, "0123456789.");
	char *end;
	double number = strtod(text, &end);

	if (length == 0 || end != text + length || !is_digit(end[-1]))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0 || number * units[i].ms > longest_ms)
			continue;
		*ms = (int64_t)(number * units[i].ms + 0.5);
		return true;
	}
	return false;
}

bool
unit_parse_percent(double *percent, const char *text)
{
	size_t length = strspn(text, "0123456789.");
	char *end;

	if (length == 0 || (text[length] != '\0' && strcmp(text + length, "%") != 0))
		return false;
	*percent = strtod(text, &end);
	return end == text + length && *percent >= 0 && *percent <= 100;
}

// Parses exactly `count` digits.
static bool
take_digits(int *number, const char **text, unsigned count)
{
	*number = 0;
	for (; count > 0; count--, (*text)++) {
		if (!is_digit(**text))
			return false;
		*number = *number * 10 + (**text - '0');
	}
	return true;
}

static bool
take_character(const char **text, char character)
{
	if (**text != character)
		return false;
	(*text)++;
	return true;
}

static bool
take_date(struct tm *date, const char **text)
{
	return take_digits(&date->tm_year, text, 4) && take_character(text, '-')
		&& take_digits(&date->tm_mon, text, 2) && take_character(text, '-')
		&& take_digits(&date->tm_mday, text, 2);
}

// Parses seconds and their decimals. Only three decimals count.
static bool
take_seconds(struct tm *date, int *ms, const char **text)
{
	if (!take_digits(&date->tm_sec, text, 2))
		return false;
	if (!take_character(text, '.'))
		return true;
	if (!is_digit(**text))
		return false;
	for (int worth = 100; is_digit(**text); (*text)++, worth /= 10)
		*ms += (**text - '0') * worth;
	return true;
}

static bool
take_clock(struct tm *date, int *ms, const char **text, unsigned hour_digits)
{
	if (!take_digits(&date->tm_hour, text, hour_digits) || !take_character(text, ':')
		|| !take_digits(&date->tm_min, text, 2))
		return false;
	return !take_character(text, ':') || take_seconds(date, ms, text);
}

bool
unit_parse_time(int64_t *time_ms, const char *text)
{
	struct tm date = {0};
	int ms = 0;

	if (!take_date(&date, &text))
		return false;
	if (take_character(&text, 'T') || take_character(&text, ' ')) {
		if (!take_clock(&date, &ms, &text, 2))
			return false;
		take_character(&text, 'Z');
	}
	if (*text != '\0')
		return false;
	date.tm_year -= 1900;
	date.tm_mon -= 1;

	// timegm() accepts any date: it turns the 30th of February into the 2nd of March, for instance.
	// So its result is compared with the given date.
	struct tm made = date;
	time_t seconds = timegm(&made);
	if (made.tm_year != date.tm_year || made.tm_mon != date.tm_mon
		|| made.tm_mday != date.tm_mday || made.tm_hour != date.tm_hour
		|| made.tm_min != date.tm_min || made.tm_sec != date.tm_sec)
		return false;
	*time_ms = (int64_t)seconds * 1000 + ms;
	return true;
}

bool
unit_parse_clock(int64_t *ms, const char *text)
{
	struct tm clock = {0};
	int part = 0;

	if (!take_clock(&clock, &part, &text, is_digit(text[0]) && text[1] == ':' ? 1 : 2))
		return false;
	take_character(&text, 'Z');
	*ms = ((clock.tm_hour * 60 + clock.tm_min) * 60 + clock.tm_sec) * 1000 + part;
	return *text == '\0' && clock.tm_hour < 24 && clock.tm_min < 60 && clock.tm_sec < 60;
}

// Returns how many milliseconds the unit has. Returns 0 if the word is no unit.
static double
span_unit(const char *text, size_t length)
{
	static const struct {
		const char *words; // words for the unit, each with a blank before and after it
		double ms;
	} units[] = {
		{" ms ", 1}, {" s sec secs second seconds ", 1e3}, {" m min mins minute minutes ", 60e3},
		{" h hr hrs hour hours ", 3600e3}, {" d day days ", DAY_MS},
		{" w week weeks ", 7.0 * DAY_MS},
	};
	char word[SPAN_WORD];

	if (length == 0 || length > sizeof(word) - sizeof("  "))
		return 0;
	snprintf(word, sizeof(word), " %.*s ", (int)length, text);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strstr(units[i].words, word))
			return units[i].ms;
	return 0;
}

// Parses a number, "a" or "an", and then a unit. A blank may separate the unit from the number.
static bool
take_span(int64_t *ms, const char **text)
{
	const char *at = *text;
	size_t length = strspn(at, "0123456789.");
	char *end = (char *)at + strspn(at, "an");
	double number = 1;

	if (length > 0) {
		number = strtod(at, &end);
		if (end != at + length || !is_digit(at[0]) || !is_digit(end[-1]))
			return false;
	} else if (strncmp(at, "a ", 2) != 0 && strncmp(at, "an ", 3) != 0) {
		return false;
	}
	end += *end == ' ';
	size_t word = strcspn(end, " ");
	double unit = span_unit(end, word);
	if (unit == 0 || number * unit > longest_ms)
		return false;
	*ms = (int64_t)(number * unit + 0.5);
	*text = end + word;
	return true;
}

bool
unit_parse_span(int64_t *ms, const char *text)
{
	return take_span(ms, &text) && *text == '\0';
}

static bool
take_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

bool
unit_parse_ago(int64_t *time_ms, const char *text, int64_t now_ms)
{
	int64_t midnight = now_ms - now_ms % DAY_MS;
	int64_t ms = 0;

	if (take_span(&ms, &text)) {
		*time_ms = now_ms - ms;
		return strcmp(text, " ago") == 0;
	}
	if (take_word(&text, "yesterday"))
		midnight -= DAY_MS;
	else if (!take_word(&text, "today"))
		return false;
	if (*text != '\0' && !(take_character(&text, ' ') && unit_parse_clock(&ms, text)))
		return false;
	*time_ms = midnight + ms;
	return true;
}
