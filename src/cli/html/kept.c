// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "log/moments.h"
#include "html/kept.h"

// A page has at most this many changes of counts. If there are more, half of the moments are
// dropped, again and again, until the changes fit.
enum { CHANGES_MOST = 300000 };

bool
kept_has_time(const struct kept *kept, size_t time)
{
	ASSERT(time < kept->collection->schedule->time_count);
	return !kept->collection->schedule->times[time].may_go || time % kept->stride == 0;
}

// For several processes. For each time that the page has, keeps the run's last moment up to that
// time.
static void
keep_by_time(struct kept *kept, size_t run)
{
	const struct schedule *schedule = kept->collection->schedule;
	const struct page_moment *moments = kept->collection->runs[run].moments;
	size_t count = kept->collection->runs[run].moment_count, at = 0;

	for (size_t i = 0; i < schedule->time_count; i++) {
		if (!kept_has_time(kept, i))
			continue;
		while (at < count && moments[at].known->summary.time_ms <= schedule->times[i].time)
			at++;
		if (at > 0)
			kept->is_kept[run][at - 1] = true;
	}
	// The run's last moment is always kept. It can be later than all times if the clock was set
	// back.
	if (count > 0)
		kept->is_kept[run][count - 1] = true;
}

static void
keep_moments(struct kept *kept)
{
	bool is_one = kept->collection->count == 1;

	for (size_t r = 0; r < kept->collection->count; r++) {
		size_t count = kept->collection->runs[r].moment_count;
		memset(kept->is_kept[r], 0, count * sizeof(bool));
		if (is_one || !kept->collection->schedule->has_times)
			for (size_t i = 0; i < count; i++)
				kept->is_kept[r][i] = !is_one || kept_has_time(kept, i);
		else
			keep_by_time(kept, r);
	}
}

size_t
kept_changes(const struct kept *kept, size_t run, const struct source *source, change_taker *take,
	FILE *to)
{
	const struct collected *of = &kept->collection->runs[run];
	static const struct counts nothing;
	const struct counts *before = &nothing;
	bool was_told = true, is_told;
	size_t changes = 0, moment = 0;

	for (size_t i = 0; i < of->moment_count; i++) {
		if (!kept->is_kept[run][i])
			continue;
		const struct counts *counts = &moment_state(of->moments[i].known, source, &is_told)->counts;
		// In logs of pmem's first version, a source has no counts before it was first shown. Until
		// then its counts are taken as 0.
		if (of->run->is_seeds && !is_told && counts->allocs == 0 && counts->alloc == 0)
			is_told = true;
		if (is_told != was_told || (counts != before
				&& memcmp(counts, before, sizeof(*counts)) != 0)) {
			if (take)
				take(to, moment, counts, is_told);
			before = counts;
			was_told = is_told;
			changes++;
		}
		moment++;
	}
	return changes;
}

static size_t
count_changes(const struct kept *kept)
{
	const struct collection *collection = kept->collection;
	size_t changes = 0;

	for (size_t r = 0; r < collection->count; r++)
		for (size_t i = 0; i < run_sources(collection->runs[r].run); i++)
			changes += kept_changes(kept, r, run_source_at(collection->runs[r].run, i), NULL, NULL);
	return changes;
}

void
kept_choose(struct kept *kept, const struct collection *collection)
{
	kept->collection = collection;
	kept->is_kept = memory_get(collection->count, sizeof(bool *));
	for (size_t i = 0; i < collection->count; i++)
		kept->is_kept[i] = memory_get(collection->runs[i].moment_count, sizeof(bool));
	for (kept->stride = 1; kept->stride < MOMENTS_MOST; kept->stride *= 2) {
		keep_moments(kept);
		if (count_changes(kept) <= CHANGES_MOST)
			break;
	}
}

void
kept_free(struct kept *kept)
{
	for (size_t i = 0; i < kept->collection->count; i++)
		free(kept->is_kept[i]);
	free(kept->is_kept);
}
