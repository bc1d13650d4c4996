// SPDX-License-Identifier: BSD-2-Clause
// service: one answer of `pmem leaks` for many processes: those that leak come first, the fastest
// first, what they leak is summed, and those of which there is nothing to say are in a line.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/findings.h"

struct service_style {
	uint64_t most;   // sources, or processes, in a table
	bool all;        // no process is folded
	bool by_name;    // sources are one by the names of their functions (rows/grouping.h)
	bool is_release; // it is compared with the one before: lines of a language move
	bool by_process; // a line for each process, and nothing else of it
	double min_time; // as for findings.h
};

// Before anything else.
void service_open(const struct service_style *style);

// What is printed to standard output between these two is the answer for one process.
void service_begin(void);
// fails: what it leaks is too much by itself.
void service_end(const struct run *run, const struct findings *findings, struct history *history,
	bool fails);

// Whether it was of any process. From here on, when all have been told of, what is no process of its own
// does not count: of two logs of a run that tell of the same snapshots, the one that reaches less far.
bool service_fails(void);

// What leaks in all processes so far, in bytes an hour; or of it what they did not let go of as they
// ended.
double service_rate(bool lost);

// All answers, to standard output; of one process that alone.
void service_print(void);

// Of several processes what leaks in all, and those that do not, in sentences, a line each.
void service_print_words(void);

#endif
