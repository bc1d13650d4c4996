// logs: where logs are: that of a process that runs, and those that a command has written.

#ifndef PMEM_CLI_LOGS_H
#define PMEM_CLI_LOGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "log/line.h"
#include "find/process.h"

// The log of a process that runs, by its pid.
//
// The library writes pmem.<pid>.log where the process was started, and /proc does not
// tell where that was: the process may have left that directory. Looked for where it is
// now, where its environment says that it was (PWD), where its parent is, and in the
// fallback directory; each as the process sees it, which may have a root of its own. A
// log's headers say whether it is of that process, and not of an earlier one.
//
// Its path, which the caller owns. NULL after a warning that says where was looked, and
// what is missing.
char *find_log(const struct proc *process);

// The next header in a log that is of this pid, and says when it started. Its texts are in
// *text, as getline(3) has it, to be freed in the end. False: there is none.
bool find_log_header(FILE *file, long pid, struct header *header, char **text, size_t *room);

// Finds the logs that the processes of one run have written.
//
// A log belongs to the run when it has a header whose process started no earlier than the
// run. That holds for descendants whatever became of their parents; and also for what
// others started meanwhile in the same directory: a log does not say whose child it is.
// Looked for in the directory where the run began and in PMEM_LOG_FALLBACK_DIR; a program
// that a descendant starts in another directory writes there, and is not found.
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
