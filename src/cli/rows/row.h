// SPDX-License-Identifier: BSD-2-Clause
// row: what a source holds at a moment, and what it held at an earlier moment. A row also says
// which of these counts are certain. The module also computes the values that tables and exports
// show. Its functions are pure functions of their arguments, except that --bytes changes how
// numbers are written (base/unit.h). They allocate nothing.

#ifndef PMEM_CLI_ROW_H
#define PMEM_CLI_ROW_H

#include <stdbool.h>
#include <stddef.h>
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
	VALUE_GROWTH, // growth of live bytes since the earlier moment; may be negative
	VALUES,
	VALUE_OLDER = VALUES, // what row_older() returns; only in exports
};
extern const char *const value_names[]; // in the order of enum value; NULL comes last

enum {
	CERTAIN = 0,
	UNCERTAIN = (1 << VALUES) - 1,
};

// Variances that sampling causes: of live bytes now, of live bytes before, and of their growth. 0
// if all blocks are recorded.
struct noise {
	double now, before, growth;
};

struct row {
	uint64_t id;
	enum source_kind kind;
	// true if the program has mapped the memory itself. Then `live` counts mapped bytes, `blocks`
	// mappings
	bool is_mapped;
	// for a pair of two logs: which of the two logs has the source. For one log, both are true
	bool is_in_before, is_in_now;
	struct frame **frames; // innermost first; none for {other} and {rest}
	unsigned depth;
	struct counts now;
	struct counts before; // the counts at the earlier moment
	struct noise noise;
	// Has the bit 1 << VALUE_... if the log does not prove how that value has changed. `before` is
	// then only the best estimate. Its alloc and free may be too high but never too low, so churn
	// is never overstated. If this row has too much, the row {rest} has too little. So `uncertain`
	// of {rest} has the same bits.
	unsigned uncertain;
	unsigned processes; // the number of runs that have the source
	unsigned process; // with PROFILE_APART (profile.h) the index of the run whose row it is
	size_t place;   // in the rows of `pmem top` the number of its place (grouping.h)
	// The thread that allocated most of the source's bytes. If several processes have the source,
	// this is set only if all name the same thread.
	struct share by;
};

// Returns true if the value counts bytes, and false if it counts blocks or calls.
bool value_is_bytes(enum value value);

// Writes the number into text and returns text. A growth always has a sign. Other values have one
// if negative. A damaged log may give such numbers, and they must not look like large ones.
char *value_text(char text[UNIT_TEXT], enum value value, int64_t number);

// Returns a value of one moment. The value must not be churn or growth, which need two moments.
uint64_t counts_value(const struct counts *counts, enum value value);

int64_t row_value(const struct row *row, enum value value);

// Returns how much the value has changed since the earlier moment. The value must not be churn or
// growth.
int64_t row_difference(const struct row *row, enum value value);

// Returns a lower bound of the live bytes, or blocks, that are older than the earlier moment. The
// bound is what was allocated until the earlier moment, less all that was freed until now. The log
// does not say which blocks were freed, so more of them may be old.
uint64_t row_older(const struct row *row, bool is_blocks);

// Returns the size that --min is compared with. That is the value, or with `difference` how much it
// has changed, if the value is in bytes. For a value in blocks or calls, live bytes are taken
// instead.
uint64_t row_size(const struct row *row, enum value value, bool difference);

// Returns the standard error that sampling causes in live bytes, or in their growth if
// `difference`.
double row_error(const struct row *row, bool difference);

void noise_add(struct noise *sum, const struct noise *more);

// Adds the counts of another row, and its uncertain bits.
void row_add(struct row *sum, const struct row *more);

// Merges one more process or source into row->by. `by` is the thread that allocated most of the
// bytes there. If `is_first`, row->by becomes `by`. Otherwise row->by is cleared if its name and
// that of `by` differ.
void row_share(struct row *row, const struct share *by, bool is_first);

// Returns a row with the source's stack, and without counts. The row of {rest} has no stack.
struct row row_of_source(const struct source *source);

#endif
