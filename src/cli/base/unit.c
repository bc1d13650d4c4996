// SPDX-License-Identifier: BSD-2-Clause
// Sizes are computed with integers, so that the text for 2^64 - 1 is exact, too.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/unit.h"

enum {
	UNITS = 7, // number of units, from B to EiB
	UNIT_BITS = 10,
	DAY_SECONDS = 24 * 60 * 60,
};

static const char letters[] = "BKMGTPE";

bool unit_exact;

uint64_t
unit_magnitude(int64_t number)
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
	unsigned fraction; // the digits after the decimal point, as a whole number
	unsigned decimals;
};

// Converts bytes to the unit, rounded to this number of decimals. `rest` stays below 2^60, so rest
// * 10 does not overflow.
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

// Converts bytes to the unit, rounded to three digits.
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
	// If rounding has made the number 1024, it is 1 of the next unit.
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
	return print_bytes(text, sign_of(bytes), unit_magnitude(bytes));
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
	return print_count(text, sign_of(count), unit_magnitude(count));
}

char *
unit_percent(char text[UNIT_TEXT], double part, double whole)
{
	double percent = 100 * part / whole;

	if (!isfinite(percent)) {
		strcpy(text, "-");
		return text;
	}
	// Otherwise a negative percentage that rounds to 0 would be printed as "-0.0%".
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
	// Seconds are rounded down, also for times before 1970, which are negative.
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
	unsigned long long rest = unit_magnitude(ms);
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
