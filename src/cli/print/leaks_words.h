// SPDX-License-Identifier: BSD-2-Clause
// leaks_words: what leaks_print() prints from, and its numbers in words. leaks.c makes sentences of
// them, leaks_table.c tables.

#ifndef PMEM_CLI_LEAKS_WORDS_H
#define PMEM_CLI_LEAKS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/unit.h"
#include "trend/findings.h"

enum {
	LEAKS_TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// If leaks grew by more than so many times the process's growth, others freed a large part of it.
#define LEAKS_FAR 1.25

struct leaks_style {
	size_t most; // sources in a table; the others are summed up
	bool stacks; // each source with its whole stack
	bool all;    // also the sources that do not leak
	double min_time; // as in findings.h
	bool fails;  // true with --fail-on
	bool fails_on_lost; // true with --fail-on-lost
	const char *path; // of the log
	bool has_baseline; // true if an earlier release is compared
};

struct leaks_told {
	const struct findings *findings;
	const struct leaks_style *style;
	struct history_span span;
	const struct run *run;
};
extern struct leaks_told leaks_told;

// The word for each standing, also for a process with such a leak. A leak that stands has its
// verdict's word instead.
extern const char *const leaks_standing_words[STANDINGS];

// Each function writes into text and returns it. Negative numbers become 0.
char *leaks_bytes_text(char text[UNIT_TEXT], double bytes);
char *leaks_rate_text(char text[UNIT_TEXT], double slope);
const char *leaks_rate_unit(void);

// "4d 0h", "120 snapshots"
char *leaks_duration_text(char text[LEAKS_TEXT], double duration);

// "2026-11-21 02:55:07Z" or "[120]", for a time since the history's start.
char *leaks_moment_text(char text[LEAKS_TEXT], double time);

// Returns what of a process is judged as a whole: "live", or "live and mapped memory".
const char *leaks_live(void);

// Prints " of mapped memory", or which part of the rate is. Prints nothing if none is.
void leaks_mapped_print(const struct leak_sum *sum);

// The part of blocks not freed, of those that the source allocated since it leaks: "1 of 4".
char *leaks_kept_text(char text[LEAKS_TEXT], const struct finding *finding);

// The part of the process's growth since the first leak began: "97.0%". "all" if the growth is no
// larger than that, or a little larger because other sources freed some.
char *leaks_share_text(char text[UNIT_TEXT], double growth);

// The word for a leak. A leak that stands is "held" if the process freed it as it ended.
const char *leaks_word(const struct finding *finding);

// Prints how leaks that do not stand grow: " grow by 35.0 KiB, but for 18ms only".
void leaks_growth_print(enum standing standing, const struct leak_sum *sum);

// Returns false for a leak that was seen for too short a time to have a rate.
bool leaks_has_rate(const struct finding *finding);

#endif
