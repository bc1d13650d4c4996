// profile: one moment of one log, or of several taken together: what each source holds, and
// how that differs from an earlier moment. What report, diff and export print.
//
// Sources of several logs are one by id, which is the same in each process and on each
// machine. Rows and the rest add up to the totals of the snapshots, exactly: what a log does not
// tell of one source for sure is in `rest`.

#ifndef PMEM_CLI_PROFILE_H
#define PMEM_CLI_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/counts.h"
#include "rows/row.h"
#include "base/moment.h"
#include "log/reading.h"

struct profile {
	struct row *rows; // sources, {other} if it ever counted, {rest} if it is not zero
	size_t row_count;
	struct counts total;      // the sum of all rows' now
	struct counts total_base; // and of their base
	struct profile_run *runs; // those it was made of, one a log
	size_t run_count;
	bool is_seeds; // at least one log has no totals: they are sums of what was last seen
	// Sources that held something at the base and, this is certain, hold nothing now, while
	// their calls since then are not told: {rest} counts them. now has the calls until the
	// base.
	struct row *gone;
	size_t gone_count;
};

struct profile_run {
	struct reading *reading;
	struct run *run;             // of the log's runs, the one that the moment lies in
	struct profile_snapshot {
		uint64_t number;     // [N]
		uint64_t snapshots;     // of the run, up to and with this one; 0: MOMENT_NONE
		int64_t time_ms;
		struct counts total;
		const char *reason;  // "": not known
		bool has_memory;     // the next are there
		uint64_t rss, file, outside;
	} at, base;
	uint64_t last_number;        // of the run's last snapshot in the log
};

// Reads the logs to their ends. What is loaded stays as long as the process. `base` is where
// growth is counted from; a base that lies before the run's first snapshot is MOMENT_NONE. Ends
// the process with EXIT_DATA when no log has a snapshot, or a log not that moment; a log that
// cannot be read, or is damaged, is warned about, and *bad becomes true.
void profile_load(struct profile *profile, char **paths, const struct moment *at,
	const struct moment *base, bool *bad);

// Where `at` and `base` are both the first snapshot, growth would be none: what that has, the
// process has allocated since its start, which becomes the base.
void profile_first_from_start(struct profile *profile);

// symbols_resolve() of all frames of its rows.
void profile_resolve(struct profile *profile);

// Largest first; {other} and {rest} last; equal ones by id.
void profile_sort(struct profile *profile, enum value value);

#endif
