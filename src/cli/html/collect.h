// SPDX-License-Identifier: BSD-2-Clause
// collect: reads all that the logs say of each process.

#ifndef PMEM_CLI_COLLECT_H
#define PMEM_CLI_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/findings.h"
#include "html/schedule.h"

struct collected {
	struct log *log;
	size_t log_number;
	struct run *run;
	struct moments *moments;
	struct history *history;
	struct findings findings;
	char **words;         // what `pmem leaks` says of the process, a sentence each
	size_t word_count;
};

struct collection {
	struct collected *runs; // in the order of the logs, and of the snapshots in each log
	size_t count, room;
	const struct schedule *schedule;
	char **words; // sentences on all processes, if there are several
	size_t word_count;
	char **notes; // what the logs lack
	size_t note_count;
	bool is_good; // true if no log was damaged
};

// Reads the logs, and warns of errors in them unless `was_told`. Returns false if the logs have
// other snapshots than were scheduled: then the schedule must be made of whole logs. What is loaded
// stays as long as the process.
bool collect(struct collection *collection, const struct schedule *schedule, bool was_told);

#endif
