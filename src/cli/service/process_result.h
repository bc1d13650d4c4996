// SPDX-License-Identifier: BSD-2-Clause
// process_result: the processes of a log, each with its history and what is known of it.

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
	uint64_t exit;        // number of the exit's snapshot, which is not judged
	int64_t last_ms;      // when the last one was written. 0 if not known
	int64_t wait_ms;      // the log's rate may delay the next snapshot for this long
	int64_t silent_ms;    // time since the last one, of a running process. 0 if not known
	uint64_t memory;      // as from process_memory(). 0 if not known
	const char *unwritten; // why nothing can be written since then. NULL if not known
	char why[WRITTEN_TEXT]; // the text of `unwritten`, if it is not from the log
};

// Checks whether the process runs and is silent. Then it rests, unless nothing can be written.
// `path` is its log's.
void process_result_look(struct process_result *result, const char *path);

// Sets the time that later calls of process_result_read() judge. Moments may count from the ends
// of these logs. Ends our process if `to` is before `from`.
void process_result_set_span(char **paths, const struct moment *from,
	const struct moment *to);

// Reads the log to its end. Returns its processes that have snapshots in that time, and sets their
// number. The caller frees the array.
struct process_result *process_result_read(struct log *log, size_t *count);

// Handles a log that was read to its end and has no snapshot in that time. Returns false after a
// warning if that is an error. It is one for the only log, for a moment by number, and for
// snapshots without times.
bool process_result_leave_out(const struct log *log);

// Warns in one line of how many logs had no snapshot in that time. Returns false if there were
// none.
bool process_result_tell_left_out(void);

// Returns true if the process's program, or the name that it gave itself, matches a pattern.
// Patterns are those of fnmatch(3) (POSIX.1-2008, 2.13). An empty list matches all.
bool process_result_is_named(const struct run *run, const struct option_list *patterns);

// Prints the process, which of its snapshots are judged, and what the log lacks.
void process_result_print_heading(const struct process_result *result, struct log *log);

#endif
