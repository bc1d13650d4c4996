#include <math.h>
#include <stdio.h>

#include "top/measure.h"

const char *const measure_names[] = {
	[MEASURE_LIVE] = "live",
	[MEASURE_BLOCKS] = "blocks",
	[MEASURE_GROWTH] = "growth",
	[MEASURE_ALLOC] = "alloc",
	[MEASURE_CHURN] = "churn",
	[MEASURE_ALLOCS] = "allocs",
	[MEASURES] = NULL,
};

const struct measured measures[MEASURES] = {
	[MEASURE_LIVE] = {"live", true, false, false},
	[MEASURE_BLOCKS] = {"blocks", false, false, false},
	[MEASURE_GROWTH] = {"growth", true, true, true},
	[MEASURE_ALLOC] = {"alloc", true, true, false},
	[MEASURE_CHURN] = {"churn", true, true, false},
	[MEASURE_ALLOCS] = {"allocs", false, true, false},
};

// A number a second, such that little is not nothing: below 10 with a decimal.
static char *
rate_text(char text[MEASURE_TEXT], enum measure measure, double rate)
{
	const char *sign = rate < 0 ? "-" : rate > 0 && measures[measure].is_signed ? "+" : "";
	const char *unit = measures[measure].is_bytes && !unit_exact ? " B" : "";
	double size = fabs(rate);
	char number[UNIT_TEXT];

	if (size > 0 && size < 0.05)
		snprintf(text, MEASURE_TEXT, "%s%s0.1%s", rate < 0 ? ">" : "<", sign, unit);
	else if (size > 0 && size < 9.95 && size != floor(size))
		snprintf(text, MEASURE_TEXT, "%s%.1f%s", sign, size, unit);
	else if (measures[measure].is_bytes)
		snprintf(text, MEASURE_TEXT, "%s%s", sign, unit_bytes(number, (uint64_t)(size + 0.5)));
	else
		snprintf(text, MEASURE_TEXT, "%s%s", sign, unit_count(number, (uint64_t)(size + 0.5)));
	return text;
}

char *
measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value, int64_t interval_ms)
{
	double seconds = interval_ms ? (double)interval_ms / 1000 : 1;
	if (measures[measure].is_rate)
		return rate_text(text, measure, (double)value / seconds);
	if (measures[measure].is_bytes)
		return unit_bytes(text, (uint64_t)value);
	return unit_count(text, (uint64_t)value);
}
