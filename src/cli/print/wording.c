#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "print/wording.h"

static const double ms_an_hour = 3600e3;

char *
word_bytes(char text[UNIT_TEXT], double bytes)
{
	return unit_bytes(text, bytes < 0.5 ? 0 : (uint64_t)llround(bytes));
}

double
word_rate_of(const struct history_span *span, double slope)
{
	return span->has_times ? slope * ms_an_hour : slope;
}

char *
word_rate(char text[UNIT_TEXT], const struct history_span *span, double slope)
{
	return word_bytes(text, word_rate_of(span, slope));
}

const char *
word_rate_unit(const struct history_span *span)
{
	return span->has_times ? "an hour" : "a snapshot";
}

char *
word_duration(char text[WORD_TEXT], const struct history_span *span, double duration)
{
	if (span->has_times)
		unit_duration(text, (int64_t)duration);
	else
		snprintf(text, WORD_TEXT, "%.0f snapshots", duration);
	return text;
}

char *
word_moment(char text[WORD_TEXT], const struct history_span *span, double time)
{
	int64_t moment = span->start + (int64_t)time;
	if (span->has_times)
		unit_time(text, moment);
	else
		snprintf(text, WORD_TEXT, "[%" PRId64 "]", moment);
	return text;
}
