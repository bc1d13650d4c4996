// row: what a source holds at a moment, and had at an earlier one; and the values that tables
// and exports are made of. Pure functions of their arguments, but for --bytes (unit.h). They
// allocate nothing.

#ifndef PMEM_CLI_ROW_H
#define PMEM_CLI_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "log/counts.h"
#include "log/model.h"
#include "base/unit.h"

struct row {
	uint64_t id;
	enum source_kind kind;
	struct frame **frames; // innermost first; none for {other} and {rest}
	unsigned depth;
	struct counts now;
	struct counts base; // at the earlier moment
	// False: the log does not tell what it had by then. What only grows is no less in base than
	// it was, so that churn is no more; {rest}, which is then not exact either, has it the
	// other way round.
	bool base_is_exact;
	unsigned processes; // how many logs' runs have it
};

// What --by and --value name.
enum value {
	VALUE_LIVE,
	VALUE_BLOCKS,
	VALUE_ALLOC,
	VALUE_ALLOCS,
	VALUE_FREE,
	VALUE_FREES,
	VALUE_CHURN,  // alloc + free bytes since the base
	VALUE_GROWTH, // live - base live; may be negative
	VALUES
};
extern const char *const value_names[]; // in that order, then NULL

// Whether it is bytes, not blocks or calls.
bool value_is_bytes(enum value value);

// With a sign if it is growth, or less than nothing, as a damaged log may have it: that must
// not look like more. Writes into text and returns it.
char *value_text(char text[UNIT_TEXT], enum value value, int64_t number);

// Of one moment: neither churn nor growth.
uint64_t counts_value(const struct counts *counts, enum value value);

int64_t row_value(const struct row *row, enum value value);

// The row of a source alone, for its stack: without counts.
struct row row_of_source(const struct source *source);

#endif
