#include <string.h>

#include "log/certainty.h"
#include "log/known.h"
#include "log/accept.h"

// What the entry's source had in the snapshot before.
static struct counts
counts_before(const struct entry *entry)
{
	struct counts before = entry->counts;
	struct counts more = entry->more;

	more.live = more.alloc - more.free;
	more.blocks = more.allocs - more.frees;
	counts_subtract(&before, &more);
	return before;
}

static uint64_t
sum_of(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// What the sources that moved and are not shown have freed together: no more than that had any
// of them.
static uint64_t
freed_by_rest(const struct snapshot *snapshot, bool *has_moved)
{
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		if (entry->source->kind == SOURCE_REST) {
			const struct counts *more = &entry->more;
			*has_moved = more->allocs > 0 || more->frees > 0 || more->alloc > 0 || more->free > 0;
			return entry->more.free;
		}
	}
	*has_moved = false;
	return 0;
}

// Whether the snapshot before it is the one that was read last.
static bool
is_next(const struct snapshot *snapshot)
{
	return snapshot->run->snapshots > 0 && snapshot->number == snapshot->run->last_number + 1;
}

// Which of the sources that this snapshot does not show it may have changed all the same. Shown
// are the largest, so one that found no room has no more now than the least of these, and had
// what it freed in addition. One that holds nothing any more has freed what it had; shown of
// them are those with most churn.
static void
note_hiding(const struct snapshot *snapshot, bool has_emptied)
{
	struct run *run = snapshot->run;
	uint64_t least_live = UINT64_MAX;
	uint64_t least_churn = UINT64_MAX;
	bool has_moved;
	uint64_t freed = freed_by_rest(snapshot, &has_moved);

	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		uint64_t churn = sum_of(entry->more.alloc, entry->more.free);
		if (entry->source->kind != SOURCE_STACK)
			continue;
		if (entry->counts.blocks > 0 && entry->counts.live < least_live)
			least_live = entry->counts.live;
		if (entry->counts.blocks == 0 && churn < least_churn)
			least_churn = churn;
	}
	if (run->is_seeds || (run->snapshots > 0 && !is_next(snapshot)))
		certainty_hides(run, UINT64_MAX, UINT64_MAX);
	else if (has_moved && snapshot->hidden > 0)
		certainty_hides(run, sum_of(least_live, freed), least_live);
	else if (has_moved && !has_emptied)
		certainty_hides(run, freed, 0);
	else if (has_moved && snapshot->empty > snapshot->empty_shown)
		certainty_hides(run, least_churn < freed ? least_churn : freed, 0);
}

void
accept_snapshot(struct snapshot *snapshot, bool has_emptied, char *losses)
{
	struct run *run = snapshot->run;
	struct counts shown = {0};

	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		struct source *source = entry->source;
		if (source->kind == SOURCE_REST)
			continue;
		struct counts before = counts_before(entry);
		known_set(run, source, &entry->counts, &before, is_next(snapshot));
		counts_add(&shown, &entry->counts);
	}
	note_hiding(snapshot, has_emptied);
	struct counts carried = known_sum(run);
	if (run->is_seeds)
		snapshot->total = carried;
	// Calls and bytes only grow: when the sources that are not shown have together as many as
	// all that is not shown, none of them has moved, and there are no others. A look can fall
	// between a call's number and its bytes, which then come alone.
	counts_subtract(&carried, &shown);
	if (!run->is_seeds && memcmp(&carried, &snapshot->rest, sizeof(carried)) == 0)
		certainty_is_whole(run);

	known_losses(run, losses);
	if (run->snapshots == 0) {
		run->total_first = snapshot->total;
		run->first_number = snapshot->number;
		run->first_time_ms = snapshot->time_ms;
	}
	snapshot->index = run->snapshots++;
	run->total = snapshot->total;
	run->last_number = snapshot->number;
	uint64_t numbers = run->last_number - run->first_number + 1;
	run->missing = run->last_number >= run->first_number && numbers > run->snapshots
		? numbers - run->snapshots : 0;
	run->last_time_ms = snapshot->time_ms;
	run->ended = strcmp(snapshot->reason, "exit") == 0;
}
