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

struct leaks_style {
	size_t most; // sources in a table; the others are summed up
	bool stacks; // each with its whole stack
	bool all;    // also the sources that do not leak
	double min_time; // as for findings.h
	bool fails;  // somebody asked for --fail-on
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

// What was seen for so short a time has no rate.
bool leaks_has_rate(const struct finding *finding);

#endif
