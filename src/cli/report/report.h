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
#include "report/severity.h"
#include "rows/row.h"
#include "trend/findings.h"

// Rates of processes. Processes that come and go do not all leak at one time. So a sum over all
// of them would be too high. The sum is the highest that there was at any time.
//
// A zeroed struct has no rates.
struct report_rates {
	struct rate_of_process {
		size_t process;
		int64_t first, last; // when the rate began, and when the process ended; INT64_MAX if it has not
		double rate; // in bytes an hour
	} *all;
	size_t count, room;
};

// Adds a rate. All rates of one process must be added one after another. Their sum begins with the earliest.
// Returns true if this is the first one of its process.
bool report_rates_add(struct report_rates *rates, const struct rate_of_process *rate);

// Returns the highest sum of rates at one time. Frees the rates.
double report_rates_highest(struct report_rates *rates);

// What is said of one source, of all stacks of one line, or of the process's memory as a whole.
struct report_finding {
	// The source's stack, or what the stacks of one line have in common. Of {rest}, `most` is the
	// line that most of it is in. Memory of the process as a whole has no stack.
	struct row row, most;
	size_t stacks; // how many stacks were judged as one
	const struct source *const *sources; // these stacks, those first that grew most
	struct report_word word;
	bool grows;         // growth was found, of whatever verdict. If not, what follows is 0 up to `lowest`
	// the probability of a leak, among sources of which few leak; at most 0.999
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
	enum verdict history; // what its live bytes did (trend/verdict.h)
	bool is_known;      // of memory as a whole: the log has its values
	struct leak_sum sum; // of memory as a whole: its growth, as that of sources is summed
};

// Most of live memory came in the last moments. Whether it stays is not known yet.
struct report_burst {
	double growth, now; // bytes that came, and live bytes at the end; 0 if there is no burst
	int64_t since;
	double of_row;      // bytes of it that came at `row`; 0 if that is not known
	struct row row;
};

struct report_process {
	const struct run *of; // NULL once the log is closed
	char *log, *program, *command; // the log's path, the program's name, the command line
	char *script;      // what its interpreter runs (script.h); "" if not known
	char *name;        // the script's file name, or else the program, or the log's name
	char *title;       // the program, with what of its arguments fits, or its script; or the log's name
	char *host;        // "" if not known
	long pid;
	uint64_t run; // the run's id; 0 if not known
	bool has_times, has_ended;
	// runs: the process surely runs now. is_gone: it surely does not, and its log has no exit. The
	// caller sets both
	bool runs, is_gone;
	int64_t heard, age; // when its last snapshot was written, and how long ago, in ms; 0 if not known
	uint64_t snapshots; // how many snapshots were judged
	int64_t first, last; // moments of the first and the last of these
	struct report_word word;
	// if it is too early for all or a part of what grows: when to ask again. ask_again is a moment, ask_in
	// counts ms from the last known moment. 0 if not known
	int64_t ask_again, ask_in;
	enum severity severity;
	bool is_short;     // it ended before it could have a rate
	size_t job;        // not 0 if it is a run of a job (jobs.h), which is judged with the others
	bool is_beginning; // the log may be the first part of a run that goes on in another log
	int fails;         // the exit status if it alone fails a test (failure.h), or else 0
	// in the order of trend/findings.h. The first `leaks` grow or grew. Of these, the first `standing` leak
	// for sure, and the last `little` grow by too little to matter. All others follow
	struct report_finding *findings;
	size_t count, leaks, standing, little;
	// how many sources were judged, and how many --match and the like left out
	size_t judged, left_out;
	struct report_finding gauges[GAUGES_JUDGED]; // memory of the process as a whole
	size_t number;     // the processes are numbered in the order of report_add()
	double rate, held_rate; // of all leaks together, and the part that was freed at the end
	double rss_rate;   // of resident memory; beside leaks at most that from when the first began
	double growth;     // of live and mapped memory since the first snapshot
	double growth_of_all; // the same, but since the first leak began
	double growth_hidden; // the part of it that the log does not show by source
	double live, rss, mapped; // at the end, in bytes; 0 if not known
	double live_last;  // `live`, and what the program mapped itself, if that is judged, too
	struct limit limit; // of memory
	double limit_rate; // the highest of the rates at which the limit comes nearer
	char *outside_like; // what memory outside of blocks that grows looks like; NULL if not known
	struct leak_sum sums[STANDINGS]; // the leaks of each standing: slopes are rates, times count from `first`
	size_t of_history[VERDICTS]; // how many sources have each verdict of trend/verdict.h
	struct report_burst burst;
	double growth_unseen, growth_live; // of sources that may be freed unseen; of live memory
	size_t unseen;     // how many sources may be freed unseen
	double touched, memory; // if more than `memory` is said to be live: at least these bytes are
	bool is_impossible; // more is said to be live than was in memory
	bool hides_growth; // much growth is in sources that the log does not show, or some is beside leaks
	bool rest_leaks;   // these sources leak together
	bool is_live_leak; // live memory as a whole surely grows
	bool keeps_most;   // most growth is of sources that free less than half of their blocks
	bool has_mapped;   // the program maps memory itself, and that is judged, too
	bool is_cut_short; // nothing could be written behind the last snapshot
	bool outside_grows, files_grow;
	bool has_exit, stands_still; // the log has the exit; nothing changed since the last snapshot
	bool has_few;      // too few windows to judge any source
	bool is_crowded;   // most snapshots are of one time
	int64_t fell;      // if live memory fell only as the process ended: the moment before; else 0
	double idle;       // how long it has not grown, and was hardly at work, in ms; 0 if it was
	int64_t silent;    // the time after the last snapshot in which nothing changed
	char *notes;       // lines on what the log lacks; NULL if they are not asked for
	char *unwritten;   // why nothing could be written behind the last snapshot; NULL if it could
	struct outside_growth outside; // growth that is in no block, and what may be the cause
	char *text;        // what is printed of it while its log is open; NULL if nothing is
	struct arena arena; // memory of texts and rows
};

// Returns the confidence of the least sure of those leaks that stand. If there is none, returns that of
// the growth of live memory.
static inline double
report_confidence(const struct report_process *process)
{
	double lowest = process->standing > 0 ? 1 : process->gauges[GAUGE_LIVE].confidence;

	for (size_t i = 0; i < process->standing; i++)
		lowest = process->findings[i].confidence < lowest ? process->findings[i].confidence : lowest;
	return lowest;
}

// Returns true if nobody can tell yet, or ever, whether there is a leak.
static inline bool
report_is_unjudged(const struct report_word *word)
{
	return word->verdict == REPORT_EARLY || word->verdict == REPORT_NOT_JUDGED;
}

// Returns true if the process no longer runs. It then has no memory, and reaches no limit.
static inline bool
report_is_over(const struct report_process *process)
{
	return process->has_ended || process->is_gone;
}

// Returns true if the last snapshot is old, and nobody knows whether the process still runs.
static inline bool
report_is_old(const struct report_process *process)
{
	static const int64_t old_ms = 5 * 60 * 1000;
	return !process->runs && !report_is_over(process) && process->age >= old_ms;
}

// Returns when the earliest leak that stands began. If none stands, returns when live memory began to grow.
static inline int64_t
report_leaks_since(const struct report_process *process)
{
	int64_t since = process->standing > 0 ? INT64_MAX : process->gauges[GAUGE_LIVE].since;

	for (size_t i = 0; i < process->standing; i++)
		since = process->findings[i].since < since ? process->findings[i].since : since;
	return since;
}

// Returns the rate that the process has from `since` to its end.
static inline struct rate_of_process
report_rate_of(const struct report_process *process, int64_t since, double rate)
{
	return (struct rate_of_process){process->number, since,
		process->runs ? INT64_MAX : process->last, rate};
}

// Returns true if live memory grew with the load, and fell back. A process that frees everything as
// it ends does so, even if it leaked before.
static inline bool
report_fell_back(const struct report_process *process)
{
	const struct report_finding *live = &process->gauges[GAUGE_LIVE];
	return live->history == VERDICT_UP_AND_DOWN && live->live < (live->lowest + live->highest) / 2;
}

// All processes. A zeroed struct has none.
struct report {
	struct report_process *processes;
	size_t count, room;
	size_t left_out; // how many more report_settle() has left out; they are behind the others
	const struct report_jobs *jobs; // what short runs left (jobs.h); NULL if nobody asked
};

// Makes the report of a process. Rows lie in the log until report_keep(). The names of the frames
// must have been looked up (symbols.h).
void report_make(struct report_process *process, const struct run *run, const char *log,
	const struct findings *findings, struct history *history, double min_time);

// Defined in report_whole.c and called by report_make(), when rows and sums are there. Sets what is
// said of the process as a whole.
void report_add_whole(struct report_process *process, const struct findings *findings,
	struct history *history, double min_time);

// Leaves only leaks, and copies their rows, so that the log and the history can be closed.
void report_keep(struct report_process *process);

// Adds one process, which is freed with the report.
void report_add(struct report *report, const struct report_process *process);

// Leaves processes out whose log has only the beginning of a run that goes on in another log. This
// happens if the process changes its user, and may then no longer write to the first log's folder.
// The first log is mostly short. It must not be counted as a process of its own.
void report_settle(struct report *report);

// Returns a report of only those processes that are not over. The caller frees `processes`, and
// nothing else.
struct report report_living(const struct report *report);

// Returns what all processes leak, in bytes an hour, less those without times. With `lost`, leaks that a
// process freed as it ended are not counted. If some of them never leaked at one time, this is the
// highest rate at any time. Then *is_highest becomes true, unless is_highest is NULL.
double report_rate(const struct report *report, bool lost, bool *is_highest);

// Returns how many processes have this severity.
size_t report_count(const struct report *report, enum severity severity);

void report_free(struct report *report);

#endif
