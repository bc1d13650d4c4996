// SPDX-License-Identifier: BSD-2-Clause
// process_log: a log that is followed, its process, and how fast the process grows.

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
};

struct process_log {
	char *path;
	struct follow *follow;
	struct proc process; // known from the PID that was given
	bool has_process;
	bool is_alive; // at the last look: it runs, or
	bool is_gone;  // the process has ended. Both false if not known
	// The following are private.
	uint64_t run;
	struct point latest;
	struct point *points; // about one a minute, since an hour before `latest`
	size_t point_count, point_room;
};

// Returns NULL after a warning.
struct process_log *process_log_open(const char *path);
void process_log_close(struct process_log *log);

// Reads what has been written since. Returns true if there was a snapshot.
bool process_log_take(struct process_log *log, bool progress);

// Checks whether the process is running.
void process_log_look(struct process_log *log);

// Sets the growth of live in bytes an hour, over the last hour of the log or a shorter log. If the
// process runs and is silent, the time until now counts, too. The time ends at an exit that the
// log has, and memory freed there does not count. Returns false if growth is not known.
bool process_log_growth(const struct process_log *log, int64_t now_ms, double *growth);

#endif
