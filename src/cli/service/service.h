// SPDX-License-Identifier: BSD-2-Clause
// service: prints the answer of `pmem leaks` for many processes, on one screen. The answer is the sum of
// all leaks, a table of what leaks, line by line, and a line for each process with something else to
// report. The other processes are only named, in a line or two. On request, the answers of single processes
// follow, those that leak fastest first.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/report.h"
#include "rows/grouping.h"

struct service_style {
	uint64_t most;   // the most rows in a table of sources or of processes
	bool has_number; // the user asked for so many rows
	bool is_verbose; // print the answer of each process with something to report, too
	bool all;        // print each process's own answer, even if there is nothing to report
	enum grouping_by grouping; // which sources of several processes are one
	// --baseline was given: line numbers of scripts are ignored, since releases differ in them
	bool is_release;
	bool by_process; // print one line for each process instead of its answer
};

// Sorts the processes, and prints the screen, or the answer itself if there is only one process.
void service_print(FILE *to, struct report *report, const struct service_style *style);

// Prints only sentences, one a line: what all processes together leak, and which do not leak.
void service_print_words(FILE *to, const struct report *report);

#endif
