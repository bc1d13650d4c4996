// SPDX-License-Identifier: BSD-2-Clause
// leaks_words: puts the numbers of a report into words.

#ifndef PMEM_CLI_LEAKS_WORDS_H
#define PMEM_CLI_LEAKS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/unit.h"
#include "report/report.h"

enum {
	LEAKS_TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// Room for one text, which lives as long as the block around it.
#define LEAKS_ROOM ((char[LEAKS_TEXT]){0})

// If leaks grew by more than this many times the process's growth, their share is not printed as
// "all". Other sources must have freed much memory meanwhile.
#define LEAKS_FAR 1.25

// Writes the bytes into `text` and returns it. A negative number is written as 0.
char *leaks_bytes_text(char text[UNIT_TEXT], double bytes);

// Returns "an hour", or "a snapshot" for a log without times.
const char *leaks_rate_unit(const struct report_process *process);

// Writes a confidence: "99.9%".
char *leaks_sure_text(char text[UNIT_TEXT], double confidence);

// Writes "4d 0h", or "120 snapshots" for a log without times.
char *leaks_duration_text(const struct report_process *process, char text[LEAKS_TEXT],
	double duration);

// Writes "2026-11-21 02:55:07Z", or "[120]" for a log without times.
char *leaks_when_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t moment);

// Writes when growth began, to the minute: "19:13Z", or "2026-11-20 19:13Z" if that is not the day
// of the log's end. If it began with the log or before, writes "start 19:13Z", or "start
// 2026-11-20".
char *leaks_since_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t since,
	bool from_start);

// Writes a moment of the same day as `day` as "09:51Z", any other with its date: "2026-11-21 09:51Z".
char *leaks_minute_text(char text[UNIT_TEXT], int64_t moment, int64_t day);

// Does the same, with today as the day.
char *leaks_clock_text(char text[UNIT_TEXT], int64_t moment);

// Looks up the names of these findings' stacks, and returns their texts (disambiguate.h).
char **leaks_where_texts(const struct report_finding *findings, size_t count);

// Returns the path as a word of a shell's command: in quotes if the shell would split or change it. The
// caller frees the text.
char *leaks_path_text(const char *path);

// Writes how many of the blocks allocated since the leak began were not freed: "1 of 4", "52%" or
// "all". Writes "larger" if the source has no more blocks than then, but larger ones.
char *leaks_unfreed_text(char text[LEAKS_TEXT], const struct report_finding *finding);

// Writes which share `growth` has in the process's growth since the first leak began: "97.0%".
// Writes "all" if `growth` is as large as the process's growth, or a little larger. It can be
// larger because other sources freed memory.
char *leaks_share_text(const struct report_process *process, char text[UNIT_TEXT], double growth);

#endif
