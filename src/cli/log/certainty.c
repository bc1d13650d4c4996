// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "log/certainty.h"

bool
certainty_tells(const struct hidings *hidings, const struct state *state)
{
	if (state->shown_in == NEVER_SHOWN)
		return false;
	for (unsigned i = 0; i < hidings->count; i++) {
		const struct hiding *hiding = &hidings->items[i];
		if (hiding->snapshot > state->shown_in)
			return state->counts.live > hiding->live;
	}
	return true;
}

static void
add_hiding(struct hidings *hidings, uint64_t snapshot, uint64_t live)
{
	// Earlier snapshots whose `live` is not above the new snapshot's are dropped. The new snapshot
	// may have hidden the same sources.
	while (hidings->count > 0 && hidings->items[hidings->count - 1].live <= live)
		hidings->count--;
	// So the items have ascending snapshots and descending `live`.
	ASSERT(hidings->count == 0 || hidings->items[hidings->count - 1].snapshot < snapshot);
	// If the list is full, the last item gets the new snapshot's number and keeps its own larger
	// `live`. So some proven counts are taken for uncertain, but no uncertain count is taken for
	// proven.
	if (hidings->count == HIDINGS_MAX)
		hidings->items[HIDINGS_MAX - 1].snapshot = snapshot;
	else
		hidings->items[hidings->count++] = (struct hiding){snapshot, live};
}

// Returns true if {rest}, the sum of the unshown sources, has changed: then some unshown source has
// changed. Sets *freed to the bytes that all sources in {rest} have freed since the snapshot
// before.
static bool
rest_has_moved(const struct snapshot *snapshot, uint64_t *freed)
{
	*freed = 0;
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		if (entry->source->kind != SOURCE_REST)
			continue;
		*freed = entry->now.free - entry->before.free;
		return memcmp(&entry->now, &entry->before, sizeof(entry->now)) != 0;
	}
	return false;
}

static uint64_t
sum_of(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// Records the snapshot if it may have hidden changes. A hidden source has at most `hold` live bytes
// in this snapshot. It had at most `held` in the snapshot before.
//
// A snapshot shows a limited number of the sources that changed. Sources that hold something come
// first, the largest first. Empty sources follow, ordered by churn, the highest first. So a hidden
// source holds at most as much as the smallest shown source. In the snapshot before, it held at
// most this, plus what all sources in {rest} have freed since. If all sources that hold something
// are shown, a hidden source is empty: it has freed everything that it had.
static void
note_hiding(const struct snapshot *snapshot)
{
	const struct summary *summary = &snapshot->summary;
	struct run *run = snapshot->run;
	struct certainty *certainty = run->certainty;
	uint64_t least_live = UINT64_MAX;
	uint64_t least_churn = UINT64_MAX;
	uint64_t freed;
	bool has_moved = rest_has_moved(snapshot, &freed);
	uint64_t held = 0;
	uint64_t hold = 0;

	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct counts *now = &snapshot->entries[i].now;
		const struct counts *before = &snapshot->entries[i].before;
		uint64_t churn = sum_of(now->alloc - before->alloc, now->free - before->free);
		if (snapshot->entries[i].source->kind != SOURCE_STACK)
			continue;
		if (now->blocks > 0 && now->live < least_live)
			least_live = now->live;
		if (now->blocks == 0 && churn < least_churn)
			least_churn = churn;
	}
	if (run->is_seeds || (run->snapshots > 0 && !summary->is_next)) {
		held = hold = UINT64_MAX;
	} else if (has_moved && summary->hidden > 0) {
		held = sum_of(least_live, freed);
		hold = least_live;
	} else if (has_moved && !summary->has_emptied) {
		held = freed;
	} else if (has_moved && summary->empty > summary->empty_shown) {
		held = least_churn < freed ? least_churn : freed;
	} else {
		return;
	}
	add_hiding(&certainty->hidings, run->snapshots, held);
	add_hiding(&certainty->hidings_after, run->snapshots, hold);
}

// Returns true if the snapshot proves that all sources without an entry in it still have their last
// shown counts.
static bool
is_whole(const struct snapshot *snapshot)
{
	const struct run *run = snapshot->run;
	struct counts carried = run->shown_sum;

	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (!source_kind_is_sum(snapshot->entries[i].source->kind))
			counts_subtract(&carried, &snapshot->entries[i].now);
	// `carried` is the sum of the last shown counts of the sources that this snapshot does not
	// show. Calls and bytes only grow. If {rest} equals that sum, none of these sources has
	// changed, and {rest} has no unknown source. Calls and bytes are both compared. A snapshot may
	// come after an allocation's call was counted, and before its bytes are counted.
	return !run->is_seeds && memcmp(&carried, &snapshot->rest, sizeof(carried)) == 0;
}

bool
certainty_after(const struct snapshot *snapshot)
{
	note_hiding(snapshot);
	if (!is_whole(snapshot))
		return false;
	snapshot->run->certainty->hidings.count = 0;
	return true;
}

bool
source_is_exact(const struct run *run, const struct source *source)
{
	return certainty_tells(&run->certainty->hidings, &source->now);
}

bool
source_is_told(const struct run *run, const struct source *source)
{
	return source->now.shown_in != NEVER_SHOWN
		&& (run->is_seeds || source_is_exact(run, source));
}

// Returns the variance of an estimate. `blocks` and `bytes` are the estimated number of blocks and
// of their bytes together. A block of size s is recorded with probability p = 1 - exp(-x), where x
// = s / mean. Each recorded block stands for s / p bytes. So the variance per block is s * s * (1 -
// p) / p. For blocks of mixed sizes the formula is used with their average size, which gives an
// upper bound. The bound holds while the variance rises with x, up to x = 1.59.
static double
variance_of(const struct run *run, double bytes, double blocks)
{
	static const double highest = 1.5936;
	double mean = (double)run->sampled;

	if (mean == 0 || bytes <= 0 || blocks <= 0)
		return 0;
	double x = fmin(bytes / blocks / mean, highest);
	return blocks * mean * mean * x * x / expm1(x);
}

double
certainty_variance(const struct run *run, const struct counts *counts)
{
	return variance_of(run, (double)counts->live, (double)counts->blocks);
}

// A block that is live at both moments does not add to the variance of the change. Only blocks that
// are live at a single moment do. Blocks that are live only at the later moment were allocated in
// between. Blocks that are live only at the earlier moment were freed in between. So the bytes
// allocated and freed in between are upper limits.
double
certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now)
{
	double came = fmin((double)now->live, (double)(now->alloc - before->alloc));
	double went = fmin((double)before->live, (double)(now->free - before->free));
	double blocks_came = fmin((double)now->blocks, (double)(now->allocs - before->allocs));
	double blocks_went = fmin((double)before->blocks, (double)(now->frees - before->frees));

	return variance_of(run, came, blocks_came) + variance_of(run, went, blocks_went);
}
