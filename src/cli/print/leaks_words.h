// SPDX-License-Identifier: BSD-2-Clause
// leaks_words: the data that leaks_print() prints, and functions that put its numbers into words.
// leaks.c makes sentences of these words, leaks_table.c makes tables.

#ifndef PMEM_CLI_LEAKS_WORDS_H
#define PMEM_CLI_LEAKS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/unit.h"
#include "report/report.h"

enum {
	LEAKS_TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// If leaks grew by more than this many times the process's growth, their share of it is not printed
// as "all". Other sources must have freed much memory meanwhile.
#define LEAKS_FAR 1.25

struct leaks_style {
	size_t most; // the most sources in a table; the others are summed up in a line
	bool stacks; // true if each source's whole stack is printed
	bool all;    // true if sources that do not leak are printed, too
	double min_time; // milliseconds, as in struct leaks_asked (evidence.h)
	bool fails;  // true with --fail-on
	bool fails_on_lost; // true with --fail-on-lost
	const char *path; // the log's path
	bool has_baseline; // true if the log of an earlier release is given (--baseline)
};

// The findings of one process, how to print them, and where to. `to` may be NULL if only texts are
// made.
struct leaks_output {
	FILE *to;
	const struct report_process *process;
	const struct findings *findings;
	const struct history *history;
	struct history_span span; // the history's
	const struct leaks_style *style;
};

struct leaks_output leaks_output(FILE *to, const struct report_process *process,
	const struct findings *findings, const struct history *history, const struct leaks_style *style);

// leaks_bytes_text() and leaks_rate_text() write into `text` and return it, with 0 for a negative
// number. leaks_rate_unit() returns "an hour", or "a snapshot" for a log without times.
char *leaks_bytes_text(char text[UNIT_TEXT], double bytes);
char *leaks_rate_text(const struct leaks_output *out, char text[UNIT_TEXT], double slope);
const char *leaks_rate_unit(const struct leaks_output *out);

// Writes "4d 0h", or "120 snapshots" for a log without times.
char *leaks_duration_text(const struct leaks_output *out, char text[LEAKS_TEXT], double duration);

// Writes "2026-11-21 02:55:07Z", or "[120]" for a log without times. `time` counts from the
// history's start.
char *leaks_moment_text(const struct leaks_output *out, char text[LEAKS_TEXT], double time);

// Returns the words for the memory that is judged as a whole: "live", or "live and mapped memory".
const char *leaks_live(const struct leaks_output *out);

// Prints " of mapped memory" if all leaks are of mapped memory. If only some are, prints their part
// of the rate. If none is, prints nothing.
void leaks_mapped_print(const struct leaks_output *out, const struct leak_sum *sum);

// Does the same as leaks_moment_text(), for a moment of report.h.
char *leaks_when_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t moment);

// Writes how many of the blocks that the source allocated since it began to leak were not freed: "1
// of 4", "52%" or "all". Writes "larger" if the source has no more blocks than then, but larger
// ones.
char *leaks_kept_text(char text[LEAKS_TEXT], const struct report_finding *finding);

// Writes which share `growth` has in the process's growth since the first leak began: "97.0%".
// Writes "all" if `growth` is as large as the process's growth, or a little larger. It can be
// larger because other sources freed memory.
char *leaks_share_text(const struct report_process *process, char text[UNIT_TEXT], double growth);

// Prints how the leaks of a standing other than STANDS grow. The text continues a phrase such as "2
// sources": " grow by 35.0 KiB, but for 18ms only".
void leaks_growth_print(const struct leaks_output *out, enum standing standing,
	const struct leak_sum *sum);

#endif
