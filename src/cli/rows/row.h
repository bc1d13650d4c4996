// SPDX-License-Identifier: BSD-2-Clause
// row: what a source holds at a moment, what it had at an earlier one, and how certain that is.
// Also the values that tables and exports show. These are pure functions of their arguments, except
// for --bytes (base/unit.h). They allocate nothing.

#ifndef PMEM_CLI_ROW_H
#define PMEM_CLI_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"
#include "log/run.h"

// The values that --by and --value name.
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
	VALUE_OLDER = VALUES, // row_older(); only in exports
};
extern const char *const value_names[]; // in the order of enum value; NULL comes last

enum {
	CERTAIN = 0,
	UNCERTAIN = (1 << VALUES) - 1,
};

// Variances from sampling: of live now, of live before, and of its growth. 0 if all blocks are
// recorded.
struct noise {
	double now, before, growth;
};

struct row {
	uint64_t id;
	enum source_kind kind;
	bool is_mapped; // the program has mapped it itself: `live` are bytes mapped, `blocks` mappings
	struct frame **frames; // innermost first; none for {other} and {rest}
	unsigned depth;
	struct counts now;
	struct counts before; // at the earlier moment
	struct noise noise;
	// Has the bit 1 << VALUE_... if the log does not prove how that value has changed. `before` is
	// then only the best estimate. Its alloc and free may be too high but never too low, so churn
	// is never overstated. What is too much here is missing in {rest}, which has the same bits.
	unsigned uncertain;
	unsigned processes; // the number of logs' runs that have it
	// the thread that allocated most; of several processes only if all name the same
	struct share by;
	bool is_in_before, is_in_now; // for two logs: which of them have it; for one log both are true
};

// Returns true if the value is in bytes, and not in blocks or calls.
bool value_is_bytes(enum value value);

// Writes the number into text and returns it. Growth has a sign. So has a negative number, as a
// damaged log may have it, which must not look like a large one.
char *value_text(char text[UNIT_TEXT], enum value value, int64_t number);

// Returns a value of one moment, which is neither churn nor growth.
uint64_t counts_value(const struct counts *counts, enum value value);

int64_t row_value(const struct row *row, enum value value);

// Returns how much a value of one moment has changed.
int64_t row_difference(const struct row *row, enum value value);

// Returns how many live bytes, or blocks, were there at the earlier moment at least. That is what
// was allocated by then, less all that was freed until now. The log does not say which blocks were
// freed, so there may be more.
uint64_t row_older(const struct row *row, bool is_blocks);

// Returns what --min is compared with: the value or its difference if it is in bytes, else that of
// live.
uint64_t row_size(const struct row *row, enum value value, bool difference);

// Returns the standard error that sampling gives to live, or to its growth.
double row_error(const struct row *row, bool difference);

void noise_add(struct noise *sum, const struct noise *more);

// Adds the counts of another row, and its uncertain bits.
void row_add(struct row *sum, const struct row *more);

// Merges the thread that has allocated most of the row in one more process, or place of the code.
// The thread stays only if all name the same.
void row_share(struct row *row, const struct share *by, bool is_first);

// Returns a row of a source for its stack only: without counts.
struct row row_of_source(const struct source *source);

#endif
