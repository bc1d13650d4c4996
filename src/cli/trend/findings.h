// SPDX-License-Identifier: BSD-2-Clause
// findings: the results of trend.h for all sources of a history, and for the process as a whole.
// evidence.h says how strong the evidence for each leak is.

#ifndef PMEM_CLI_FINDINGS_H
#define PMEM_CLI_FINDINGS_H

#include <stddef.h>

#include "trend/burst.h"
#include "trend/evidence.h"
#include "trend/outside.h"

// Sums over the leaks of one standing (evidence.h).
struct leak_sum {
	size_t count;
	double slope, growth;
	// the earliest `began`, the latest `grew` and the latest `known` of these leaks (struct
	// finding)
	double began, grew, known;
	double seen; // the longest clock time for which one of these leaks was surely seen to grow
	size_t went_without; // number of leaks whose `went_without` is true
	size_t mapped; // number of leaks of mapped memory
	double mapped_slope; // sum of the slopes of leaks of mapped memory: a part of `slope`
	size_t held; // number of leaks that the process freed as it ended (finding_is_held())
	// sums of slope and growth over the leaks that `held` counts: parts of `slope` and `growth`
	double held_slope, held_growth;
};

struct findings {
	// leaks first, sorted by standing and slope. Then all other sources, sorted by verdict and
	// range
	struct finding *sources;
	size_t count;
	size_t left_out; // number of sources that leaks_asked.wanted refused
	size_t of_verdict[VERDICTS]; // number of sources with each verdict
	struct leak_sum leaks[STANDINGS]; // the leaks of each standing
	// the earliest `ask_again` of a leak (struct finding), or when windows are enough. If no source is
	// early, that of live memory, or of memory outside malloc. 0 if nothing is early, or if the process
	// surely runs no more
	double ask_again;
	// findings about gauges: values of the process as a whole. Their `source` is NULL
	struct finding gauges[GAUGES_JUDGED];
	struct outside_growth outside; // growth of GAUGE_OUTSIDE, and what may be the cause
	// growth at the log's end. Not set if the burst's source is shown as a leak, or if the log may
	// lack frees of this source's blocks (unseen.c)
	struct burst burst;
	// true if nothing could be written to the log after its last snapshot. So nobody knows what
	// the process did later
	bool is_cut_short;
	// true if the log has more live bytes than the process can have had, so that nothing is
	// judged. At least `touched` bytes would have to be in memory or in swap space. Only
	// `memory` bytes were in both together
	bool is_impossible;
	double touched, memory;
	size_t unseen; // number of sources whose verdict is VERDICT_UNSEEN
	double growth_unseen; // bytes that sources of VERDICT_UNSEEN grew by
	double growth; // growth of live bytes over the whole history
	bool rest_leaks; // a source of kind SOURCE_REST leaks: all that the log does not show well
	double growth_untold; // the part of `growth` that no source is known to have caused
	// growth of live bytes since the first leak of the strongest standing began
	double growth_of_all;
};

// Joins the history's sources by asked->place_of. Judges those that asked->wanted chooses, and the
// process. findings_free() frees
// the result.
void findings_make(struct findings *findings, struct history *history,
	const struct leaks_asked *asked);

// Sets sums[i] to the bytes that the chosen sources held at the time of live[i]. `is_such` returns
// true for a source that is chosen. live[] has `count` points of the whole process.
void findings_sum_floors(const struct findings *findings, struct history *history,
	const struct trend_point *live, size_t count, double *sums,
	bool (*is_such)(const struct finding *finding));

// unseen (unseen.c): sources whose blocks may be freed by calls that do not reach the library. The
// log lacks these frees. So the source holds what the log says, or less. If the source does not
// grow according to the log, it does not leak. If it grows, nobody can tell whether it leaks.

// Returns true if the finding's verdict is VERDICT_UNSEEN.
bool unseen_is(const struct finding *finding);

// Changes the finding's verdict to VERDICT_UNSEEN if its source may grow, and the log may lack some
// of the source's frees. Returns the source's growth in bytes, or 0 if the verdict stays.
double unseen_doubt(struct finding *finding, struct history *history, double least);

// Does the same as unseen_doubt() for the process's live bytes. The verdict on live bytes becomes
// VERDICT_UNSEEN in two cases: sources with that verdict have half of the growth, or live bytes
// without those sources do not grow.
void unseen_doubt_live(struct findings *findings, struct history *history, double least);

// Returns true if the process freed nearly all of the leak as it ended. So the program still had
// pointers to this memory.
bool finding_is_held(const struct finding *finding);

// `gauge` is GAUGE_OUTSIDE or GAUGE_FILE: memory that is in no block. Returns true if that memory
// grows or grew, and not only as the process started. `min_time` is as in leaks_asked.
bool findings_memory_grows(const struct findings *findings, enum gauge gauge, double min_time);

// Returns true if live bytes have grown much and may grow on, but much of that growth could not be
// judged. This part must be more than a fifth: growth of sources that the log shows seldom or
// never. Then it means little that no judged source leaks.
bool findings_hide_growth(const struct findings *findings);

// Returns the number of leaks of any standing. The leaks are the first elements of `sources`.
size_t findings_leaks(const struct findings *findings);

void findings_free(struct findings *findings);

#endif
