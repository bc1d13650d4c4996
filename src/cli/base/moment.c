#include <string.h>

#include "base/unit.h"
#include "base/moment.h"

const char *const moment_words[] = {"first", "last", "peak", "start", NULL};

static const enum moment_kind kinds[] = {
	MOMENT_FIRST, MOMENT_LAST, MOMENT_PEAK, MOMENT_NONE,
};

bool
moment_parse(struct moment *moment, const char *text)
{
	*moment = (struct moment){0};
	for (size_t i = 0; moment_words[i]; i++) {
		if (strcmp(text, moment_words[i]) == 0) {
			moment->kind = kinds[i];
			return true;
		}
	}
	if (unit_parse_number(&moment->number, text)) {
		moment->kind = MOMENT_NUMBER;
		return true;
	}
	moment->kind = MOMENT_TIME;
	return unit_parse_time(&moment->time_ms, text);
}
