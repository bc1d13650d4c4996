// SPDX-License-Identifier: BSD-2-Clause
// moment: which snapshot of a log is meant, as --at, --from and --to say it. Pure functions of
// their arguments; they allocate nothing.

#ifndef PMEM_CLI_MOMENT_H
#define PMEM_CLI_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_LAST,
	MOMENT_PEAK,   // the snapshot with the most live bytes; of several logs, in all together
	MOMENT_NUMBER, // the snapshot [N] of the log
	MOMENT_TIME,   // the last snapshot no later
	MOMENT_FIRST,
	MOMENT_NONE, // before the first snapshot: all is zero
	// These two become a MOMENT_TIME by moment_resolve().
	MOMENT_CLOCK,      // a time of day, the last such by the log's end
	MOMENT_BEFORE_END, // so long before the log's end
	MOMENT_LABEL, // the last snapshot that the program gave this name
	MOMENT_RESET, // the last that it asked for by pmem_reset()
	MOMENT_BEGIN, // the last before another moment; where there is none, the first one
};

struct moment {
	enum moment_kind kind;
	uint64_t number;
	int64_t time_ms; // Unix time; MOMENT_CLOCK: since midnight; MOMENT_BEFORE_END: until the end
	const char *label; // MOMENT_LABEL: the text that was parsed, or part of it
};

// "N", "first", "last", "peak", "start" (MOMENT_NONE), "reset", or a time in UTC: as
// unit_parse_time() has it; "02:13" and "-5m" (MOMENT_CLOCK, MOMENT_BEFORE_END); or "10 minutes
// ago", "yesterday 14:00", counted from now. What is none of these is a label, unless it begins as
// a number does; and so is what follows "label=". False: it is none of all.
bool moment_parse(struct moment *moment, const char *text, int64_t now_ms);

// The words among these, then NULL.
extern const char *const moment_words[];

// What it takes, for messages.
#define MOMENT_FORMS "a snapshot's number or label, first, last, peak, start, reset, or a time " \
	"such as 02:13, -5m, '10 minutes ago' or 2026-11-21T02:55:07"

// Lines of help.
#define MOMENT_HELP \
	"WHEN is first, last, peak, start, reset, a snapshot's number or label, or a\n" \
	"UTC time: 2026-11-21T02:55, 02:55, -5m (before the log's end), '10 minutes ago'.\n"

// Whether it counts from the log's end, and is no time before that is known.
bool moment_is_relative(const struct moment *moment);

// Makes a time of it.
void moment_resolve(struct moment *moment, int64_t end_ms);

#endif
