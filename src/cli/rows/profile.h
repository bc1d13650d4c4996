// SPDX-License-Identifier: BSD-2-Clause
// profile: one moment of one log, or of several taken together, and an earlier one: a row a
// source. What report, diff and export print.
//
// Sources of several logs are one by id, which is the same in each process and on each
// machine. Rows and the rest add up to the totals of the snapshots, exactly: what a log does not
// tell of one source for sure is in {rest}.

#ifndef PMEM_CLI_PROFILE_H
#define PMEM_CLI_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "log/log.h"
#include "rows/row.h"

struct profile {
	struct row *rows; // sources, {other} if it ever counted, {rest} if it is not zero
	size_t row_count;
	struct row total;         // the sum of all rows
	// What is left out of rows and total: of several processes, what fork's children have from before
	// their forks, where another one counts it, too.
	uint64_t shared, shared_runs; // bytes; and processes
	struct profile_run *runs; // those it was made of, one a log
	size_t run_count;
	bool is_peak;      // the moment is the peak: of one process, or
	int64_t peak_ms;   // of all together, at this time; 0: each log's own
	bool is_of_several; // logs: those that begin later than the time are left out
	size_t late;        // so many
	bool is_sampled; // at least one log is: numbers are estimates
	bool is_seeds; // at least one log has no totals: they are sums of what was last seen
	// Sources that held something before and, this is certain, hold nothing now, while their
	// calls since then are not told: {rest} counts them. `now` has the calls until then.
	struct row *gone;
	size_t gone_count;
};

struct profile_run {
	struct log *log;
	struct run *run;             // of the log's runs, the one that the moment lies in
	struct summary at, base;     // the moment, and the earlier one; place 0: MOMENT_NONE
	struct counts inherited, inherited_base; // of {inherited} then
	enum mark base_mark;         // of the run; where base is not MOMENT_NONE
	uint64_t last_number;        // of the run's last snapshot in the log
	bool leaves_others_out;      // what other runs of the log have is not here
	int64_t silent_ms;           // since the last snapshot, of a process that runs; 0: not known
};

// Reads the logs to their ends. What is loaded stays as long as the process. `base` is where
// growth is counted from; where it lies before the run's first snapshot it is MOMENT_NONE, and
// where `from_start` and both are the first snapshot, too: growth would be none, and what that
// has, the process has allocated since its start. Ends the process with EXIT_DATA when no log
// has a snapshot, or a log not that moment; a log that cannot be read, or is damaged, is warned
// about, and *bad becomes true. The peak of several logs is when they had most together; those
// whose processes were not there then are left out. So are those of several that begin later than a
// time that is asked for, with a warning.
void profile_load(struct profile *profile, char **paths, const struct moment *at,
	const struct moment *base, bool from_start, bool *bad);

// Reads a log to its end, and marks the two moments in the run that the later one lies in. False:
// the log has no snapshot, or not that moment.
bool profile_read_moments(struct log *log, const struct moment *at, const struct moment *base,
	struct profile_run *chosen);

// Ends the process, since a log has not that moment; or, where that is so, not the base in the run
// that the moment lies in; and how many logs were left out.
void profile_no_moment(const struct log *log, const struct moment *moment)
	__attribute__((noreturn));
void profile_no_base(const struct log *log, const struct moment *base, uint64_t at);
void profile_tell_late(const struct profile *profile, const struct moment *at);

// Names of the functions in all its rows (symbols.h).
void profile_resolve(const struct profile *profile);

// Largest first, by the value or by its difference, up or down; {other} and {rest} last; equal
// ones by id.
void profile_sort(struct profile *profile, enum value value, bool difference);

// Whether its rows have together what its totals say.
bool profile_adds_up(const struct profile *profile);

// How many rows are of sources.
size_t profile_sources(const struct profile *profile);

#endif
