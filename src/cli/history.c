// Each source has a series of its own, found by its address. Between two samples a source is
// taken to be as it was at the first of them, unless the second says that there is a gap.

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "series.h"
#include "history.h"

enum { BUCKETS_FIRST = 256 };

// One source.
struct track {
	const struct source *source;
	struct series series;
	struct sample last;    // as it was last shown
	uint64_t shown_in;     // of the history's blocks
	struct sample origin;  // as it was before its first sample
	bool has_origin;       // that is known
};

// A window that has blocks.
struct span {
	int64_t first, last; // time of its first and its last block
};

struct history {
	struct run *run;
	struct track *tracks;
	size_t track_count, track_room;
	size_t *buckets; // 1 + number of a track, by source; 0: none
	size_t bucket_count;
	struct series measures[MEASURES];
	struct series clock;  // a sample for each block: which windows there are
	struct span spans[SERIES_MAX];
	unsigned shift;
	uint64_t blocks;
	uint64_t last_number; // of the log's blocks
	int64_t start, now;   // now is from the start
	bool has_times, has_hidden, has_exit;
};

struct history *
history_open(struct run *run)
{
	struct history *history = memory_get(1, sizeof(*history));
	history->run = run;
	history->bucket_count = BUCKETS_FIRST;
	history->buckets = memory_get(history->bucket_count, sizeof(*history->buckets));
	return history;
}

void
history_close(struct history *history)
{
	for (size_t i = 0; i < history->track_count; i++)
		free(history->tracks[i].series.points);
	for (int i = 0; i < MEASURES; i++)
		free(history->measures[i].points);
	free(history->clock.points);
	free(history->tracks);
	free(history->buckets);
	free(history);
}

static size_t *
bucket_of(const struct history *history, const struct source *source)
{
	size_t mask = history->bucket_count - 1;
	size_t i = (size_t)(((uintptr_t)source >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
	while (history->buckets[i] && history->tracks[history->buckets[i] - 1].source != source)
		i = (i + 1) & mask;
	return &history->buckets[i];
}

static void
grow_buckets(struct history *history)
{
	free(history->buckets);
	history->bucket_count *= 2;
	history->buckets = memory_get(history->bucket_count, sizeof(*history->buckets));
	for (size_t i = 0; i < history->track_count; i++)
		*bucket_of(history, history->tracks[i].source) = i + 1;
}

static struct track *
new_track(struct history *history, const struct source *source)
{
	if (history->track_count * 2 >= history->bucket_count)
		grow_buckets(history);
	history->tracks = memory_grow(history->tracks, history->track_count, &history->track_room,
		sizeof(*history->tracks));
	struct track *track = &history->tracks[history->track_count++];
	*track = (struct track){.source = source};
	*bucket_of(history, source) = history->track_count;
	return track;
}

// The time of a block, from the first one's on. Clocks are set back, and a log may be without.
static void
take_time(struct history *history, const struct block *block)
{
	if (history->blocks == 0) {
		history->has_times = block->time_ms != 0;
		history->start = history->has_times ? block->time_ms : (int64_t)block->number;
	}
	int64_t time = history->has_times ? block->time_ms : (int64_t)block->number;
	if (time - history->start > history->now)
		history->now = time - history->start;
	while (history->now >> history->shift >= SERIES_MAX)
		history->shift++;
}

// Notes that the window at hand has one more block.
static void
take_window(struct history *history)
{
	struct sample sample = {.time = history->now};
	uint32_t before = history->clock.count;

	series_widen(&history->clock, history->shift);
	if (history->clock.count != before) {
		// The windows of the clock and their spans become fewer alike.
		uint32_t count = 0;
		for (uint32_t i = 0; i < before; i++) {
			bool is_same = count > 0 && history->spans[count - 1].first >> history->shift
				== history->spans[i].first >> history->shift;
			if (is_same)
				history->spans[count - 1].last = history->spans[i].last;
			else
				history->spans[count++] = history->spans[i];
		}
	}
	before = history->clock.count;
	series_add(&history->clock, history->shift, &sample, false);
	if (history->clock.count > before)
		history->spans[before].first = history->now;
	history->spans[history->clock.count - 1].last = history->now;
}

static struct sample
sample_of(const struct history *history, const struct counts *counts)
{
	// The first pmem's logs have no calls.
	return (struct sample){history->now, counts->live, counts->blocks,
		history->run->is_seeds ? counts->alloc : counts->allocs};
}

static bool
is_as(const struct sample *a, const struct sample *b)
{
	return a->bytes == b->bytes && a->allocs == b->allocs;
}

// What there was before a source was first shown is known: nothing, or what it had in the block
// before, since no block has hidden anything or it had the same when the history began.
static bool
knows_origin(const struct history *history, const struct source *source,
	const struct sample *before)
{
	if (before->allocs == 0 || !history->has_hidden)
		return true;
	struct state state = source_marked(history->run, source, MARK_BASE);
	struct sample then = sample_of(history, &state.counts);
	return state.shown_in != NEVER_SHOWN && is_as(&then, before);
}

// An entry also says what there was in the block before: at `before_time`, where that was read.
static void
take_entry(struct history *history, const struct block *block, const struct entry *entry,
	int64_t before_time, bool is_exit)
{
	struct counts counts = entry->counts;
	struct sample now = sample_of(history, &counts);
	counts_subtract(&counts, &entry->more);
	counts.live = entry->counts.live - entry->more.alloc + entry->more.free;
	counts.blocks = entry->counts.blocks - entry->more.allocs + entry->more.frees;
	struct sample before = sample_of(history, &counts);
	before.time = before_time;
	bool is_next = history->blocks > 0 && block->number == history->last_number + 1;

	size_t found = *bucket_of(history, entry->source);
	struct track *track = found ? &history->tracks[found - 1] : NULL;
	bool is_gap = false;
	if (!track) {
		track = new_track(history, entry->source);
		track->has_origin = history->blocks > 0 && knows_origin(history, entry->source, &before);
		track->origin = before;
		is_gap = !track->has_origin;
	} else if (track->shown_in + 1 < history->blocks || !is_next) {
		is_gap = !is_as(&before, &track->last);
	}
	if (is_gap && is_next) {
		series_add(&track->series, history->shift, &before, true);
		is_gap = false;
	}
	track->last = is_exit ? before : now;
	track->shown_in = history->blocks;
	if (!is_exit)
		series_add(&track->series, history->shift, &now, is_gap);
}

static void
take_measures(struct history *history, const struct block *block)
{
	struct sample sample = sample_of(history, &block->total);
	uint64_t file = block->file < block->outside ? block->file : block->outside;

	series_add(&history->measures[MEASURE_LIVE], history->shift, &sample, false);
	if (!block->has_memory)
		return;
	sample.blocks = sample.allocs = 0;
	sample.bytes = block->rss;
	series_add(&history->measures[MEASURE_RSS], history->shift, &sample, false);
	sample.bytes = block->file;
	series_add(&history->measures[MEASURE_FILE], history->shift, &sample, false);
	sample.bytes = block->outside - file;
	series_add(&history->measures[MEASURE_OUTSIDE], history->shift, &sample, false);
}

void
history_add(struct history *history, const struct block *block)
{
	int64_t before = history->now;
	bool is_exit = strcmp(block->reason, "exit") == 0;

	if (is_exit && history->blocks == 0) {
		history->has_exit = true;
		return;
	}
	if (!is_exit) {
		take_time(history, block);
		take_window(history);
		take_measures(history, block);
	}
	for (size_t i = 0; i < block->entry_count; i++)
		if (block->entries[i].source->kind != SOURCE_REST)
			take_entry(history, block, &block->entries[i], before, is_exit);
	if (is_exit) {
		history->has_exit = true;
		return;
	}
	if (history->blocks == 0)
		run_mark(history->run, MARK_BASE);
	run_mark(history->run, MARK_AT);
	history->has_hidden = history->has_hidden || block->hidden > 0
		|| block->empty > block->empty_shown || history->run->is_seeds;
	history->blocks++;
	history->last_number = block->number;
}

size_t
history_sources(const struct history *history)
{
	return history->track_count;
}

const struct source *
history_source(const struct history *history, size_t number)
{
	return history->tracks[number].source;
}
