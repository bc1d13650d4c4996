// SPDX-License-Identifier: BSD-2-Clause
// process_log: one log that is read while it is being written. Also says whether its process runs,
// and how fast the process grows.

#ifndef PMEM_CLI_PROCESS_LOG_H
#define PMEM_CLI_PROCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find/find.h"
#include "log/follow.h"

struct point {
	int64_t time_ms; // Unix time
	uint64_t held; // bytes, live and mapped
	uint64_t sources; // the process's sources so far
};

struct process_log {
	char *path;
	struct follow *follow;
	struct proc process; // the process, if the user gave its pid
	bool has_process;
	bool is_alive; // true if the process ran when last checked; false if not known
	bool is_gone;  // true if the process had ended when last checked; false if not known
	bool is_found; // private to process_list.h: its search has found the process
	// The following are private.
	uint64_t run;
	struct point latest;
	struct point *points; // about one in ten seconds, for the hour before `latest`
	size_t point_count, point_room;
};

// Opens a log. Returns NULL after a warning.
struct process_log *process_log_open(const char *path);

// Reads what has been written since the last call. Returns true if a snapshot was read.
bool process_log_take(struct process_log *log, bool progress);

// Checks whether the process runs.
void process_log_look(struct process_log *log);

// Sets *growth to how fast live and mapped bytes grow, in bytes an hour. It is measured over the
// log's last hour, or over a shorter log, without the process's start (summary_is_starting(), snapshot.h).
// If the process runs and writes nothing, the time until now counts, too. If the process has exited,
// the time ends with its exit, and memory freed in the exit is ignored. Returns false if the growth
// is not known, as in the first ten seconds after the start.
bool process_log_growth(const struct process_log *log, int64_t now_ms, double *growth);

#endif
