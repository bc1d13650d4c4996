// SPDX-License-Identifier: BSD-2-Clause
// process_result: the processes that a log tells of, each with its history, and what is known of it.

#ifndef PMEM_CLI_PROCESS_RESULT_H
#define PMEM_CLI_PROCESS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "find/find.h"
#include "trend/history.h"

struct process_result {
	struct run *run;
	struct history *history;  // to be closed
	uint64_t first, last; // numbers of snapshots that are judged
	uint64_t exit;        // of the exit's, which is not
	int64_t last_ms;      // when the last was written; 0: not known
	int64_t wait_ms;      // for so long behind it the log's rate may make the next one wait
	int64_t silent_ms;    // since then, of a process that runs; 0: not known
	uint64_t memory;      // as process_memory() has it; 0: not known
	const char *unwritten; // why nothing can be written since then; NULL: not known
	char why[WRITTEN_TEXT]; // that, where the log does not tell
};

// Looks whether its process runs, and is silent: then it rests, unless nothing can be written. `path`
// is its log's.
void process_result_look(struct process_result *result, const char *path);

// From when to when the logs are judged that process_result_read() is called for from now on:
// these, whose ends the moments may count from. Ends the process where `to` is before `from`.
void process_result_set_span(char **paths, const struct moment *from,
	const struct moment *to);

// Reads the log to its end. Its processes that have snapshots in that time, and how many; to be freed.
struct process_result *process_result_read(struct log *log, size_t *count);

// That log, which has been read to its end, has none. False after a warning: that is an error, since
// it is the only log, or a moment is a number, or its snapshots do not say when they were written.
bool process_result_leave_out(const struct log *log);

// In how many of the logs process_result_set_span() was called for that was none, in a line. False:
// in no one.
bool process_result_tell_left_out(void);

// Whether the process's program, or what that calls itself, matches one of these, as fnmatch(3) does
// (POSIX.1-2008, 2.13). An empty list: it does.
bool process_result_is_named(const struct run *run, const struct option_list *patterns);

// What it is, which of its snapshots are judged, and what the log lacks, to standard output.
void process_result_print_heading(const struct process_result *result, struct log *log);

#endif
