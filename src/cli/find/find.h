// SPDX-License-Identifier: BSD-2-Clause
// find: a command that is run, a process that runs, and the logs of both.

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

// child: a command run as a child that is, to whoever started us, as good as ourselves: it
// gets the signals we are sent, we stop when it stops and end as it ends.
//
// One child at a time, one thread. child_start() blocks all signals of this process, for
// good: they wait in the kernel until child_wait() passes them on, so none is lost and none
// needs a handler. The child has the mask and the dispositions that we were started with.

// Starts the program, found by PATH, in our process group. Its pid; or -1 with errno,
// when it cannot be run.
pid_t child_start(char **argv);

// Waits until the child has ended, passing signals on. Its wait status.
int child_wait(pid_t child);

// Ends this process by the signal that ended the child. Otherwise the exit status that says
// the same.
int child_repeat_end(int status);

// process: what /proc says of a process that runs.

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

// Clock ticks from the boot until now: a process that starts from now on has as many, or more.
uint64_t process_ticks_now(void);

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

// The most bytes that it ever had in memory, and what is swapped out. 0: it cannot be told.
uint64_t process_memory(const struct proc *process);

// A variable of the environment that it was started with. False with errno EAGAIN: the environment
// is empty, as it also is for a moment within exec.
bool process_variable(const struct proc *process, const char *name,
	char value[PATH_MAX]);

// logs: where logs are: that of a process that runs, and those that a command has written.

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

// Whether that is the file that the process writes to, and not a copy of it: where none is found at
// such a place, one of its name is taken for it.
bool find_is_log(const struct proc *process, const char *path);

// Whether a process can have written its log by this name: the library writes through no link, so
// one that stands there leads to what somebody else has put there.
bool find_may_be_log(const char *path);

// written: whether silence says that a process rests.

enum { WRITTEN_TEXT = 256 };

// The process that writes this run's log runs, and to this very file: a copy says what there was
// when it was made, and nothing of the time since. *known as for process_of_run().
bool written_now(struct proc *process, const struct run *run, const char *path, bool *known);

// Nothing can be written to it by now, which has so many snapshots; why, and what to do. Silence is
// no rest then.
bool written_not_now(const struct proc *process, const char *path, uint64_t snapshots,
	char why[WRITTEN_TEXT]);

// why: why there is no log: the first cause that is found, as a sentence with what to do.

enum { WHY_TEXT = PATH_MAX + 512 };

// Nothing can be preloaded into what this file runs, a script's interpreter, too, which is called
// so. False: it can, or nobody knows.
bool why_of_file(char why[WHY_TEXT], const char *path, const char *name);

// No log can begin in this folder, nor in the fallback folder. `may_write`: who asks is another user
// than who would write there.
bool why_of_folder(char why[WHY_TEXT], const char *folder, bool may_write);

// Of a process that runs.
void why_of_process(char why[WHY_TEXT], const struct proc *process);

// Whether an operand of a command line is a pid: digits, and no file.
bool find_is_pid(const char *operand);

// find_log() of the process with that pid, which *process becomes. Where there is no such
// process, or no log, it ends the process with EXIT_DATA.
char *find_log_of_pid(const char *pid, struct proc *process);

// The pid, as we see it, of a process that was named so, from 0 on; 0: there are no more.
long find_named(size_t number);

// The operands, in place: pids stand for their logs.
char **find_logs_of_pids(char **operands);

// The logs that a command line means: pids stand for theirs, folders for those in them (input.h),
// and duplicates are left out (duplicates.h). Until the next call.
char **find_logs(char **operands);

// Finds the logs that the processes of one run have written.
//
// A log belongs to the run when it has a header whose process started no earlier than the
// run. That holds for descendants whatever became of their parents; and also for what
// others started meanwhile in the same directory: a log does not say whose child it is.
// Looked for in the directory where the run began and in PMEM_LOG_FALLBACK_DIR; a program
// that a descendant starts in another directory writes there, and is not found. In the fallback
// directory anybody's logs lie: there a log belongs to the run when it began in the run's directory,
// or its parent is the command or has a log of the run.
struct run_start {
	int64_t time_ms;
	uint64_t ticks;      // clock ticks from the boot until then
	char home[PATH_MAX]; // the directory
};

// Remembers when and where. Before the command is started.
void logs_mark(struct run_start *start);

// Says on standard error where the child's log will be. Once it has started.
void logs_foretell(const struct run_start *start, pid_t child);

// Says on standard error which logs there are, the child's first; or why there is none, of that
// command, which ended with that status (wait(2)). Their paths, NULL-terminated, in that order; fewer
// where memory is short.
char **logs_tell(const struct run_start *start, pid_t child, char *const *command, int status);

#endif
