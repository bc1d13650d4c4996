// process: what /proc says of a process that runs.

#ifndef PMEM_CLI_PROCESS_H
#define PMEM_CLI_PROCESS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

enum {
	PROCESS_UIDS = 4,
	// How far apart two clocks' words for one moment may be.
	PROCESS_CLOCKS_MS = 2000,
};

struct proc {
	long pid;         // as we see it
	long inner_pid;   // as it sees itself, in a namespace of its own
	long parent;
	uint64_t ticks;   // clock ticks from the boot to its start
	int64_t start_ms; // Unix time of that, by today's clock
	unsigned uids[PROCESS_UIDS];
};

// False: there is no such process, or it has ended.
bool process_read(struct proc *process, long pid);

// Whether it has not ended meanwhile.
bool process_is_there(const struct proc *process);

// Where /proc/PID/NAME leads to, as the process sees it. False: it cannot be told.
bool process_link(const struct proc *process, const char *name, char path[PATH_MAX]);

// The process that writes this run's log. False: it has ended; *known is false when that
// cannot be told: it is of another machine or container, or the clock was set meanwhile.
bool process_of_run(struct proc *process, const struct run *run, bool *known);

// Whether a file of that name is mapped into it. False also, with errno, when it cannot
// be told; errno is 0 when it can.
bool process_has_mapped(const struct proc *process, const char *name);

// A variable of the environment that it was started with.
bool process_variable(const struct proc *process, const char *name,
	char value[PATH_MAX]);

#endif
