// SPDX-License-Identifier: BSD-2-Clause
// rows: the sources of a run after its last snapshot, and the columns of numbers that `top` shows
// of them. A column has what each source holds, or what it has done between the last two snapshots.
//
// {rest} has what the log does not prove of a source. So the rows add up to the total.

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

// The interval_ms of a process that stands still: its rates are shown as 0.
#define INTERVAL_STILL INT64_MAX

enum measure {
	MEASURE_LIVE,
	MEASURE_BLOCKS,
	// growth of live bytes since the snapshot before; the next three are since then, too
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

// Writes the number to text and returns text. For a measure that is a rate, `value` is what was
// done in interval_ms, and is shown for each second. If interval_ms is 0 (not known), `value`
// itself is shown.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// Returns the unit of a rate for this interval: "/s", or "/snapshot" if the interval is not known.
const char *measure_per(int64_t interval_ms);

struct top_rows {
	struct row *rows; // `before` is at the snapshot before the last; {other} and {rest} come last
	size_t count, room;
	bool has_threads; // true if `by`, the thread that allocated most, is known for some row
	struct row total;
	size_t all;       // number of rows before the search
	struct row found; // sum of the rows that the search has found
};

// Makes a row for each source as of the last snapshot. A source that holds nothing and did nothing
// has no row.
void top_rows_make(struct top_rows *rows, const struct snapshot *last);

// Sorts the rows by the measure, the largest first, or with `reverse` the smallest. Equal rows are
// sorted by live bytes, then by id.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Looks up the names of the functions in the rows from `row` to before `end`. Each call may start
// other programs, so as many rows as possible are looked up in one call.
void top_rows_resolve(const struct top_rows *rows, size_t row, size_t end);

// Keeps only rows in which the text is found: in the name of a function, module or thread, or in
// the id. A text without capital letters matches capitals, too. An empty text keeps all rows.
void top_rows_search(struct top_rows *rows, const char *text);

#endif
