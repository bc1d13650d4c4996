// SPDX-License-Identifier: BSD-2-Clause
// rows: the sources of a run after its last snapshot, and the columns of numbers that `top` shows.
// They are what each source holds, and what it has done since the snapshot before.
//
// {rest} has what the log does not surely tell of one source. So the rows add up to the total.

#ifndef PMEM_CLI_ROWS_H
#define PMEM_CLI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"
#include "rows/row.h"

enum {
	MEASURE_TEXT = UNIT_TEXT + 8, // characters for a number
};

// Replaces an interval if the process stands still, so that its last rates are over.
#define INTERVAL_STILL INT64_MAX

enum measure {
	MEASURE_LIVE,
	MEASURE_BLOCKS,
	MEASURE_GROWTH, // of live, since the snapshot before, like the next three
	MEASURE_ALLOC,
	MEASURE_CHURN,
	MEASURE_ALLOCS,
	MEASURES
};
extern const char *const measure_names[]; // in the order of enum measure, then NULL

bool measure_is_bytes(enum measure measure);
bool measure_is_rate(enum measure measure);

int64_t measure_value(const struct row *row, enum measure measure);

// Writes the number to text and returns it. Work since the snapshot before is shown for each
// second. If interval_ms is 0 (not known), it is shown in all.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// Returns the unit of such a number: "/s" or "/snapshot".
const char *measure_per(int64_t interval_ms);

struct top_rows {
	struct row *rows; // with `before` from the snapshot before. {other} and {rest} are last
	size_t count, room;
	bool has_threads; // the main threads of some rows are known
	struct row total;
	size_t all;       // number of rows before a search
	struct row found; // sum of the rows that the search left
};

// Fills the rows from the last snapshot. A source that holds nothing and did nothing has no row.
void top_rows_make(struct top_rows *rows, const struct snapshot *last);

// Sorts the largest first, or the smallest. Equal rows are sorted by live, then by id.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Looks up the names of the rows from `row` to before `end`, all at once. Each call may start
// other programs, so it comes before the first name is needed.
void top_rows_resolve(const struct top_rows *rows, size_t row, size_t end);

// Keeps the rows in which the text is found: in the name of a function, module or thread, or in
// the id. Small letters match capital ones, too. An empty text keeps all.
void top_rows_search(struct top_rows *rows, const char *text);

#endif
