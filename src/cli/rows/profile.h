// SPDX-License-Identifier: BSD-2-Clause
// profile: the rows of one moment of a log, or of several logs together. Each source has one row. A
// row also has the source's counts at an earlier moment, the base. The subcommands report, diff and
// export print profiles.
//
// Sources of several logs are matched by id, which is the same in each process and on each machine.
// All rows, with {rest}, add up exactly to the totals of the snapshots. Bytes and calls for which
// the log does not prove a source are in {rest}.

#ifndef PMEM_CLI_PROFILE_H
#define PMEM_CLI_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "log/log.h"
#include "log/moments.h"
#include "rows/grouping.h"
#include "rows/row.h"

struct profile {
	struct row *rows; // sources; {other} if it was ever used; {rest} if it is not zero
	size_t row_count;
	struct row total;         // the sum of all rows
	struct row mapped;        // the part of `total` that is mapped memory
	// Memory that fork's children share with another process, which counts it
	// (shared_after_fork.h). Rows and total leave it out. `shared` is in bytes, `shared_runs` is
	// the number of these children.
	uint64_t shared, shared_runs;
	struct profile_run *runs; // the runs whose rows these are, one a log
	size_t run_count;
	bool is_peak;      // true if the moment is the peak of live bytes
	int64_t peak_ms;   // time of the peak of all logs together; 0 if each log's own peak is taken
	// true if more than one log was given. Then logs that begin after the moment are left out
	bool is_of_several;
	size_t late;        // the number of logs left out
	bool is_sampled; // true if a log is sampled: numbers are estimates
	// true if a log has no totals: `total` is then the sum of the sources' last known counts
	bool is_seeds;
};

// The rows of a profile while they are added. Rows of one group are one row, whose index is the
// group's number. With PROFILE_APART, each run has a row of its own.
struct profile_rows {
	struct profile *of;
	struct grouping grouping;
	size_t room;
	bool is_apart;  // with PROFILE_APART
	size_t process; // the index of the run that is added
	size_t *latest; // of each group the index of its latest row
	size_t latest_room;
};

// Returns the row to which the row's counts must be added. If the row is its group's first, the
// returned row has no counts.
struct row *profile_row(struct profile_rows *rows, const struct row *row);
void profile_rows_free(struct profile_rows *rows);

struct profile_run {
	struct log *log;
	struct run *run;             // that run of the log in which the moment is
	// the moment and the base. base.place is 0, and base_moment NULL, if the base is MOMENT_NONE
	struct summary at, base;
	const struct moment_known *at_moment, *base_moment;
	uint64_t last_number;        // number of the run's last snapshot in the log
	bool leaves_others_out;      // true if other runs of the log are not counted here
	int64_t silent_ms; // time since the last snapshot of a process that still runs; 0 if not known
};

enum {
	PROFILE_FROM_START = 1 << 0,
	PROFILE_MAPPED = 1 << 1,
	PROFILE_GONE = 1 << 2,
	PROFILE_APART = 1 << 3,
};

// Reads the logs to their ends; they stay loaded until the process ends. Growth is counted from
// `base`. Warns about a log that is damaged or cannot be read, and sets *bad to true. Ends the
// process with EXIT_DATA if no log has a snapshot, or if a log lacks the moment.
//
// A base before the run's first snapshot becomes MOMENT_NONE: all counts at the base are zero. With
// PROFILE_FROM_START, this also happens if base and moment are both the run's first snapshot. Otherwise
// growth since the base would be zero, though the process has allocated all its memory since it started.
// PROFILE_MAPPED adds rows of mapped memory. PROFILE_GONE adds rows of
// sources that held something at the base, and certainly hold nothing at the moment. Their calls
// since the base are not known, and are counted in {rest}. `now` of such a row has only the calls
// until the base. With PROFILE_APART rows of several processes are not added up: each source has a row
// in each process. Rows of one source then share their frames.
//
// The peak of several logs is when they had most live bytes together. A process that did not run at
// that time is left out. If one of several logs begins after a requested time, the log is left out
// with a warning.
void profile_load(struct profile *profile, char **paths, const struct moment *at,
	const struct moment *base, unsigned wanted, bool *bad);

// Reads a log to its end, and finds both moments in it. If the log has several runs, the run is
// chosen in which `at` is found last. Returns false if the log has no snapshot, or no snapshot that
// is `at`.
bool profile_read_moments(struct log *log, const struct moment *at, const struct moment *base,
	struct profile_run *chosen);

// profile_no_moment() ends the process because a log lacks the moment. profile_no_base() is called
// if the run of the moment lacks the base. It ends the process if the user named the base by
// number, by label or as a reset. `at` is the number of the moment's snapshot. profile_tell_late()
// warns how many logs were left out.
void profile_no_moment(const struct log *log, const struct moment *moment)
	__attribute__((noreturn));
void profile_no_base(const struct log *log, const struct moment *base, uint64_t at);
void profile_tell_late(const struct profile *profile, const struct moment *at);

// Looks up the names of the functions in all rows (symbols.h).
void profile_resolve(const struct profile *profile);

// Makes one row of all rows of a place: of the stacks that allocate at one line (grouping.h). Looks
// up the names of all rows. A joined row has the least id of its sources. Its stack begins at the
// place, with the callers that all have. So nothing can be searched in it any more.
void profile_join(struct profile *profile);

// Sorts rows, the largest first: by the value or, with `difference`, by how much it has changed, up
// or down. {other} and {rest} come last. Equal rows are ordered by id.
void profile_sort(struct profile *profile, enum value value, bool difference);

// Returns true if the rows' counts add up to `total`.
bool profile_adds_up(const struct profile *profile);

// Returns how many rows are of sources.
size_t profile_sources(const struct profile *profile);

#endif
