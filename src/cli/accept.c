#include <string.h>

#include "known.h"
#include "accept.h"

// What had the source in the run's first block, told when it is first seen.
static struct counts
first_of(const struct run *run, const struct entry *entry)
{
	struct counts first = entry->counts;
	if (run->blocks == 0)
		return first;
	struct counts more = entry->more;
	more.live = more.alloc - more.free;
	more.blocks = more.allocs - more.frees;
	counts_subtract(&first, &more);
	return first;
}

// Which of the sources that this block does not show it may have changed all the same.
static void
note_hiding(const struct block *block, bool has_emptied)
{
	struct run *run = block->run;
	uint64_t least_live = UINT64_MAX;
	uint64_t least_churn = UINT64_MAX;

	for (size_t i = 0; i < block->entry_count; i++) {
		const struct entry *entry = &block->entries[i];
		uint64_t churn = entry->more.alloc + entry->more.free;
		if (entry->source->kind != SOURCE_STACK)
			continue;
		if (entry->counts.blocks > 0 && entry->counts.live < least_live)
			least_live = entry->counts.live;
		if (entry->counts.blocks == 0 && churn < least_churn)
			least_churn = churn;
	}
	// Shown are the largest, and of those that hold nothing any more, those with most churn:
	// no less than they held before.
	if (block->hidden > 0)
		known_hides(run, least_live);
	if (!has_emptied || block->empty > block->empty_shown)
		known_hides(run, has_emptied ? least_churn : UINT64_MAX);
	if (run->blocks > 0 && block->number != run->last_number + 1) {
		run->missing += block->number - run->last_number - 1;
		known_hides(run, UINT64_MAX);
	}
}

void
block_accept(struct block *block, bool has_emptied, char *losses)
{
	struct run *run = block->run;
	struct counts shown = {0};

	note_hiding(block, has_emptied);
	for (size_t i = 0; i < block->entry_count; i++) {
		const struct entry *entry = &block->entries[i];
		struct source *source = entry->source;
		if (source->kind == SOURCE_REST)
			continue;
		if (source->now.shown_in == NEVER_SHOWN)
			source->first = first_of(run, entry);
		known_set(run, source, &entry->counts);
		counts_add(&shown, &entry->counts);
	}
	struct counts carried = known_sum(run);
	if (run->is_seeds)
		block->total = carried;
	// Calls only grow in number: when the sources that are not shown have together as many as
	// all that is not shown, none of them has moved, and there are no others.
	counts_subtract(&carried, &shown);
	if (carried.allocs == block->rest.allocs && carried.frees == block->rest.frees)
		known_is_certain(run);

	known_losses(run, losses);
	if (run->blocks == 0) {
		run->total_first = block->total;
		run->first_number = block->number;
		run->first_time_ms = block->time_ms;
	}
	block->index = run->blocks++;
	run->total = block->total;
	run->last_number = block->number;
	run->last_time_ms = block->time_ms;
	run->ended = strcmp(block->reason, "exit") == 0;
}
