// SPDX-License-Identifier: BSD-2-Clause
// job_amounts: compares what the runs of a job left in one place with the work that they did.

#ifndef PMEM_CLI_JOB_AMOUNTS_H
#define PMEM_CLI_JOB_AMOUNTS_H

#include <stddef.h>

#include "report/severity.h"
#include "rows/row.h"

enum {
	JOB_FEW = 3,  // of fewer runs nothing is judged
	JOB_SOME = 8, // of fewer runs no leak is
};

// What one run left in a place.
struct job_amount {
	double work, bytes, blocks;
};

// A place in which some run left `least` bytes or more. Only these runs count.
struct report_job_place {
	struct row row;
	struct report_word word;
	struct job_amount *amounts; // one for each run that counts
	size_t count, room;
	double lowest, highest, sum; // bytes that a run left: the least, the most, and of all runs
	double rate; // by how many bytes the amount grows with each byte of work; 0 if it is no leak
	struct job_amount now; // private: of the run that is being added
	struct row now_row;    // private: the same run's row, in its log
};

// Sets the place's word, sums and rate. Sorts its amounts. The words are:
//
// - leaks: the amount grows with the work, also where there is most work.
// - no leak: the amount is the same after much more work, within least_bytes or a fiftieth.
// - not judged: all else. The detail says why.
void job_amounts_judge(struct report_job_place *place, double least_bytes);

#endif
