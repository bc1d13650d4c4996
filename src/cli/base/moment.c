// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/unit.h"
#include "base/moment.h"

enum { DAY_MS = 24 * 3600 * 1000 };

const char *const moment_words[] = {"first", "last", "peak", "start", "reset", NULL};

static const enum moment_kind moment_kinds[] = {
	MOMENT_FIRST, MOMENT_LAST, MOMENT_PEAK, MOMENT_NONE, MOMENT_RESET,
};

// Parses a label. A text that begins with a digit or '-' is refused: it is probably a mistyped
// number or time.
static bool
parse_label(struct moment *moment, const char *text)
{
	static const char mark[] = "label=";

	if (strncmp(text, mark, strlen(mark)) == 0)
		text += strlen(mark);
	else if ((*text >= '0' && *text <= '9') || *text == '-')
		return false;
	*moment = (struct moment){.kind = MOMENT_LABEL, .label = text};
	return *text != '\0';
}

bool
moment_parse(struct moment *moment, const char *text, int64_t now_ms)
{
	uint64_t number = 0;

	*moment = (struct moment){0};
	for (size_t i = 0; moment_words[i]; i++) {
		if (strcmp(text, moment_words[i]) == 0) {
			moment->kind = moment_kinds[i];
			return true;
		}
	}
	if (unit_parse_number(&number, text))
		*moment = (struct moment){.kind = MOMENT_NUMBER, .number = number};
	else if (unit_parse_clock(&moment->time_ms, text))
		moment->kind = MOMENT_CLOCK;
	else if (text[0] == '-' && unit_parse_span(&moment->time_ms, text + 1))
		moment->kind = MOMENT_BEFORE_END;
	else if (unit_parse_time(&moment->time_ms, text)
			|| unit_parse_ago(&moment->time_ms, text, now_ms))
		moment->kind = MOMENT_TIME;
	else
		return parse_label(moment, text);
	return true;
}

bool
moment_is_relative(const struct moment *moment)
{
	return moment->kind == MOMENT_CLOCK || moment->kind == MOMENT_BEFORE_END;
}

void
moment_resolve(struct moment *moment, int64_t end_ms)
{
	int64_t time_ms = end_ms - moment->time_ms;

	if (moment->kind == MOMENT_CLOCK) {
		time_ms = end_ms - end_ms % DAY_MS + moment->time_ms;
		if (time_ms > end_ms)
			time_ms -= DAY_MS;
	}
	*moment = (struct moment){.kind = MOMENT_TIME, .time_ms = time_ms};
}
