// SPDX-License-Identifier: BSD-2-Clause
// rows: the sources of a run after its last snapshot, and the columns of numbers that `top` shows
// of them. A column says either what each source holds, or what it did between the last two
// snapshots.
//
// {rest} has what the log does not prove for single sources. So the rows add up to the total.

#ifndef PMEM_CLI_ROWS_H
#define PMEM_CLI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"
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
// interval_ms, and the text has the value per second. If interval_ms is 0 (not known), the text has
// `value` itself.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// Returns the unit of a rate: "/s", or "/snapshot" if interval_ms is 0 (not known).
const char *measure_per(int64_t interval_ms);

struct top_rows {
	// a row's `before` has its counts at the snapshot before the last; rows of {other} and {rest}
	// come last
	struct row *rows;
	size_t count, room;
	bool has_threads; // true if some row's `by` (thread that allocated most) is known
	struct row total;
	size_t all;       // number of rows before the search
	struct row found; // sum of the rows in which the searched text was found
};

// Makes a row for each source as of the last snapshot. A source that holds nothing, and did nothing
// since the snapshot before, has no row.
void top_rows_make(struct top_rows *rows, const struct snapshot *last);

// Sorts the rows by the measure. The largest value comes first, or with `reverse` the smallest.
// Rows with equal values are sorted by live bytes, then by id.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Looks up the names of the functions in the rows from `row` up to `end`, without `end`. Each call
// may start other programs. So one call should look up as many rows as possible.
void top_rows_resolve(const struct top_rows *rows, size_t row, size_t end);

// Keeps only rows in which the text is found: in the name of a function, module or thread, or in
// the id. A text without capital letters also matches capitals. An empty text keeps all rows.
void top_rows_search(struct top_rows *rows, const char *text);

#endif
