// SPDX-License-Identifier: BSD-2-Clause
// leaks_lines: what the lines of `pmem leaks` on one process have in common. A line begins with its
// verdict. The first line begins with the process.

#ifndef PMEM_CLI_LEAKS_LINES_H
#define PMEM_CLI_LEAKS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/term.h"
#include "print/leaks_words.h"
#include "print/limit_words.h"
#include "report/report.h"

struct leaks_style {
	size_t most; // the most sources in a table; the others are summed up in a line
	bool stacks; // true if each source's whole stack is printed
	bool all;    // true if sources that do not leak are printed, too
	bool is_verbose; // true with what is known beside: certainty, shares, kinds of no leak
	double min_time; // milliseconds, as in struct leaks_asked (evidence.h)
	bool fails;  // true with --fail-on or --fail-on-all
	bool fails_on_lost; // true with --fail-on-lost
	bool is_bare; // true if the first line begins behind its verdict and the process's name
	bool has_baseline; // true if the log of an earlier release is given (--baseline)
};

struct leaks_lines {
	FILE *to;
	const struct report_process *of;
	const struct leaks_style *style;
	bool is_of_many; // a line among those of other processes
	bool has_begun; // the process is named
	bool is_asked;  // it is said when to ask again
	bool has_table; // the table of leaks is still to be printed
};

// Names the process: "gate 8143 (process 8238)", and among many "gate 8238".
void leaks_name(struct leaks_lines *out);

// Begins a line with a word, or a verdict: "gate 8143 (process 8238): too early: ", later "too
// early: ", and among many processes "too early: gate 8238: ".
void leaks_begin(struct leaks_lines *out, enum style style, const char *word);
void leaks_begin_verdict(struct leaks_lines *out, enum report_verdict verdict);

// Prints "3 sources, ".
void leaks_sources_print(struct leaks_lines *out, size_t count);

// Prints how memory grew that does not surely grow on: "+35.0 KiB in 18ms".
void leaks_growth_print(const struct leaks_lines *out, enum report_verdict verdict, bool is_start,
	const struct leak_sum *sum);

// Writes the words for the process's limit of memory (limit_words.h). Returns false if there are
// none. Also returns false for a limit more than two weeks away, unless the style is verbose.
bool leaks_limit(const struct report_process *of, bool is_verbose, char words[LIMIT_WORDS]);

// Returns true if the process reaches its memory limit at this hourly rate, but only after two weeks.
bool leaks_limit_is_far(const struct report_process *of, double rate);

// Prints that such growth is no failure, with --fail-on.
void leaks_lets_pass_print(const struct leaks_lines *out);

// Ends a line that says that it is too early. The first such line says when to ask again.
void leaks_end_early(struct leaks_lines *out);

// Returns the words for the memory that is judged as a whole: "live", or "live and mapped memory".
const char *leaks_live(const struct leaks_lines *out);

// Returns true if leaks_not_judged_print() says that live memory grows, though no source does.
bool leaks_is_told_of_live(const struct report_process *of);

// Prints what is not judged, and why. Among many processes, prints one line.
void leaks_not_judged_print(struct leaks_lines *out);

// Prints by how much memory outside of blocks grows, and what it looks like. leaks_memory_print()
// prints that of malloc's surroundings, and that of files, if they grow.
void leaks_memory_print(struct leaks_lines *out);
void leaks_outside_print(struct leaks_lines *out);
void leaks_files_print(struct leaks_lines *out);

// Prints what live memory did, if nothing leaks.
void leaks_none_print(struct leaks_lines *out);

// Print the lines for a log that is too short to judge any source. leaks_still_print() is for a
// process that has been silent for longer than it was seen to work.
void leaks_short_print(struct leaks_lines *out);
void leaks_still_print(struct leaks_lines *out);

#endif
