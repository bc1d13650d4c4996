// SPDX-License-Identifier: BSD-2-Clause
// profile: one moment of one log, or of several logs together, and an earlier moment. It has a row
// a source. report, diff and export print it.
//
// Sources of several logs are matched by id, which is the same in each process and on each machine.
// All rows, with {rest}, add up exactly to the totals of the snapshots. What a log does not prove
// of a source is in {rest}.

#ifndef PMEM_CLI_PROFILE_H
#define PMEM_CLI_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "log/log.h"
#include "rows/row.h"

struct profile {
	struct row *rows; // sources; {other} if it was ever used; {rest} if it is not zero
	size_t row_count;
	struct row total;         // the sum of all rows
	struct row mapped;        // the part of it that is mapped memory
	// What rows and total leave out: memory of fork's children from before their forks, if another
	// process counts it, too.
	uint64_t shared, shared_runs; // in bytes; the number of such processes
	struct profile_run *runs; // the runs it was made of, one a log
	size_t run_count;
	bool is_peak;      // true if the moment is the peak
	int64_t peak_ms;   // the time of the peak of all together; 0 for each log's own peak
	bool is_of_several; // logs; those that begin after the moment are left out
	size_t late;        // the number of logs left out
	bool is_sampled; // true if a log is sampled: numbers are estimates
	bool is_seeds; // true if a log has no totals: they are then sums of the last known counts
	// Sources that held something before and certainly hold nothing now, while their calls since
	// then are not known. These calls count in {rest}; `now` has only the earlier ones.
	struct row *gone;
	size_t gone_count;
};

struct profile_run {
	struct log *log;
	struct run *run;             // the run of the log that the moment is in
	struct summary at, base;     // the moment and the earlier one; place is 0 for MOMENT_NONE
	struct counts inherited, inherited_base; // of {inherited} at these moments
	enum mark base_mark;         // the run's mark; valid if base is not MOMENT_NONE
	uint64_t last_number;        // of the run's last snapshot in the log
	bool leaves_others_out;      // true if other runs of the log are not counted here
	int64_t silent_ms;           // since the last snapshot of a running process; 0 if not known
};

enum {
	PROFILE_FROM_START = 1 << 0,
	PROFILE_MAPPED = 1 << 1,
};

// Reads the logs to their ends; they stay loaded until the process ends. Growth counts from
// `base`. A base before the run's first snapshot becomes MOMENT_NONE, as does a first snapshot
// that is both moments, with PROFILE_FROM_START. Growth would be zero there, and the process has
// allocated all of it since its start. PROFILE_MAPPED adds rows of mapped memory. Warns about a
// log that is damaged or cannot be read, and sets *bad to true. Ends the process with EXIT_DATA
// if no log has a snapshot, or if a log lacks the moment. The peak of several logs is when they
// had most together; a process that did not run then is left out. So is, with a warning, one of
// several logs that begins after a requested time.
void profile_load(struct profile *profile, char **paths, const struct moment *at,
	const struct moment *base, unsigned wanted, bool *bad);

// Reads a log to its end, and marks both moments in the run that has the later one. Returns false
// if the log has no snapshot, or not that moment.
bool profile_read_moments(struct log *log, const struct moment *at, const struct moment *base,
	struct profile_run *chosen);

// profile_no_moment() ends the process because a log lacks the moment. profile_no_base() does so if
// the moment's run must have the base and lacks it. profile_tell_late() reports how many logs were
// left out.
void profile_no_moment(const struct log *log, const struct moment *moment)
	__attribute__((noreturn));
void profile_no_base(const struct log *log, const struct moment *base, uint64_t at);
void profile_tell_late(const struct profile *profile, const struct moment *at);

// Looks up the names of the functions in all rows (symbols.h).
void profile_resolve(const struct profile *profile);

// Sorts rows: the largest first, by the value or by its difference in either direction. {other} and
// {rest} come last. Equal rows are ordered by id.
void profile_sort(struct profile *profile, enum value value, bool difference);

// Returns true if the rows add up to the totals.
bool profile_adds_up(const struct profile *profile);

// Returns how many rows are of sources.
size_t profile_sources(const struct profile *profile);

#endif
