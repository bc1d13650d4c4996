// wording: rates and moments of a history in words.

#ifndef PMEM_CLI_WORDING_H
#define PMEM_CLI_WORDING_H

#include "trend/findings.h"
#include "base/unit.h"

enum {
	WORD_TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// Each writes into text and returns it. Less than nothing is nothing.
char *word_bytes(char text[UNIT_TEXT], double bytes);

// Bytes in a unit of the history's time, as bytes an hour, or a snapshot: word_rate_unit().
char *word_rate(char text[UNIT_TEXT], const struct history_span *span, double slope);
const char *word_rate_unit(const struct history_span *span);
double word_rate_of(const struct history_span *span, double slope); // the number

// "4d 0h", "120 snapshots"
char *word_duration(char text[WORD_TEXT], const struct history_span *span, double duration);

// "2026-11-21 02:55:07Z", "[120]": of a time since the history's start.
char *word_moment(char text[WORD_TEXT], const struct history_span *span, double time);

#endif
