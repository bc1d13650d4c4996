// SPDX-License-Identifier: BSD-2-Clause
// leaks_words: what leaks_print() tells of at the moment, and its numbers in words: for leaks.c,
// which says sentences, and leaks_table.c.

#ifndef PMEM_CLI_LEAKS_WORDS_H
#define PMEM_CLI_LEAKS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/unit.h"
#include "trend/findings.h"

enum {
	LEAKS_TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// Where leaks grew by more than so many times what the process as a whole did, what others let go
// is no small part of it.
#define LEAKS_FAR 1.25

struct leaks_style {
	size_t most; // sources in a table; the others are summed up
	bool stacks; // each with its whole stack
	bool all;    // also the sources that do not leak
	double min_time; // as for findings.h
	bool fails;  // somebody asked for --fail-on
	bool fails_on_lost; // and for --fail-on-lost
	const char *path; // of the log
	bool has_baseline; // there is a release before to compare with
};

struct leaks_told {
	const struct findings *findings;
	const struct leaks_style *style;
	struct history_span span;
	const struct run *run;
};
extern struct leaks_told leaks_told;

// The word for each, and for a process in which there is one. What stands is called by its verdict.
extern const char *const leaks_standing_words[STANDINGS];

// Each function writes into text and returns it. Less than nothing is nothing.
char *leaks_bytes_text(char text[UNIT_TEXT], double bytes);
char *leaks_rate_text(char text[UNIT_TEXT], double slope);
const char *leaks_rate_unit(void);

// "4d 0h", "120 snapshots"
char *leaks_duration_text(char text[LEAKS_TEXT], double duration);

// "2026-11-21 02:55:07Z", "[120]": of a time since the history's start.
char *leaks_moment_text(char text[LEAKS_TEXT], double time);

// Of the blocks that the source allocated since it leaks, how many were not freed: "1 of 4".
char *leaks_kept_text(char text[LEAKS_TEXT], const struct finding *finding);

// Of what the process as a whole grew by since the first leak began: "97.0%"; "all" is no more than
// that, or little, which others have let go.
char *leaks_share_text(char text[UNIT_TEXT], double growth);

// The word for a leak: of what stands, "held" where the process let go of it as it ended.
const char *leaks_word(const struct finding *finding);

// " grow by 35.0 KiB, but for 18ms only": how one or some do that do not stand.
void leaks_growth_print(enum standing standing, const struct leak_sum *sum);

// What was seen for so short a time has no rate.
bool leaks_has_rate(const struct finding *finding);

#endif
