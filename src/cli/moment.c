#include <string.h>

#include "unit.h"
#include "moment.h"

static const struct {
	const char *word;
	enum moment_kind kind;
} words[] = {
	{"first", MOMENT_FIRST},
	{"last", MOMENT_LAST},
	{"peak", MOMENT_PEAK},
	{"start", MOMENT_NONE},
};

bool
moment_parse(struct moment *moment, const char *text)
{
	*moment = (struct moment){0};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i].word) == 0) {
			moment->kind = words[i].kind;
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
