// SPDX-License-Identifier: BSD-2-Clause
// lines: sums what leaks over all processes of one name in which it leaks. rows/grouping.h decides which rows
// of several processes are one.
//
// Rates of processes that never leaked at one time are not added. The sum is the highest at any time.

#ifndef PMEM_CLI_LINES_H
#define PMEM_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report.h"
#include "rows/grouping.h"

struct report_line {
	struct row row;
	double rate, growth; // sums over the processes
	size_t processes;    // how many processes it leaks in
	size_t over;         // how many of these are over, or may be
	size_t ended;        // how many of these have ended, by their logs
	int64_t heard;       // when the last of them was heard of
	// memory of those that run, or else the most at one time; 0 if not known
	double resident;
	bool is_sum;         // the rate is the sum of the rates in all processes
	const struct report_process *process; // the one in which it leaks fastest
	double fastest;      // its rate there
	double confidence;   // that of the least sure of its findings
	int64_t since;       // when it began, in the process in which it began first
	bool is_kept;        // each of its processes freed it as it ended
	bool from_start;     // it began with that process, or before its first snapshot
	const char *interpreter; // set by lines_fold() if it is several functions of this one
	size_t functions;    // how many
};

// Returns what surely leaks in these processes, the highest rate first, and sets *count. The
// arguments `by` and `with_lines` are those of struct grouping. The processes must be kept
// (report_keep()). Their rates must be by the hour: a process without times is left out. The caller
// frees the array.
struct report_line *lines_sum(const struct report *report, enum grouping_by by, bool with_lines,
	size_t *count);

// Makes one line of the functions that an interpreter has itself, such as perl's, in the same processes.
// Such a function says nothing of the program. One leak there has a line for each kind of value in it.
// Lines of a script stay. Returns the number of lines, the highest rate first.
size_t lines_fold(struct report_line *lines, size_t count);

// Puts those lines first that a table of `most` rows shows, and returns their number. If there are more
// lines, the largest of each process comes before a second one of any. Else one process that leaks in many
// lines would hide all others. No second one is below the rate `least`. Rates stay in order among these.
size_t lines_choose(struct report_line *lines, size_t count, size_t most, double least);

#endif
