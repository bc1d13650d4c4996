// SPDX-License-Identifier: BSD-2-Clause
// moment: a moment in a log, as the options --at, --from and --to take it. A moment says which
// snapshot is meant. All functions are pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_MOMENT_H
#define PMEM_CLI_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_LAST,
	// the snapshot with the highest live bytes. For several logs, the moment when the sum of
	// live bytes over all logs was highest
	MOMENT_PEAK,
	MOMENT_NUMBER, // the snapshot [N] of the log
	MOMENT_TIME,   // the last snapshot at that time or before
	MOMENT_FIRST,
	MOMENT_NONE, // the time before the first snapshot, when all counts are zero
	// The next two count from the log's end. moment_resolve() turns them into MOMENT_TIME.
	MOMENT_CLOCK,      // a time of day: its last occurrence before the log's end
	MOMENT_BEFORE_END, // a duration before the log's end
	MOMENT_LABEL, // the last snapshot that the program gave this label
	MOMENT_RESET, // the last snapshot that the program caused by pmem_reset()
	// The moment from which growth up to some other moment is counted. It is the last reset before
	// the other moment, or else the first snapshot.
	MOMENT_BEGIN,
};

struct moment {
	enum moment_kind kind;
	uint64_t number;
	// Unix time. For MOMENT_CLOCK it is the time since midnight, for MOMENT_BEFORE_END the time
	// until the log's end.
	int64_t time_ms;
	const char *label; // the label of a MOMENT_LABEL: points into the parsed text
};

// Parses "N", "first", "last", "peak", "start" (MOMENT_NONE), "reset", or a time in UTC as
// unit_parse_time() does. Also parses "02:13" (MOMENT_CLOCK), "-5m" (MOMENT_BEFORE_END), and times
// before now_ms such as "10 minutes ago" or "yesterday 14:00". Any other text is a label, unless it
// begins like a number. Text after "label=" is always a label. Returns false if the text has no
// valid form.
bool moment_parse(struct moment *moment, const char *text, int64_t now_ms);

// The words that moment_parse() knows, with NULL at the end.
extern const char *const moment_words[];

// The forms that moment_parse() accepts, for messages.
#define MOMENT_FORMS "a snapshot's number or label, first, last, peak, start, reset, or a time " \
	"such as 02:13, -5m, '10 minutes ago' or 2026-11-21T02:55:07"

// The same for the help of subcommands.
#define MOMENT_HELP \
	"WHEN is first, last, peak, start, reset, a snapshot's number or label, or a\n" \
	"UTC time: 2026-11-21T02:55, 02:55, -5m (before the log's end), '10 minutes ago'.\n"

// Returns true for a moment that counts from the log's end.
bool moment_is_relative(const struct moment *moment);

// Turns a moment that counts from the log's end, which is end_ms, into a time. Must not be called
// for other moments.
void moment_resolve(struct moment *moment, int64_t end_ms);

#endif
