// SPDX-License-Identifier: BSD-2-Clause
// moment: names a snapshot of a log, as --at, --from and --to do. These are pure functions of their
// arguments; they allocate nothing.

#ifndef PMEM_CLI_MOMENT_H
#define PMEM_CLI_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_LAST,
	MOMENT_PEAK,   // the snapshot with the most live bytes; of several logs, their peak together
	MOMENT_NUMBER, // the snapshot [N] of the log
	MOMENT_TIME,   // the last snapshot at that time or before
	MOMENT_FIRST,
	MOMENT_NONE, // before the first snapshot: all is zero
	// moment_resolve() converts the next two to MOMENT_TIME.
	MOMENT_CLOCK,      // a time of day: its last occurrence before the log's end
	MOMENT_BEFORE_END, // a duration before the log's end
	MOMENT_LABEL, // the last snapshot that the program gave this label
	MOMENT_RESET, // the last snapshot that the program requested by pmem_reset()
	MOMENT_BEGIN, // the last snapshot before another moment, or else the first
};

struct moment {
	enum moment_kind kind;
	uint64_t number;
	int64_t time_ms; // Unix time; MOMENT_CLOCK: since midnight; MOMENT_BEFORE_END: until the end
	const char *label; // MOMENT_LABEL: the parsed text, or part of it
};

// Parses "N", "first", "last", "peak", "start" (MOMENT_NONE), "reset", or a time in UTC as
// unit_parse_time() takes it. Also "02:13" and "-5m" (MOMENT_CLOCK, MOMENT_BEFORE_END), and "10
// minutes ago" or "yesterday 14:00", counted from now. Any other text is a label, unless it begins
// like a number; so is text after "label=". Returns false if the text is none of these.
bool moment_parse(struct moment *moment, const char *text, int64_t now_ms);

// The words among these; NULL comes last.
extern const char *const moment_words[];

// The accepted forms, for messages.
#define MOMENT_FORMS "a snapshot's number or label, first, last, peak, start, reset, or a time " \
	"such as 02:13, -5m, '10 minutes ago' or 2026-11-21T02:55:07"

// The lines of help.
#define MOMENT_HELP \
	"WHEN is first, last, peak, start, reset, a snapshot's number or label, or a\n" \
	"UTC time: 2026-11-21T02:55, 02:55, -5m (before the log's end), '10 minutes ago'.\n"

// Returns true if the moment counts from the log's end, and has no time until that is known.
bool moment_is_relative(const struct moment *moment);

// Converts such a moment to a time.
void moment_resolve(struct moment *moment, int64_t end_ms);

#endif
