// SPDX-License-Identifier: BSD-2-Clause
// service: joins the answers of `pmem leaks` for many processes into one. The sum of all leaks
// comes first. The answers of processes that leak follow, the fastest first, and then those of
// processes with something else to report. The other processes are only named, in a line or two.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/grouping.h"
#include "trend/findings.h"

struct service_style {
	uint64_t most;   // the most rows in a table of sources or of processes
	bool all;        // print each process's own answer, even if there is nothing to report
	enum grouping_by grouping; // which sources of several processes are one
	// --baseline was given: line numbers of scripts are ignored, since releases differ in them
	bool is_release;
	bool by_process; // print one line for each process instead of its answer
	double min_time; // milliseconds, as in struct leaks_asked (trend/evidence.h)
};

// Must be called before all other functions of service.
void service_open(const struct service_style *style);

// Adds one process. `fails` means that the process alone leaks too much for --fail-on. `text` is
// the process's own answer, which service_print() frees. It may be NULL if service_print() is not
// called.
void service_add(const struct run *run, const struct findings *findings, struct history *history,
	bool fails, char *text);

// Returns true if `fails` was set for any process. Must be called after the last service_add(). A
// log may have only the beginning of a run that goes on in another log. From this call on, such a
// log is left out of all results.
bool service_fails(void);

// Returns what all processes so far leak, in bytes an hour. With `lost`, leaks that a process freed
// as it ended are not counted.
double service_rate(bool lost);

// Prints the joined answer, or the answer itself if there is only one.
void service_print(FILE *to);

// Prints only sentences, one a line: what all processes together leak, and which do not leak.
void service_print_words(FILE *to);

#endif
