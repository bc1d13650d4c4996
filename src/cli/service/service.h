// service: one answer of `pmem leaks` for many processes: those that leak come first, the fastest
// first, what they leak is summed, and those of which there is nothing to say are in a line.
//
// judged: the processes that a log tells of, each with its history.
//
// baseline: what leaked in the release before, so that only what leaks more is told as a leak.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "trend/findings.h"

struct judged {
	struct run *run;
	struct history *history;  // to be closed
	uint64_t first, last; // numbers of snapshots that are judged
	uint64_t exit;        // of the exit's, which is not
};

// From when to when the logs are judged that judged_read() is called for from now on: these, whose
// ends the moments may count from. Ends the process where `to` is before `from`.
void judged_settle(char **paths, const struct moment *from, const struct moment *to);

// Reads the log to its end. Its processes that have snapshots in that time, and how many; to be freed.
struct judged *judged_read(struct log *log, size_t *count);

// Whether the process's program, or what that calls itself, matches one of these, as fnmatch(3) does
// (POSIX.1-2008, 2.13). An empty list: it does.
bool judged_is_named(const struct run *run, const struct option_list *patterns);

struct service_style {
	uint64_t most;   // sources, or processes, in a table
	bool all;        // no process is folded
	bool by_name;    // sources are one by the names of their functions (rows/alike.h)
	bool by_process; // a line for each process, and nothing else of it
};

// Before anything else.
void service_open(const struct service_style *style);

// What is printed to standard output between these two is the answer for one process.
void service_begin(void);
void service_end(const struct run *run, const struct findings *findings, struct history *history);

// What leaks in all processes so far, in bytes an hour.
double service_rate(void);

// All answers, to standard output; of one process that alone.
void service_print(void);

// Of the release before: each call adds what leaked in one more of its processes, however briefly.
// Names of its frames must have been looked up (symbols.h). How many sources leak of which not all of
// the program's functions have one: they are compared by modules there.
size_t baseline_add(const struct findings *findings, const struct history *history);

// What the source leaked then, in the process in which it did most. For leaks_asked.before.
struct work_rate baseline_of(const struct source *source);

#endif
