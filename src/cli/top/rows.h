// SPDX-License-Identifier: BSD-2-Clause
// rows: the sources of a run after its last snapshot, and the columns of numbers that `top` shows
// of them. Stacks of one place (rows/grouping.h) are one row, as in `pmem leaks`. A column says either
// what each source holds, or what it did between the last two snapshots.
//
// {rest} has what the log does not prove for single sources. So the rows add up to the total.

#ifndef PMEM_CLI_ROWS_H
#define PMEM_CLI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"
#include "rows/grouping.h"
#include "rows/row.h"

enum {
	MEASURE_TEXT = UNIT_TEXT + 8, // room for any number's text
};

// The interval_ms for a process that stands still: its rates are shown as 0.
#define INTERVAL_STILL INT64_MAX

enum measure {
	MEASURE_LIVE,
	MEASURE_BLOCKS,
	// this and the next three count since the snapshot before; growth is of live bytes
	MEASURE_GROWTH,
	MEASURE_ALLOC,
	MEASURE_CHURN,
	MEASURE_ALLOCS,
	MEASURES
};
extern const char *const measure_names[]; // in the order of enum measure; NULL comes last

bool measure_is_bytes(enum measure measure);
bool measure_is_rate(enum measure measure);

int64_t measure_value(const struct row *row, enum measure measure);

// Writes the number to text and returns text. If the measure is a rate, `value` is what was done in
// interval_ms. The text has the value per second. If interval_ms is 0 (not known), the text has
// `value` itself.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// Returns the unit of a rate: "/s", or "/snapshot" if interval_ms is 0 (not known).
const char *measure_per(int64_t interval_ms);

struct top_rows {
	// A row's `before` has its counts at the snapshot before the last. Rows of {other} and {rest}
	// come last. A row of several stacks has the id and the frames of the largest.
	struct row *rows;
	size_t count, room;
	// the stacks that the rows are sums of, one a source: sorted by place, then by live bytes, the
	// most first
	struct row *stacks;
	size_t stack_count, stack_room;
	bool has_threads; // true if some row's `by` (thread that allocated most) is known
	struct row total;
	size_t all;       // number of stacks before the search
	struct row found; // sum of the stacks in which the searched text was found
	// The following are private.
	struct grouping places; // a place keeps its number
	unsigned *depths;       // depths[place] is the depth of top_rows_cut(), or 0 until it was called
	size_t depth_room;
};

// Makes the rows as of the last snapshot. A stack that holds nothing, and did nothing since the
// snapshot before, is left out. So is a stack without the text `search` in its id or in a
// function's, module's or thread's name. A text without capital letters also matches capitals. An
// empty text keeps all.
void top_rows_make(struct top_rows *rows, const struct snapshot *last, const char *search);

// Sorts the rows by the measure. The largest value comes first, or with `reverse` the smallest.
// Rows with equal values are sorted by live bytes, then by the id of the largest stack.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Returns the row without the callers that not all of its stacks have (grouping_cut()).
struct row top_rows_cut(const struct top_rows *rows, const struct row *row);

#endif
