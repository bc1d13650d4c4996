// SPDX-License-Identifier: BSD-2-Clause
// process_result: the processes of a log, each with its history and the numbers of its snapshots.

#ifndef PMEM_CLI_PROCESS_RESULT_H
#define PMEM_CLI_PROCESS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/options.h"
#include "find/find.h"
#include "report/report.h"
#include "trend/findings.h"
#include "trend/history.h"

struct process_result {
	struct run *run;
	struct history *history;  // the caller closes it
	uint64_t first, last; // numbers of the snapshots that are judged
	uint64_t exit;        // number of the snapshot at the process's exit, which is not judged
	// bytes allocated until the last snapshot; a forked child's begin with the fork
	double work;
	double churn, inherited; // private: bytes allocated and freed; bytes inherited from the parent
	int64_t last_ms;      // when the last snapshot was written; 0 if not known
	int64_t wait_ms;      // the log's rate limit may delay the next snapshot by this many ms
	int64_t silent_ms;    // time since the last snapshot, if the process still runs; 0 if not known
	bool runs;            // the process surely runs now
	bool is_gone;         // the process has surely ended
	// peak of resident memory plus memory swapped out now, in bytes; 0 if not known
	uint64_t memory;
	// why nothing could be written to the log after the last snapshot; NULL if no reason is known
	const char *unwritten;
	// memory for the text of `unwritten`, unless `unwritten` is a note in the log
	char why[WRITTEN_TEXT];
};

// Makes the findings. First checks whether the process still runs, and how long it has written nothing. If
// the process is silent for long and could write, its memory has not changed since the last snapshot.
// `path` is the path of the log.
void process_result_judge(struct process_result *result, struct findings *findings,
	const struct leaks_asked *how, const char *path);

// Copies `runs`, `is_gone` and `unwritten` into the process's report. Call it after process_result_judge()
// and report_make().
void process_result_tell(const struct process_result *result, struct report_process *process);

// Sets the time that later calls of process_result_each() judge. Relative moments, such as an hour
// ago, count back from the ends of the logs in `paths`. Ends this program with a message if `to` is
// before `from`.
void process_result_set_span(char **paths, const struct moment *from,
	const struct moment *to);

// Adds the process's next snapshot to its work.
void process_result_add_work(struct process_result *result, const struct summary *summary);

typedef void process_result_taker(struct process_result *result, struct log *log);

// Reads all logs and calls `take` for each process whose program is in `exe`. Sets *meant to the number
// of these calls. `is_search` is true if the logs were found by searching. Returns false if a log
// could not be read completely, or if `take` was never called.
bool process_result_each(char **paths, const struct option_list *exe, bool is_search,
	process_result_taker *take, size_t *meant);

// Returns lines on what the log lacks. The caller frees the text.
char *process_result_notes(const struct process_result *result, struct log *log);

// Prints the process, which of its snapshots are judged, and what the log lacks.
void process_result_print_heading(FILE *to, const struct process_result *result, struct log *log);

#endif
