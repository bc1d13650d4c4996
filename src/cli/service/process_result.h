// SPDX-License-Identifier: BSD-2-Clause
// process_result: the processes of a log, each with its history and the numbers of its snapshots.

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
	struct history *history;  // the caller closes it
	uint64_t first, last; // numbers of the snapshots that are judged
	uint64_t exit;        // number of the snapshot at the exit, which is not judged
	int64_t last_ms;      // when the last snapshot was written; 0 if not known
	int64_t wait_ms;      // the log's limits may delay the next snapshot for this long
	int64_t silent_ms;    // time since the last snapshot, if the process still runs; 0 if not known
	uint64_t memory;      // as process_memory() returns it; 0 if not known
	const char *unwritten; // why no snapshot can be written since the last one; NULL if not known
	char why[WRITTEN_TEXT]; // the text of `unwritten`, unless that is a note of the log
};

// Checks whether the process still runs, and how long it has written nothing. If nothing keeps it
// from writing, it rests: its history goes on unchanged until now. `path` is its log's.
void process_result_look(struct process_result *result, const char *path);

// Sets the time that later calls of process_result_read() judge. Relative moments count from the
// ends of these logs. Ends our process if `to` is before `from`.
void process_result_set_span(char **paths, const struct moment *from,
	const struct moment *to);

// Reads the log to its end. Returns the processes that have snapshots in the time that was set, and
// sets *count. The caller frees the array.
struct process_result *process_result_read(struct log *log, size_t *count);

// Handles a log that was read to its end and has no snapshot in the time that was set. For one of
// several logs that is no error, and the log is counted. It is an error for the only log, for a
// moment given by number, and for snapshots without times. Then it warns and returns false.
bool process_result_leave_out(const struct log *log);

// Warns in one line how many logs had no snapshot in the time that was set. Returns false if there
// were none.
bool process_result_tell_left_out(void);

// Returns true if the process's program, or the name that it gave itself, matches a pattern.
// Patterns are those of fnmatch(3) (POSIX.1-2008, 2.13). An empty list matches all.
bool process_result_is_named(const struct run *run, const struct option_list *patterns);

// Prints the process, which of its snapshots are judged, and what the log lacks.
void process_result_print_heading(const struct process_result *result, struct log *log);

#endif
