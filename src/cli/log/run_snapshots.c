// SPDX-License-Identifier: BSD-2-Clause
// Copies a snapshot's totals to its run.

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

// Returns how many bytes of the log's allowance (expected_gap.h) were spent before the run's first
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
