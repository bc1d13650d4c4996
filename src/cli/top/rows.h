// SPDX-License-Identifier: BSD-2-Clause
// rows: the sources of a run after its last snapshot, and the columns of numbers that `top`
// shows of them: what each holds, and what it has done since the snapshot before.
//
// What the log does not tell of one source for sure is in {rest}: the rows add up to the total.

#ifndef PMEM_CLI_ROWS_H
#define PMEM_CLI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"
#include "rows/row.h"

enum {
	MEASURE_TEXT = UNIT_TEXT + 8, // room for a number
};

// In place of an interval: the process stands still, and what it did is over.
#define INTERVAL_STILL INT64_MAX

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

bool measure_is_bytes(enum measure measure);
bool measure_is_rate(enum measure measure);

int64_t measure_value(const struct row *row, enum measure measure);

// The number as it is shown: what was done since the snapshot before a second, or, where the
// time between the two is not known (0), in all. Writes into text and returns it.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// What such a number is per: "/s", "/snapshot".
const char *measure_per(int64_t interval_ms);

struct top_rows {
	struct row *rows; // `before` is of the snapshot before; {other} and {rest} last
	size_t count, room;
	bool has_threads; // of some it is known whose they mostly are
	struct row total;
	size_t all;       // how many there were before a search
	struct row found; // what those have that it left
};

// Anew from what is known by now. A source that holds nothing and did nothing has no row.
void top_rows_make(struct top_rows *rows, const struct snapshot *last);

// Largest first, or smallest; equal ones by what is live, then by id.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Looks up the names of the rows from one to before another, before the first of them is needed: each
// call may start other programs.
void top_rows_resolve(const struct top_rows *rows, size_t row, size_t end);

// Leaves those that the text is found in: in a function's or a module's name, the thread's, or the id.
// Small letters stand for capital ones, too. An empty text leaves all.
void top_rows_search(struct top_rows *rows, const char *text);

#endif
