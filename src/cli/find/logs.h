// logs: finds the logs that the processes of one run have written.
//
// A log belongs to the run when it has a header whose process started no earlier than the
// run. That holds for descendants whatever became of their parents; and also for what
// others started meanwhile in the same directory: a log does not say whose child it is.
// Looked for in the directory where the run began and in PMEM_LOG_FALLBACK_DIR; a program
// that a descendant starts in another directory writes there, and is not found.

#ifndef PMEM_CLI_LOGS_H
#define PMEM_CLI_LOGS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

struct run_start {
	int64_t time_ms;
	char home[PATH_MAX]; // the directory
};

// Remembers when and where. Before the command is started.
void logs_mark(struct run_start *start);

// Says on standard error which logs there are, the child's first; or that there is none.
// Their paths, NULL-terminated, in that order; fewer where memory is short.
char **logs_tell(const struct run_start *start, pid_t child);

#endif
