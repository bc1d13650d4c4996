// SPDX-License-Identifier: BSD-2-Clause
// Checks that the entries and the threads of a snapshot add up to its totals. Then completes the
// snapshot: its counts become the run's counts.

#include "log/certainty.h"
#include "log/moments.h"
#include "log/snapshot_builder.h"

bool
snapshot_builder_adds_up(const struct snapshot_builder *builder)
{
	return builder->progress == HAS_SUMMARY && !builder->is_damaged
		&& counts_are_equal(&builder->blocks.now, &builder->snapshot.summary.total)
		&& counts_are_equal(&builder->maps.now, &builder->snapshot.summary.mapped);
}

static bool
has_all(const struct entries_of_kind *of)
{
	struct counts now = {0};

	for (size_t i = 0; i < of->snapshot->entry_count; i++)
		counts_add(&now, &of->snapshot->entries[i].now);
	return counts_are_equal(&now, &of->now);
}

bool
snapshot_builder_has_all(const struct snapshot_builder *builder)
{
	return has_all(&builder->blocks) && has_all(&builder->maps);
}

bool
snapshot_builder_is_seeds(const struct snapshot_builder *builder)
{
	const struct snapshot *snapshot = &builder->snapshot;
	return builder->progress == HAS_CHURN && !builder->is_damaged
		&& (snapshot->run->id == 0 || snapshot->entry_count > 0 || builder->held_of);
}

// The thread lines must add up to the entries' sums, now and at the snapshot before. live and
// blocks are left out, because thread lines do not have them.
bool
snapshot_builder_threads_add_up(const struct snapshot_builder *builder)
{
	struct counts now = builder->blocks.now;
	struct counts before = builder->blocks.before;

	now.live = now.blocks = before.live = before.blocks = 0;
	return builder->snapshot.thread_count == 0
		|| (counts_are_equal(&now, &builder->threads_now)
			&& counts_are_equal(&before, &builder->threads_before));
}

void
snapshot_builder_take_memory(struct summary *summary, const struct summary *memory)
{
	summary->has_memory = memory->has_memory;
	summary->rss = memory->rss;
	summary->file = memory->file;
	summary->outside = memory->outside;
	summary->hwm = memory->hwm;
	summary->alive = memory->alive;
	summary->has_shared = memory->has_shared;
	summary->shared = memory->shared;
	summary->mapped = memory->mapped;
	summary->limit = memory->limit;
}

// Gives each source that has an entry in the snapshot its new state.
static void
apply_entries(const struct snapshot *snapshot)
{
	struct run *run = snapshot->run;

	moments_before(snapshot);
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		if (source_kind_is_sum(entry->source->kind))
			continue;
		counts_subtract(&run->shown_sum, &entry->source->now.counts);
		counts_add(&run->shown_sum, &entry->now);
		entry->source->now = (struct state){entry->now, run->snapshots, entry->by};
		entry->source->is_unseen |= entry->is_unseen;
	}
	if (certainty_after(snapshot))
		moments_proven(run);
}

static struct counts
total_before(const struct entries_of_kind *of, const struct counts *total)
{
	struct counts before = *total;

	counts_subtract(&before, &of->now);
	counts_add(&before, &of->before);
	return before;
}

// Does for mapped memory what snapshot_builder_move_run() does for blocks. The log does not say how
// many mapped sources found no room in the snapshot. So `hidden` is set to 1: whenever {rest} has
// changed, a source counts as hidden.
static void
apply_mapped(struct snapshot_builder *builder)
{
	struct summary *summary = &builder->mapped.summary;

	*summary = builder->snapshot.summary;
	summary->total = summary->mapped;
	summary->hidden = 1;
	summary->before = total_before(&builder->maps, &summary->total);
	if (summary->mapped.allocs > 0)
		apply_entries(&builder->mapped);
}

void
snapshot_builder_move_run(struct snapshot_builder *builder)
{
	struct snapshot *snapshot = &builder->snapshot;
	struct summary *summary = &snapshot->summary;
	struct run *run = snapshot->run;

	run_place(run, summary);
	apply_entries(snapshot);
	apply_mapped(builder);
	if (run->is_seeds)
		summary->total = run->shown_sum;
	summary->before = total_before(&builder->blocks, &summary->total);
	run_threads(run, snapshot);
	run_labels(run, snapshot);
	if (builder->losses)
		run_losses(run, builder->losses);
	run_move_on(run, summary);
}
