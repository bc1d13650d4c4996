// SPDX-License-Identifier: BSD-2-Clause
// process_log: a log that is followed, what is known of its process, and by how much that grows.

#ifndef PMEM_CLI_PROCESS_LOG_H
#define PMEM_CLI_PROCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find/find.h"
#include "log/follow.h"

struct point {
	int64_t time_ms; // Unix time
	uint64_t live;
};

struct process_log {
	char *path;
	struct follow *follow;
	struct proc process; // by the PID that was given
	bool has_process;
	bool is_alive; // as of the last look: it runs, or
	bool is_gone;  // it has ended; neither: that cannot be told
	// The following are private.
	uint64_t run;
	struct point latest;
	struct point *points; // about one a minute, from an hour before the latest on
	size_t point_count, point_room;
};

// NULL after a warning.
struct process_log *process_log_open(const char *path);
void process_log_close(struct process_log *log);

// Takes in what has been written since; whether there was a snapshot.
bool process_log_take(struct process_log *log, bool progress);

// Looks whether its process is there.
void process_log_look(struct process_log *log);

// Bytes an hour by which live has grown over the last hour of its log, or over all of it where that is
// shorter; until now where it runs and is silent. Up to its exit, as the log tells it, not until after
// that; what it let go of there does not count. False: that is not known.
bool process_log_growth(const struct process_log *log, int64_t now_ms, double *growth);

#endif
