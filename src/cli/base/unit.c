// Sizes are computed in integers: what is printed of 2^64 - 1 is as right as what is printed
// of 1.
// What is read is wholly what it says, or refused: nothing is guessed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/unit.h"

enum {
	UNITS = 7, // B to EiB
	UNIT_BITS = 10,
	DAY_SECONDS = 24 * 60 * 60,
};

static const char letters[UNITS] = "BKMGTPE";

bool unit_exact;

static uint64_t
magnitude_of(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

static const char *
sign_of(int64_t number)
{
	return number < 0 ? "-" : number > 0 ? "+" : "";
}

struct scaled {
	uint64_t whole;
	unsigned fraction; // decimals of them
	unsigned decimals;
};

// Rounded to so many decimals. The rest stays below 2^60, so that ten of it still fit.
static struct scaled
scale(uint64_t bytes, unsigned unit, unsigned decimals)
{
	unsigned shift = unit * UNIT_BITS;
	uint64_t mask = ((uint64_t)1 << shift) - 1;
	uint64_t rest = bytes & mask;
	struct scaled scaled = {.whole = bytes >> shift, .decimals = decimals};
	unsigned full = 1;

	for (unsigned i = 0; i < decimals; i++) {
		scaled.fraction = scaled.fraction * 10 + (unsigned)(rest * 10 >> shift);
		rest = rest * 10 & mask;
		full *= 10;
	}
	if (shift == 0 || rest < (uint64_t)1 << (shift - 1))
		return scaled;
	if (++scaled.fraction == full) {
		scaled.fraction = 0;
		scaled.whole++;
	}
	return scaled;
}

// With as many decimals as make three digits, after rounding.
static struct scaled
scale_to_three(uint64_t bytes, unsigned unit)
{
	struct scaled scaled = scale(bytes, unit, 2);
	if (scaled.whole >= 10)
		scaled = scale(bytes, unit, 1);
	if (scaled.whole >= 100)
		scaled = scale(bytes, unit, 0);
	return scaled;
}

static char *
print_bytes(char text[UNIT_TEXT], const char *sign, uint64_t bytes)
{
	unsigned unit = 0;

	if (unit_exact) {
		snprintf(text, UNIT_TEXT, "%s%llu", sign, (unsigned long long)bytes);
		return text;
	}
	while (unit + 1 < UNITS && bytes >> ((unit + 1) * UNIT_BITS) != 0)
		unit++;
	if (unit == 0) {
		snprintf(text, UNIT_TEXT, "%s%u B", sign, (unsigned)bytes);
		return text;
	}
	struct scaled scaled = scale_to_three(bytes, unit);
	// Rounded up to a whole of the next unit.
	if (scaled.whole == 1024 && unit + 1 < UNITS) {
		scaled = (struct scaled){.whole = 1, .decimals = 2};
		unit++;
	}
	if (scaled.decimals == 0)
		snprintf(text, UNIT_TEXT, "%s%u %ciB", sign, (unsigned)scaled.whole, letters[unit]);
	else
		snprintf(text, UNIT_TEXT, "%s%u.%0*u %ciB", sign, (unsigned)scaled.whole,
			(int)scaled.decimals, scaled.fraction, letters[unit]);
	return text;
}

char *
unit_bytes(char text[UNIT_TEXT], uint64_t bytes)
{
	return print_bytes(text, "", bytes);
}

char *
unit_signed_bytes(char text[UNIT_TEXT], int64_t bytes)
{
	return print_bytes(text, sign_of(bytes), magnitude_of(bytes));
}

static char *
print_count(char text[UNIT_TEXT], const char *sign, uint64_t count)
{
	char digits[UNIT_TEXT];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	char *to = stpcpy(text, sign);

	for (size_t i = 0; i < length; i++) {
		if (!unit_exact && i > 0 && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

char *
unit_count(char text[UNIT_TEXT], uint64_t count)
{
	return print_count(text, "", count);
}

char *
unit_signed_count(char text[UNIT_TEXT], int64_t count)
{
	return print_count(text, sign_of(count), magnitude_of(count));
}

char *
unit_percent(char text[UNIT_TEXT], double part, double whole)
{
	double percent = 100 * part / whole;

	if (!isfinite(percent)) {
		strcpy(text, "-");
		return text;
	}
	// "-0.0%" would be a riddle.
	if (fabs(percent) < 0.05)
		percent = 0;
	snprintf(text, UNIT_TEXT, fabs(percent) < 1e15 ? "%.1f%%" : "%.3g%%", percent);
	return text;
}

char *
unit_tenths(char text[UNIT_TEXT], unsigned tenths)
{
	snprintf(text, UNIT_TEXT, "%u.%u%%", tenths / 10, tenths % 10);
	return text;
}

char *
unit_time(char text[UNIT_TEXT], int64_t time_ms)
{
	// Towards the past, before 1970 too.
	time_t seconds = (time_t)(time_ms / 1000 - (time_ms % 1000 < 0));
	struct tm date;

	if (time_ms == 0 || !gmtime_r(&seconds, &date)
		|| strftime(text, UNIT_TEXT, "%Y-%m-%d %H:%M:%SZ", &date) == 0)
		strcpy(text, "-");
	return text;
}

char *
unit_iso_time(char text[UNIT_TEXT], int64_t time_ms)
{
	time_t seconds = (time_t)(time_ms / 1000);
	struct tm date;

	size_t length = strftime(text, UNIT_TEXT, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &date));
	snprintf(text + length, UNIT_TEXT - length, ".%03uZ", (unsigned)(time_ms % 1000));
	return text;
}

char *
unit_duration(char text[UNIT_TEXT], int64_t ms)
{
	const char *sign = ms < 0 ? "-" : "";
	unsigned long long rest = magnitude_of(ms);
	unsigned long long seconds = rest / 1000;
	unsigned long long hours = seconds / 3600;
	unsigned long long days = seconds / DAY_SECONDS;

	if (rest < 1000)
		snprintf(text, UNIT_TEXT, rest ? "%s%llums" : "%s%llus", sign, rest);
	else if (seconds < 60)
		snprintf(text, UNIT_TEXT, "%s%llu.%llus", sign, seconds, rest % 1000 / 100);
	else if (hours == 0)
		snprintf(text, UNIT_TEXT, "%s%llum %llus", sign, seconds / 60, seconds % 60);
	else if (days == 0)
		snprintf(text, UNIT_TEXT, "%s%lluh %llum", sign, hours, seconds / 60 % 60);
	else
		snprintf(text, UNIT_TEXT, "%s%llud %lluh", sign, days, hours % 24);
	return text;
}

static bool
is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// Digits at *text, which is moved behind them. False: there are none, or they are too many.
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

// The unit's power of two: "", "B", "K", "KB", "KiB" ... False: it is none.
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
	// From the last digit on, each a tenth of what stands before it. What is cut off on the
	// way does not reach a whole byte.
	while (count-- > 0)
		part = (((uint64_t)(decimals[count] - '0') << shift) + part) / 10;
	if (whole > UINT64_MAX >> shift)
		return false;
	return !__builtin_add_overflow(whole << shift, part, bytes);
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

// Two or more digits, exactly so many.
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

// Seconds and their decimals, of which three count.
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
take_clock(struct tm *date, int *ms, const char **text)
{
	if (!take_digits(&date->tm_hour, text, 2) || !take_character(text, ':')
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
		if (!take_clock(&date, &ms, &text))
			return false;
		take_character(&text, 'Z');
	}
	if (*text != '\0')
		return false;
	date.tm_year -= 1900;
	date.tm_mon -= 1;

	// timegm() makes a date of anything: the 30th of February is the 2nd of March.
	struct tm made = date;
	time_t seconds = timegm(&made);
	if (made.tm_year != date.tm_year || made.tm_mon != date.tm_mon
		|| made.tm_mday != date.tm_mday || made.tm_hour != date.tm_hour
		|| made.tm_min != date.tm_min || made.tm_sec != date.tm_sec)
		return false;
	*time_ms = (int64_t)seconds * 1000 + ms;
	return true;
}
