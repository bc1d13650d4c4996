// SPDX-License-Identifier: BSD-2-Clause
// find: runs a command, reads from /proc about a running process, and finds logs of a command or
// process.

#ifndef PMEM_CLI_FIND_H
#define PMEM_CLI_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "log/run.h"
#include "log/line.h"

// child: runs a command as a child process, so that it seems as if our process had become the
// command. Signals that are sent to us are passed on to the child. If the child stops, we stop. If
// it ends, we end in the same way.
//
// Only one child runs at a time, and our process has one thread. child_start() blocks all signals
// of this process for good. Signals wait in the kernel until child_wait() passes them on. So no
// signal is lost, and no handler is needed. The child has the signal mask and dispositions that we
// were started with.

// Starts the program, found by PATH, in our process group. Returns the child's pid, or -1 with
// errno if the program cannot be run.
pid_t child_start(char **argv);

// Waits until the child has ended, and meanwhile passes signals on to it. Returns the child's wait
// status.
int child_wait(pid_t child);

// Ends this process by the signal that ended the child. If the child ended by itself, returns its
// exit status instead.
int child_repeat_end(int status);

// process: what /proc says of a running process.

enum {
	PROCESS_UIDS = 4,
	// A process's start time in /proc and its start time in the log come from two clocks. They
	// count as equal if they differ by at most this.
	PROCESS_CLOCKS_MS = 2000,
};

struct proc {
	long pid;         // the process's pid in our pid namespace
	long inner_pid;   // the process's pid in its own pid namespace
	long parent;
	uint64_t ticks;   // clock ticks from the boot to its start
	int64_t start_ms; // Unix time of its start, computed with the clock as it is set now
	unsigned uids[PROCESS_UIDS];
};

// Fills in *process. Returns false if no process has this pid, or if it has ended.
bool process_read(struct proc *process, long pid);

// Returns the clock ticks from the boot until now. If a process starts later, its `ticks` are not
// below this.
uint64_t process_ticks_now(void);

// Returns true if the process has not ended since process_read().
bool process_is_there(const struct proc *process);

// Sets path to the target of the link /proc/PID/NAME. The path is valid in the process's own view
// of the file system. Returns false if the target is not known.
bool process_link(const struct proc *process, const char *name, char path[PATH_MAX]);

// Finds the process that writes this run's log. Returns false if that process has ended, or if
// nothing is known of it. In the second case *known is false. The run is of another machine or
// container, or the clock was set since.
bool process_of_run(struct proc *process, const struct run *run, bool *known);

// Returns true if the process that writes this run's log has surely ended.
bool process_is_gone(const struct run *run);

// Returns the name of the library of ours that is mapped into the process. After NULL, errno is 0 if
// none is mapped. Any other errno says why the maps could not be read.
const char *process_library(const struct proc *process);

// Returns true if the value of LD_PRELOAD names a library of ours.
bool process_preloads_library(const char *preload);

// Finds the line of /proc/PID/FILE that begins with `name`. Sets text[] to what comes behind the
// name. Returns false if there is no such line, or if it cannot be read.
enum { PROCESS_LINE = 256 };
bool process_line(const struct proc *process, const char *file, const char *name,
	char text[PROCESS_LINE]);

// Returns the process's peak of resident memory plus what is swapped out now, in bytes. Returns 0
// if not known.
uint64_t process_memory(const struct proc *process);

// Sets value[] to a variable of the environment that the process was started with. Returns false if
// the variable is not set. errno is then EAGAIN if the environment is empty. During exec, the
// environment is empty for a moment.
bool process_variable(const struct proc *process, const char *name,
	char value[PATH_MAX]);

// logs: finds the log of a running process, and the logs that a command has written.

// Returns true if `path` is the file that the process writes, and not a copy of that file. If no
// log is where the process may write, any file with the log's name counts.
bool find_is_log(const struct proc *process, const char *path);

// Returns true if the path is a regular file, so that a process may have written a log there. The
// library never writes through a symbolic link. So a link leads to a file from somebody else.
bool find_may_be_log(const char *path);

// written: finds out whether a process that writes no snapshots is idle, or cannot write.

enum { WRITTEN_TEXT = 256 };

// Finds the process that writes this run's log. Returns true if the process runs, and `path` is the
// file that it writes. Returns false for a copy of the log: a copy lacks what was written later.
// *known is set as by process_of_run().
bool written_now(struct proc *process, const struct run *run, const char *path, bool *known);

// Returns true if the process cannot write to its log now. Then it may be busy, although it writes
// no snapshots. `snapshots` is the number of snapshots in the log. Sets why[] to the reason, and to
// what to do.
bool written_not_now(const struct proc *process, const char *path, uint64_t snapshots,
	char why[WRITTEN_TEXT]);

// why: finds out why a program has no log. It names the first cause that it finds, and what to do.

enum { WHY_TEXT = PATH_MAX + 512 };

// Returns true if the loader does not preload the library into the program in this file. Then sets
// why[] to the reason. If the file is a script, its interpreter is examined instead. why[] names
// the program as `name`. Returns false if no reason against preloading is found.
bool why_of_file(char why[WHY_TEXT], const char *path, const char *name);

// Returns true if no log can begin in this folder or in the fallback folder. Then sets why[] to the
// reason. If `may_write` is true, permissions are not checked, because the log's writer is another
// user than we are.
bool why_of_folder(char why[WHY_TEXT], const char *folder, bool may_write);

// Sets why[] to the reason why this running process has no log.
void why_of_process(char why[WHY_TEXT], const struct proc *process);

// Returns the path of the log of the process with that pid, and sets *process. The caller frees the path.
// Ends our process with EXIT_DATA if no process has that pid, or if it has no log.
char *find_log_of_pid(const char *pid, struct proc *process);

// Returns one of the pids that the command line names. `number` counts them from 0. Returns 0 if
// the command line names fewer pids.
long find_named(size_t number);

// Returns true if the operand is the pid of a process that runs.
bool find_runs(const char *operand);

// Replaces each pid among the operands by the path of that process's log, in place. If no process
// has the pid, that is pmem.PID.log in this folder.
char **find_logs_of_pids(char **operands);

// The logs that the processes of one run of a command have written:
//
// A log belongs to the run if it has a header of a process that started later. Descendants of the
// command are found in this way, even if their parents have ended. Somebody else may start a
// process in the same directory meanwhile. Its log is found, too: a log does not say whether its
// process descends from the command.
//
// Two directories are searched: the directory where the run began, and PMEM_LOG_FALLBACK_DIR. If a
// descendant starts a program in another directory, the program writes its log in that directory.
// This log is not found. The fallback directory has logs of all users. A log in it belongs to the
// run if its process was started in the run's directory. It also belongs to the run if its
// process's parent is the command, or has a log of the run.
struct run_start {
	int64_t time_ms;
	uint64_t ticks;      // clock ticks from the boot until the run began
	char home[PATH_MAX]; // the directory in which the run began
};

// Records when and where the run begins. Must be called before the command is started.
void logs_mark(struct run_start *start);

// Prints on standard error where the child's log will be. To be called once the child has started.
void logs_foretell(const struct run_start *start, pid_t child);

// Lists the run's logs on standard error, the child's log first. If no log is found, says why
// `command` has no log; `status` is its wait status (wait(2)). Returns the logs' paths in the
// listed order, NULL-terminated. Some paths may be missing if memory is short.
char **logs_tell(const struct run_start *start, pid_t child, char *const *command, int status);

#endif
