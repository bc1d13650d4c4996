// SPDX-License-Identifier: BSD-2-Clause
// service: one answer of `pmem leaks` for many processes. Processes that leak come first, the
// fastest first, with the sum of what they leak. Those that do not are in one line.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/findings.h"

struct service_style {
	uint64_t most;   // rows in a table of sources or processes
	bool all;        // no process is folded
	bool by_name;    // sources with equal function names are one (rows/grouping.h)
	bool is_release; // compared with the release before: script lines may have moved
	bool by_process; // only one line for each process
	double min_time; // as in findings.h
};

// To be called before all others.
void service_open(const struct service_style *style);

// What is printed to standard output between service_begin() and service_end() is the answer for
// one process.
void service_begin(void);
// `fails` means that what the process leaks is too much by itself.
void service_end(const struct run *run, const struct findings *findings, struct history *history,
	bool fails);

// Returns true if `fails` was set for any process. To be called after the last service_end(). From
// then on, the short one of two logs of one run is left out.
bool service_fails(void);

// Returns what all processes so far leak, in bytes an hour. `lost` leaves out what they freed as
// they ended.
double service_rate(bool lost);

// Prints all answers, or the only one.
void service_print(void);

// Prints sentences, a line each: what several processes leak in all, and which do not leak.
void service_print_words(void);

#endif
