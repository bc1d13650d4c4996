// moment: which snapshot of a log is meant: --at, --from, --to.

#ifndef PMEM_CLI_MOMENT_H
#define PMEM_CLI_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_LAST,
	MOMENT_PEAK,   // the snapshot with the most live bytes
	MOMENT_NUMBER, // the snapshot [N] of the log
	MOMENT_TIME,   // the last snapshot no later
	MOMENT_FIRST,
	MOMENT_NONE, // before the first snapshot: all is zero
};

struct moment {
	enum moment_kind kind;
	uint64_t number;
	int64_t time_ms; // Unix time
};

// "N", "first", "last", "peak", "start" (MOMENT_NONE), or a time in UTC, ISO 8601: the date,
// with or without the time, as in 2026-11-21T02:55:07.004Z. False: it is none of these.
bool moment_parse(struct moment *moment, const char *text);

// The words among these, then NULL.
extern const char *const moment_words[];

// What it takes, for messages and help.
#define MOMENT_FORMS "a snapshot's number, first, last, peak, start, or a time such as 2026-11-21T02:55:07"

#endif
