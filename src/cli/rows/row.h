// SPDX-License-Identifier: BSD-2-Clause
// row: what a source holds at a moment, what it had at an earlier one, and whether that is
// certain; and the values that tables and exports are made of. Pure functions of their
// arguments, but for --bytes (base/unit.h). They allocate nothing.

#ifndef PMEM_CLI_ROW_H
#define PMEM_CLI_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"
#include "log/run.h"

// What --by and --value name.
enum value {
	VALUE_LIVE,
	VALUE_BLOCKS,
	VALUE_ALLOC,
	VALUE_ALLOCS,
	VALUE_FREE,
	VALUE_FREES,
	VALUE_CHURN,  // alloc + free bytes since the earlier moment
	VALUE_GROWTH, // of live since then; may be negative
	VALUES,
	VALUE_OLDER = VALUES, // row_older(); for exports alone
};
extern const char *const value_names[]; // in that order, then NULL

enum {
	CERTAIN = 0,
	UNCERTAIN = (1 << VALUES) - 1,
};

// By sampling: variances of live, now and before, and of its growth. 0: it was counted.
struct noise {
	double now, before, growth;
};

struct row {
	uint64_t id;
	enum source_kind kind;
	struct frame **frames; // innermost first; none for {other} and {rest}
	unsigned depth;
	struct counts now;
	struct counts before; // at the earlier moment
	struct noise noise;
	// A bit of each value, 1 << VALUE_...: the log does not tell how that has changed. `before`
	// is then what is known of it at best: alloc and free in it may be too high, never too low,
	// so that churn is never overstated. What is too much here is missing in {rest}, which has
	// the bits as well.
	unsigned uncertain;
	unsigned processes; // how many logs' runs have it
	struct share by;    // whose it mostly is: of several processes, where all say the same name
	bool is_in_before, is_in_now; // of two logs: which of them has it; of one always both
};

// Whether it is bytes, not blocks or calls.
bool value_is_bytes(enum value value);

// With a sign if it is growth, or less than nothing, as a damaged log may have it: that must
// not look like more. Writes into text and returns it.
char *value_text(char text[UNIT_TEXT], enum value value, int64_t number);

// Of one moment: neither churn nor growth.
uint64_t counts_value(const struct counts *counts, enum value value);

int64_t row_value(const struct row *row, enum value value);

// By how much a value of one moment has changed.
int64_t row_difference(const struct row *row, enum value value);

// How many bytes, or blocks, of what lives were there at the earlier moment, at least: what had been
// allocated by then, less all that was freed up to now. Which blocks were freed the log does not
// tell, so that there may be more.
uint64_t row_older(const struct row *row, bool is_blocks);

// What --min is compared with: the value, or the difference, where it is of bytes; else live's.
uint64_t row_size(const struct row *row, enum value value, bool difference);

// The standard error of live by sampling, or of its growth.
double row_error(const struct row *row, bool difference);

void noise_add(struct noise *sum, const struct noise *more);

// Adds the counts of another, and what is not certain of them.
void row_add(struct row *sum, const struct row *more);

// Whose the row mostly is, by one more process, or place of the code: its thread stays where all
// say the same name.
void row_share(struct row *row, const struct share *by, bool is_first);

// The row of a source alone, for its stack: without counts.
struct row row_of_source(const struct source *source);

#endif
