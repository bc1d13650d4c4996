// measure: the columns of numbers that `top` shows: what a source holds, and what it has
// done since the snapshot before.

#ifndef PMEM_CLI_MEASURE_H
#define PMEM_CLI_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"

enum {
	MEASURE_TEXT = UNIT_TEXT + 8, // room for a number
};

enum measure {
	MEASURE_LIVE,
	MEASURE_BLOCKS,
	MEASURE_GROWTH, // of live, since the snapshot before; as the next three
	MEASURE_ALLOC,
	MEASURE_CHURN,
	MEASURE_ALLOCS,
	MEASURES
};
extern const char *const measure_names[]; // in that order, then NULL

extern const struct measured {
	const char *heading;
	bool is_bytes, is_rate, is_signed;
} measures[MEASURES];

// The number as it is shown: what was done since the snapshot before a second, or, where the
// time between the two is not known (0), in all. Writes into text and returns it.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

#endif
