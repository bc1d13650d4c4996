// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "log/certainty.h"

// Returns the number, from 0 on, of the last snapshot that may have hidden a source with `live`
// bytes. If no snapshot may have, also returns 0. For the caller this makes no difference: snapshot
// 0 is never later than a moment.
static uint64_t
last_hiding(const struct hidings *hidings, uint64_t live)
{
	for (unsigned i = hidings->count; i > 0; i--)
		if (hidings->items[i - 1].live >= live)
			return hidings->items[i - 1].snapshot;
	return 0;
}

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

// Snapshot N shows the source again, and says that the source had `before` in snapshot N - 1
// (certainty.h). If the source cannot have changed between the moment and N - 1, it had `before` at
// the moment, too. Otherwise, if the state `shown` was still right at the moment, the source had
// that state. If both are unsure, returns `before` as an upper limit: bytes and calls only grow, so
// at the moment the source had allocated and freed no more than that. NEVER_SHOWN then marks the
// result as not proven.
struct state
certainty_then(const struct then *then, const struct hidings *after, const struct state *shown,
	const struct counts *before, bool is_next)
{
	bool is_unmoved = is_next && last_hiding(after, before->live) < then->snapshots;
	bool is_as_shown = shown->shown_in != NEVER_SHOWN
		&& memcmp(before, &shown->counts, sizeof(*before)) == 0;

	if (before->allocs == 0 || is_unmoved || is_as_shown)
		return (struct state){*before, then->snapshots - 1, shown->by};
	if (certainty_tells(then->hidings, shown))
		return *shown;
	return (struct state){*before, NEVER_SHOWN, shown->by};
}

// Returns the list of snapshots that may have hidden changes, as it was when `snapshots` snapshots
// had been read: at a mark, or now.
static const struct hidings *
hidings_at(const struct run *run, uint64_t snapshots)
{
	const struct hidings *hidings = &run->certainty->hidings;

	for (int mark = 0; mark < MARKS; mark++)
		if (snapshots == run->snapshots_marked[mark])
			hidings = &run->certainty->hidings_marked[mark];
	return hidings;
}

static struct state
state_at_mark(const struct run *run, const struct source *source, enum mark mark,
	const struct counts *before, bool is_next)
{
	uint64_t snapshots = run->snapshots_marked[mark];
	struct then then = {snapshots, hidings_at(run, snapshots)};

	if (run->is_seeds)
		return source->now;
	return certainty_then(&then, &run->certainty->hidings_after, &source->now, before, is_next);
}

void
certainty_before(const struct snapshot *snapshot)
{
	const struct run *run = snapshot->run;

	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		struct source *source = entry->source;
		for (int mark = 0; mark < MARKS; mark++) {
			if (source_kind_is_sum(source->kind) || source->mark[mark] == run->snapshots_marked[mark])
				continue;
			source->marked[mark] = state_at_mark(run, source, (enum mark)mark, &entry->before,
				snapshot->summary.is_next);
			source->mark[mark] = run->snapshots_marked[mark];
		}
	}
}

static void
add_hiding(struct hidings *hidings, uint64_t snapshot, uint64_t live)
{
	// Earlier snapshots whose `live` is not above the new snapshot's are dropped: the new
	// snapshot may have hidden the same sources.
	while (hidings->count > 0 && hidings->items[hidings->count - 1].live <= live)
		hidings->count--;
	// So the items have ascending snapshots and descending `live`. last_hiding() goes backwards,
	// and finds the latest snapshot first.
	ASSERT(hidings->count == 0 || hidings->items[hidings->count - 1].snapshot < snapshot);
	// If the list is full, the last item gets the number of the new snapshot and keeps its own
	// larger `live`. So some proven counts are taken for uncertain, but no uncertain count is
	// taken for proven.
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

bool
certainty_is_whole(const struct snapshot *snapshot)
{
	const struct run *run = snapshot->run;
	struct counts carried = run->shown_sum;

	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (!source_kind_is_sum(snapshot->entries[i].source->kind))
			counts_subtract(&carried, &snapshot->entries[i].now);
	// `carried` is a sum over the sources that this snapshot does not show: the counts that
	// were last shown for each. Calls and bytes only grow. If {rest} equals that sum, none of
	// these sources has changed, and {rest} has no unknown source. Calls and bytes are both
	// compared: a snapshot may come after an allocation's call was counted, and before its
	// bytes are counted.
	return !run->is_seeds && memcmp(&carried, &snapshot->rest, sizeof(carried)) == 0;
}

void
certainty_after(const struct snapshot *snapshot)
{
	struct run *run = snapshot->run;

	note_hiding(snapshot);
	// If the snapshot is whole, no unshown source has changed since it was last shown. Then no
	// snapshot has hidden a change, up to now and up to each mark.
	if (!certainty_is_whole(snapshot))
		return;
	run->certainty->hidings.count = 0;
	for (int mark = 0; mark < MARKS; mark++)
		run->certainty->hidings_marked[mark].count = 0;
}

void
run_mark(struct run *run, enum mark mark)
{
	run->snapshots_marked[mark] = run->snapshots;
	run->total_marked[mark] = run->total;
	if (mark == MARK_AT) {
		run_mark_threads(run);
		run->fullest_at = run->fullest;
	}
	run_mark_labels(run, mark);
	if (run->mapped)
		run_mark(run->mapped, mark);
	run->certainty->hidings_marked[mark] = run->certainty->hidings;
}

struct state
source_marked(const struct run *run, const struct source *source, enum mark mark)
{
	if (run->snapshots_marked[mark] == 0)
		return (struct state){.shown_in = NEVER_SHOWN};
	// If the source has changed since the mark, certainty_before() saved its state at the mark.
	return source->mark[mark] == run->snapshots_marked[mark] ? source->marked[mark] : source->now;
}

bool
source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots)
{
	return certainty_tells(hidings_at(run, snapshots), state);
}

bool
source_is_told(const struct run *run, const struct state *state, uint64_t snapshots)
{
	return state->shown_in != NEVER_SHOWN
		&& (run->is_seeds || source_is_exact(run, state, snapshots));
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
