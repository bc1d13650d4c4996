// SPDX-License-Identifier: BSD-2-Clause
// service: one answer of `pmem leaks` for many processes: those that leak come first, the fastest
// first, what they leak is summed, and those of which there is nothing to say are in a line.
//
// process_result: what `pmem leaks` finds of a process that a log tells of, with its history.
//
// baseline: what leaked in the release before, so that only what leaks more is told as a leak.

#ifndef PMEM_CLI_SERVICE_H
#define PMEM_CLI_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "find/find.h"
#include "trend/findings.h"

struct process_result {
	struct run *run;
	struct history *history;  // to be closed
	uint64_t first, last; // numbers of snapshots that are judged
	uint64_t exit;        // of the exit's, which is not
	int64_t last_ms;      // when the last was written; 0: not known
	int64_t wait_ms;      // for so long behind it the log's rate may make the next one wait
	int64_t silent_ms;    // since then, of a process that runs; 0: not known
	uint64_t memory;      // as process_memory() has it; 0: not known
	const char *unwritten; // why nothing can be written since then; NULL: not known
	char why[WRITTEN_TEXT]; // that, where the log does not tell
};

// Looks whether its process runs, and is silent: then it rests, unless nothing can be written. `path`
// is its log's.
void process_result_look(struct process_result *result, const char *path);

// From when to when the logs are judged that process_result_read() is called for from now on:
// these, whose ends the moments may count from. Ends the process where `to` is before `from`.
void process_result_set_span(char **paths, const struct moment *from,
	const struct moment *to);

// Reads the log to its end. Its processes that have snapshots in that time, and how many; to be freed.
struct process_result *process_result_read(struct log *log, size_t *count);

// That log, which has been read to its end, has none. False after a warning: that is an error, since
// it is the only log, or a moment is a number, or its snapshots do not say when they were written.
bool process_result_leave_out(const struct log *log);

// In how many of the logs process_result_set_span() was called for that was none, in a line. False:
// in no one.
bool process_result_tell_left_out(void);

// Whether the process's program, or what that calls itself, matches one of these, as fnmatch(3) does
// (POSIX.1-2008, 2.13). An empty list: it does.
bool process_result_is_named(const struct run *run, const struct option_list *patterns);

// What it is, which of its snapshots are judged, and what the log lacks, to standard output.
void process_result_print_heading(const struct process_result *result, struct log *log);

// impossible: live that cannot be.

// Of a process that runs, or whose log tells of blocks that are freed without its seeing: where its
// small blocks are more than ever was resident, or is swapped out, nothing is judged by live.
// `memory` as in process_result; `resident` by the log.
void impossible_look(struct findings *findings, const struct run *run, double resident,
	uint64_t memory);

// severity: how much there is to say of a process, where there are many.

// In the order in which they are printed.
enum severity {
	SEVERITY_LEAKS,
	SEVERITY_REMARK, // something else grows, or less surely; or the log lacks something
	SEVERITY_SHORT,  // too short or too few snapshots to tell, and not known to stand still since
	SEVERITY_NONE,
};

// `min_time` as for findings.h: what is shorter tells only how a process starts.
enum severity severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time);

// By its snapshots alone it is too short to tell: they say how it began.
bool severity_is_brief(const struct history_span *span, double min_time);

// The word for a process in a table of many: what most is said of it.
const char *severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time);

struct service_style {
	uint64_t most;   // sources, or processes, in a table
	bool all;        // no process is folded
	bool by_name;    // sources are one by the names of their functions (rows/grouping.h)
	bool is_release; // it is compared with the one before: lines of a language move
	bool by_process; // a line for each process, and nothing else of it
	double min_time; // as for findings.h
};

// Before anything else.
void service_open(const struct service_style *style);

// What is printed to standard output between these two is the answer for one process.
void service_begin(void);
// fails: what it leaks is too much by itself.
void service_end(const struct run *run, const struct findings *findings, struct history *history,
	bool fails);

// Whether it was of any process. From here on, when all have been told of, what is no process of its own
// does not count: of two logs of a run that tell of the same snapshots, the one that reaches less far.
bool service_fails(void);

// What leaks in all processes so far, in bytes an hour; or of it what they did not let go of as they
// ended.
double service_rate(bool lost);

// All answers, to standard output; of one process that alone.
void service_print(void);

// Of several processes what leaks in all, and those that do not, in sentences, a line each.
void service_print_words(void);

// Of the release before: each call adds what leaked in one more of its processes, however briefly.
// Names of its frames must have been looked up (symbols.h).
void baseline_add(const struct findings *findings, const struct history *history);

// What the source leaked then, in the process in which it did most. For leaks_asked.before.
struct work_rate baseline_of(const struct source *source);

// Of the release that is judged: each call tells of one more of its processes.
void baseline_meet(const struct run *run);

// When all have been judged: warns where none of these processes is of a program that the release
// before has, by the names of their files without a version at the end. Warns of sources that leaked
// then that nobody has asked for, and of which not all of the program's functions have names, so that
// their modules alone were compared; unless nothing leaks now that did not then.
void baseline_warn(void);

#endif
