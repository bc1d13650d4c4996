// SPDX-License-Identifier: BSD-2-Clause
// failure: decides whether an answer fails a test: `pmem leaks --fail-on` and its kin. A failure is an
// exit status (base/message.h): EXIT_LEAK, EXIT_OUTSIDE or EXIT_UNJUDGED, or 0.

#ifndef PMEM_CLI_FAILURE_H
#define PMEM_CLI_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

struct report_job;

// What is asked for. Limits are in bytes an hour; a limit of UINT64_MAX asks for nothing.
struct failure_limits {
	uint64_t leaks, leaks_of_all; // of one process, of all together; 0: any leak
	uint64_t outside;  // of one process's memory outside of malloc
	uint64_t least;    // slower growth outside of malloc never counts
	bool lost;         // memory that was freed as its process ended does not count
	bool unjudged;     // a process fails if nobody can tell whether it leaks
	bool is_part;      // the answer is on sources alone
};

// Returns true if the limits ask for anything.
bool failure_is_asked(const struct failure_limits *limits);

// A process leaks what its sources do. If its live memory surely grows and they explain less than half of
// that, it leaks the growth's lower bound.
int failure_of_process(const struct report_process *process, const struct failure_limits *limits);

// Returns true if nobody can tell yet, or at all, whether the process leaks. Growth of memory outside of
// malloc does not answer this.
bool failure_is_open(const struct report_process *process);

// The runs of a job are judged together, and have no rate. So a job that leaks, or is not judged, is
// EXIT_UNJUDGED.
int failure_of_job(const struct report_job *job, const struct failure_limits *limits);

// Returns the rate at which all processes together leak, in bytes an hour.
double failure_rate_of_all(const struct report *report, const struct failure_limits *limits);

// Returns true if all processes together leak too much.
bool failure_of_sum(const struct report *report, const struct failure_limits *limits);

// Returns the worst failure: leaks first.
int failure_of_report(const struct report *report, const struct failure_limits *limits);

#endif
