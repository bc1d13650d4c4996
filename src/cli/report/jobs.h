// SPDX-License-Identifier: BSD-2-Clause
// jobs: what short runs of one program left. Such a run ended before it could have a rate. It is judged by
// the bytes that it had not freed at its exit, place by place. Runs are compared. The same amount after
// more work is no leak, an amount that grows with the work is a leak. A run that was killed has no snapshot
// at its exit. It is no run of a job.
//
// A run's work is the bytes that it allocated. If each run left as many blocks in a place, the
// bytes left there do not count. Else larger blocks alone would be more work.

#ifndef PMEM_CLI_JOBS_H
#define PMEM_CLI_JOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/job_amounts.h"
#include "report/report.h"
#include "rows/grouping.h"

// The runs of one program: of one file, under one name, and of one script.
struct report_job {
	const char *program; // its name, and that of the script
	size_t runs;         // how many ended
	struct report_word word; // that of the first place; "no leak" without a place
	struct report_job_place *places; // leaks first, then by bytes
	size_t count, room;
	struct grouping grouping; // private
};

// A zeroed struct has no jobs.
struct report_jobs {
	struct report_job *jobs;
	size_t count, room;
	struct intern programs;
	struct arena arena;
	// set by the caller: the grouping of sources, and the least bytes of a place
	enum grouping_by by;
	bool with_lines;
	double least;
	bool is_part; // set by jobs_add(): some sources alone were wanted
};

// Adds the process's run, if it is short, has ended, was judged and does not leak. Sets process->job.
// `wanted` chooses sources; NULL chooses all. `work` is how much the run has allocated, in bytes.
void jobs_add(struct report_jobs *jobs, struct report_process *process, double work,
	bool (*wanted)(const struct source *source));

// Judges all places, and sorts jobs and places: leaks first, then by bytes. Leaves only programs
// with JOB_FEW runs or more. Clears process->job of the others.
void jobs_judge(struct report_jobs *jobs, struct report *report);

void jobs_free(struct report_jobs *jobs);

#endif
