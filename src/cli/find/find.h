// SPDX-License-Identifier: BSD-2-Clause
// find: runs a command, reads what is known of a running process, and finds the logs of both.

#ifndef PMEM_CLI_FIND_H
#define PMEM_CLI_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "log/run.h"
#include "log/line.h"

// child: runs a command as a child that acts as if it were this process. The child gets the
// signals that we are sent. We stop when the child stops, and end as it ends.
//
// There is one child at a time, and one thread. child_start() blocks all signals of this process
// for good. They wait in the kernel until child_wait() passes them on. So none is lost, and none
// needs a handler. The child has the mask and the dispositions that we were started with.

// Starts the program, found by PATH, in our process group. Returns its pid, or -1 with errno if it
// cannot be run.
pid_t child_start(char **argv);

// Waits until the child has ended, and passes signals on. Returns the child's wait status.
int child_wait(pid_t child);

// Ends this process by the signal that ended the child. If no signal did, returns the exit status
// that says the same.
int child_repeat_end(int status);

// process: what /proc says of a running process.

enum {
	PROCESS_UIDS = 4,
	// The most that two clocks may differ for one moment.
	PROCESS_CLOCKS_MS = 2000,
};

struct proc {
	long pid;         // as we see it
	long inner_pid;   // as the process sees it, in its own namespace
	long parent;
	uint64_t ticks;   // clock ticks from the boot to its start
	int64_t start_ms; // Unix time of its start, by today's clock
	unsigned uids[PROCESS_UIDS];
};

// Sets *process. Returns false if there is no such process, or it has ended.
bool process_read(struct proc *process, long pid);

// Returns the clock ticks from the boot until now. A process that starts later has as many, or
// more.
uint64_t process_ticks_now(void);

// Returns true if the process has not ended since it was read.
bool process_is_there(const struct proc *process);

// Sets path to the target of /proc/PID/NAME, as the process sees it. Returns false if it is not
// known.
bool process_link(const struct proc *process, const char *name, char path[PATH_MAX]);

// Finds the process that writes this run's log. Returns false if the process has ended, or if
// nothing is known of it. *known is false if the run is of another machine or container, or the
// clock was set since.
bool process_of_run(struct proc *process, const struct run *run, bool *known);

// Returns true if a file of that name is mapped into the process. Returns false with errno if that
// is not known. errno is 0 if it is known.
bool process_has_mapped(const struct proc *process, const char *name);

// Returns the most bytes that the process ever had in memory, plus the bytes swapped out. 0 if not
// known.
uint64_t process_memory(const struct proc *process);

// Gets a variable of the process's first environment. Returns false with errno EAGAIN if the
// environment is empty. It is also empty for a moment within exec.
bool process_variable(const struct proc *process, const char *name,
	char value[PATH_MAX]);

// logs: finds the log of a running process, and the logs that a command has written.

// Returns the path of the log of a running process, which the caller owns.
//
// The library writes pmem.<pid>.log where the process was started. /proc does not tell that
// directory, since the process may have left it. Four places are searched: its present directory,
// its PWD variable, its parent's directory, and the fallback directory. Each is taken as the
// process sees it, since it may have its own root. A log's headers say whether it is of that
// process, or of an earlier one.
//
// Returns NULL after a warning that names the places and the cause.
char *find_log(const struct proc *process);

// Returns true if that is the file that the process writes, and not a copy of it. If none of the
// places has a log, a file of the log's name is taken for it.
bool find_is_log(const struct proc *process, const char *path);

// Returns true if a process can have written its log by this name. The library writes through no
// link, so a link there leads to a file from somebody else.
bool find_may_be_log(const char *path);

// written: whether silence shows that a process rests.

enum { WRITTEN_TEXT = 256 };

// Finds the process that writes this run's log. Returns true if it runs and writes to this very
// file. A copy says nothing of the time since it was made. *known is set as by process_of_run().
bool written_now(struct proc *process, const struct run *run, const char *path, bool *known);

// Returns true if nothing can be written to the log now. Silence is no rest then. `snapshots` is
// the number of snapshots in the log. why[] says why, and what to do.
bool written_not_now(const struct proc *process, const char *path, uint64_t snapshots,
	char why[WRITTEN_TEXT]);

// why: tells why there is no log. It names the first cause found, and what to do.

enum { WHY_TEXT = PATH_MAX + 512 };

// Returns true if nothing can be preloaded into what this file runs, including a script's
// interpreter. `name` is its name in the text. Returns false if it can, or if that is not known.
bool why_of_file(char why[WHY_TEXT], const char *path, const char *name);

// Returns true if no log can begin in this folder, nor in the fallback folder. `may_write` means
// that another user than the caller would write there.
bool why_of_folder(char why[WHY_TEXT], const char *folder, bool may_write);

// Sets why[] to the cause for a running process.
void why_of_process(char why[WHY_TEXT], const struct proc *process);

// Returns true if an operand of a command line is a pid: digits, and no file.
bool find_is_pid(const char *operand);

// Returns find_log() of the process with that pid, and sets *process. Ends our process with
// EXIT_DATA if there is no such process, or no log.
char *find_log_of_pid(const char *pid, struct proc *process);

// Returns the pid, as we see it, of a process that was named by its pid. `number` counts from 0.
// Returns 0 if there are no more.
long find_named(size_t number);

// Replaces pids among the operands by their logs, in place.
char **find_logs_of_pids(char **operands);

// Returns the logs that a command line means. Pids become their logs, and folders become the logs
// in them (input.h). Duplicates are left out (duplicates.h). The result is valid until the next
// call.
char **find_logs(char **operands);

// Finding the logs that the processes of one run have written:
//
// A log belongs to the run if it has a header whose process started no earlier than the run. That
// holds for descendants, whatever became of their parents. It also holds for processes that others
// start meanwhile in the same directory. A log does not say whose child its process is.
//
// Two directories are searched: where the run began, and PMEM_LOG_FALLBACK_DIR. A program that a
// descendant starts in another directory writes there, and is not found. The fallback directory
// has anybody's logs. A log there belongs to the run if it began in the run's directory. It also
// does if its parent is the command or has a log of the run.
struct run_start {
	int64_t time_ms;
	uint64_t ticks;      // clock ticks from the boot until then
	char home[PATH_MAX]; // the run's directory
};

// Stores when and where the run begins. To be called before the command is started.
void logs_mark(struct run_start *start);

// Names the child's log on standard error. To be called once the child has started.
void logs_foretell(const struct run_start *start, pid_t child);

// Lists the logs on standard error, the child's first. If there is none, says why for that
// command, whose wait status (wait(2)) is `status`. Returns the paths in that order,
// NULL-terminated. Some are missing if memory is short.
char **logs_tell(const struct run_start *start, pid_t child, char *const *command, int status);

#endif
