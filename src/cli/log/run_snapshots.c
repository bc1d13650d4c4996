// SPDX-License-Identifier: BSD-2-Clause
// Copies a snapshot's totals to its run.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "log/run.h"

static bool
is_less(const struct counts *now, const struct counts *last)
{
	return now->alloc < last->alloc || now->allocs < last->allocs || now->free < last->free
		|| now->frees < last->frees;
}

// Totals only grow. So totals that are smaller than before cannot be right. A wrong snapshot number
// alone is no reason to refuse the snapshot: maybe only the number is damaged.
const char *
run_refuses(const struct run *run, const struct snapshot *snapshot)
{
	const struct counts *now = &snapshot->summary.total;
	const struct counts *last = &run->total;

	if (run->snapshots == 0 || run->is_seeds)
		return NULL;
	if (is_less(now, last) || is_less(&snapshot->summary.mapped, &run->mapped->total))
		return "its totals are less than those of the snapshot before";
	if (snapshot->summary.number == run->last_number && now->allocs == last->allocs
		&& now->frees == last->frees)
		return "it is the snapshot before once more";
	return NULL;
}

void
run_place(const struct run *run, struct summary *summary)
{
	bool is_first = run->snapshots == 0;
	int64_t since_ms = is_first ? run->start_ms : run->last_time_ms;

	summary->place = run->snapshots + 1;
	summary->is_next = !is_first && summary->number == run->last_number + 1;
	if ((!summary->is_next && !(is_first && summary->number == 0)) || since_ms <= 0
		|| summary->time_ms <= 0)
		return;
	// At least 1 ms: several snapshots may be written in one millisecond, and the clock may have
	// been set back.
	summary->interval_ms = summary->time_ms > since_ms ? summary->time_ms - since_ms : 1;
}

bool
run_adds_up(const struct run *run)
{
	struct counts sum = {0};

	for (size_t i = 0; i < run_sources(run); i++)
		counts_add(&sum, &run_source_at(run, i)->now.counts);
	return memcmp(&sum, &run->shown_sum, sizeof(sum)) == 0;
}

static void
note_fullest(struct fullest *fullest, const struct summary *summary)
{
	uint64_t other = summary->outside > summary->file ? summary->outside - summary->file : 0;

	if (summary->has_memory && summary->total.live > fullest->live)
		*fullest = (struct fullest){summary->total.live, other};
}

// Returns how many bytes of the log's allowance were spent before the run's first
// snapshot in this file. If the file lacks earlier snapshots, all of the allowance counts as spent.
// In older versions' logs, a forked child's header has the allowance of a process that was not
// forked. The child itself had only a quarter of this allowance. So three quarters count as spent.
static uint64_t
spent_at_first(const struct run *run, const struct summary *summary)
{
	uint64_t begin = run->gap.begin;

	bool is_older = run->gap.grown_ms == 0;

	return summary->number > 0 ? begin : run->forked_from && is_older ? begin - begin / 4 : 0;
}

static const double hour_ms = 3600e3;

// Returns how many bytes of the allowance are available when the process has this
// age. Spent bytes are included. Sets *grows to how many bytes more become available with each
// further millisecond.
static double
begin_at(const struct expected_gap *gap, double age_ms, double *grows)
{
	double later = (double)gap->begin - (double)gap->first;
	bool has_grown = gap->grown_ms == 0 || age_ms >= (double)gap->grown_ms || age_ms < 0;

	*grows = has_grown ? 0 : later / (double)gap->grown_ms;
	return has_grown ? (double)gap->begin : (double)gap->first + *grows * age_ms;
}

// Returns how many milliseconds it takes until the library may write `bytes` more. `rate` is in
// bytes a millisecond. Until the process is grown_ms old, the allowance grows, too. After that only
// `rate` counts.
static double
wait_for(const struct expected_gap *gap, double bytes, double rate)
{
	double age_ms = (double)(gap->time_ms - gap->start_ms);
	double grows;
	double over = gap->spent + bytes - begin_at(gap, age_ms, &grows);

	if (over <= 0)
		return 0;
	double growing_ms = grows > 0 ? (double)gap->grown_ms - age_ms : 0;
	double wait_ms = over / (rate + grows);
	return wait_ms <= growing_ms ? wait_ms : growing_ms + (over - growing_ms * (rate + grows)) / rate;
}

// Adds a snapshot that was written at time_ms. spent_at_first is how many bytes of the allowance
// were spent before the log's first snapshot. Returns how many milliseconds the next snapshot may
// be delayed.
static int64_t
expected_gap_add(struct expected_gap *gap, int64_t time_ms, uint64_t spent_at_first)
{
	double bytes = (double)gap->bytes;
	double rate = (double)gap->rate / hour_ms;

	gap->bytes = 0;
	if (gap->rate == 0 || gap->begin == 0 || time_ms <= 0)
		return 0;
	if (gap->time_ms == 0)
		gap->spent = (double)spent_at_first;
	else if (time_ms > gap->time_ms)
		gap->spent = fmax(gap->spent - rate * (double)(time_ms - gap->time_ms), 0);
	gap->time_ms = time_ms;
	// The next snapshot is expected to be as large as this one. However large a snapshot is, the
	// library lets it wait only until `begin` bytes may be written.
	gap->spent = fmin(gap->spent + bytes, 2 * (double)gap->begin);
	return (int64_t)ceil(wait_for(gap, fmin(bytes, (double)gap->begin), rate));
}

void
run_move_on(struct run *run, struct summary *summary)
{
	ASSERT(summary->place == run->snapshots + 1);
	summary->wait_ms = expected_gap_add(&run->gap, summary->time_ms,
		spent_at_first(run, summary));
	if (run->snapshots == 0) {
		run->total_first = summary->total;
		run->first_number = summary->number;
		run->first_time_ms = summary->time_ms;
	}
	run->snapshots = run->mapped->snapshots = summary->place;
	run->total = summary->total;
	run->mapped->total = summary->mapped;
	note_fullest(&run->fullest, summary);
	run->peak = summary->peak;
	run->peak_ms = summary->peak_ms;
	if (summary->limit.most > 0)
		run->limit = summary->limit;
	run->last_number = summary->number;
	run->last_time_ms = summary->time_ms;
	uint64_t numbers = run->last_number - run->first_number + 1;
	run->missing = run->last_number >= run->first_number && numbers > run->snapshots
		? numbers - run->snapshots : 0;
	run->ended = strcmp(summary->reason, "exit") == 0;
}
