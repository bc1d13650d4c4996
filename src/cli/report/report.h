// SPDX-License-Identifier: BSD-2-Clause
// report: what `pmem leaks` answers, as a value. Text, JSON and the page are made of this value.
//
// Bytes, blocks and rates are numbers of double, since sums and slopes of a sampled log have
// fractions. A moment is Unix time in milliseconds, or the number of a snapshot in a log without
// times. A rate is in bytes an hour, or in bytes a snapshot in a log without times.

#ifndef PMEM_CLI_REPORT_H
#define PMEM_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "report/rates.h"
#include "report/severity.h"
#include "rows/row.h"
#include "trend/findings.h"

// What is said of one source, of all stacks of one line, or of the process's memory as a whole.
struct report_finding {
	// The source's stack, or what the stacks of one line have in common. Of {rest}, `most` is the
	// line that most of it is in. Memory of the process as a whole has no stack.
	struct row row, most;
	size_t stacks; // how many stacks were judged as one
	const struct source *const *sources; // these stacks, those first that grew most
	struct report_word word;
	bool grows;         // growth was found, of whatever verdict. If not, what follows is 0 up to `lowest`
	// 1 less the chance that noise alone makes such a rise; at most 0.999, because no verdict is certain
	double confidence;
	bool has_rate;      // false if growth was seen for too short a time for a rate
	double rate, rate_low, rate_high; // with the ends of its interval at 95 %
	double growth, growth_blocks; // since `since`
	double allocs;      // the number of allocations since `since`; 0 if not known
	int64_t since;
	bool or_earlier;    // growth may have begun before `since`
	int64_t until;      // when it was last seen to grow
	double held;        // bytes of the growth that the process freed as it ended
	double before;      // its rate in the release before; 0 if it did not leak there
	double lowest, highest, live; // live bytes: least, most, and at the end
	bool is_known;      // of memory as a whole: the log has its values
};

struct report_process {
	const struct run *of; // NULL once the log is closed
	char *log, *program, *command; // the log's path, the program's name, the command line
	long pid;
	uint64_t run; // the run's id; 0 if not known
	bool has_times, has_ended;
	bool runs;         // the process surely runs at this moment; false until the caller says so
	uint64_t snapshots; // how many snapshots were judged
	int64_t first, last; // moments of the first and the last of these
	struct report_word word;
	// the moment from which on more may be told, and in how many ms from what is known now that is, if
	// the word's verdict is REPORT_EARLY; 0 if not known
	int64_t ask_again, ask_in;
	enum severity severity;
	bool is_short;     // it ended before it could have a rate
	// not 0 if it is a run of a job (jobs.h): the others are judged by themselves
	size_t job;
	bool is_beginning; // the log may be the first part of a run that goes on in another log
	bool fails;        // true if it alone leaks too much for --fail-on
	// in the order of trend/findings.h: first `leaks` that grow or grew, of which the first `standing`
	// leak for sure, and the last `little` grow by too little to matter. Then all other sources
	struct report_finding *findings;
	size_t count, leaks, standing, little;
	// how many sources were judged, and how many --match and the like left out
	size_t judged, left_out;
	struct report_finding gauges[GAUGES_JUDGED]; // memory of the process as a whole
	size_t number;     // the processes are numbered in the order of report_add()
	double rate, held_rate; // of all leaks together, and the part that was freed at the end
	double growth;     // of live and mapped memory since the first snapshot
	double growth_of_all; // the same, but since the first leak began
	double growth_hidden; // the part of it that the log does not show by source
	double live, rss;  // at the end, in bytes; 0 if not known
	struct limit limit; // of memory
	double limit_rate; // the highest of the rates at which the limit comes nearer
	char *outside_like; // what memory outside of blocks that grows looks like; NULL if not known
	char *notes;       // lines on what the log lacks; NULL if they are not asked for
	struct outside_growth outside; // growth that is in no block, and what may be the cause
	char *text;        // what is printed of it while its log is open; NULL if nothing is
	struct arena arena; // memory of texts and rows
};

// Returns the rate with the time in which the process was seen.
static inline struct rate_of_process
report_rate_of(const struct report_process *process, double rate)
{
	return (struct rate_of_process){process->number, process->first,
		process->runs ? INT64_MAX : process->last, rate};
}

// All processes. A zeroed struct has none.
struct report {
	struct report_process *processes;
	size_t count, room;
	size_t left_out; // how many more report_settle() has left out; they are behind the others
	const struct report_jobs *jobs; // what short runs left (jobs.h); NULL if nobody asked
};

// Makes the value. Rows lie in the log until report_keep(). The names of the frames must have been
// looked up (symbols.h).
void report_make(struct report_process *process, const struct run *run, const char *log,
	const struct findings *findings, struct history *history, double min_time);

// Leaves only leaks, and copies their rows, so that the log and the history can be closed.
void report_keep(struct report_process *process);

// Adds one process, which is freed with the report.
void report_add(struct report *report, const struct report_process *process);

// Leaves processes out whose log has only the beginning of a run that goes on in another log. This
// happens if the process changes its user, and may then no longer write to the first log's folder.
// The first log is mostly short. It must not be counted as a process of its own.
void report_settle(struct report *report);

// Returns true if any process fails.
bool report_fails(const struct report *report);

// Returns what all processes leak, in bytes an hour, less those without times. With `lost`, leaks that
// a process freed as it ended are not counted. If some of them never ran at one time, this is the
// highest rate at any time (rates.h), and *is_highest, unless it is NULL, becomes true.
double report_rate(const struct report *report, bool lost, bool *is_highest);

// Returns how many processes have this severity.
size_t report_count(const struct report *report, enum severity severity);

void report_free(struct report *report);

#endif
