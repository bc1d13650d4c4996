// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/message.h"
#include "top/source_history.h"

enum { LEVELS = 8 };

void
source_history_open(struct source_history *history, const char *path,
	const struct run *run, const struct row *row)
{
	*history = (struct source_history){.run = run->id, .id = row->id, .kind = row->kind,
		.is_mapped = row->is_mapped, .depth = row->depth};
	history->addresses = memory_get(row->depth + 1, sizeof(*history->addresses));
	for (unsigned i = 0; i < row->depth; i++)
		history->addresses[i] = row->frames[i]->address;
	// Warnings about the log were already printed when it was first opened.
	message_is_quiet = true;
	history->follow = follow_open(path);
	message_is_quiet = false;
	source_history_take(history);
}

// Finds the history's stack. Several sources may have the same id. So the frames' addresses are
// compared, too.
static const struct source *
find(const struct source_history *history, const struct run *run)
{
	const struct source *source = history->kind == SOURCE_STACK ? run_find(run, history->id) : NULL;

	for (; source; source = source->twin) {
		unsigned same = 0;
		while (same < history->depth && same < source->depth
				&& source->frames[same]->address == history->addresses[same])
			same++;
		if (same == history->depth && same == source->depth)
			break;
	}
	return source;
}

static void
add_point(struct source_history *history, const struct snapshot *last)
{
	const struct run *run = history->is_mapped ? last->run->mapped : last->run;
	const struct source *source = history->kind == SOURCE_OTHER ? run->other : find(history, run);
	struct source_history_point point = {.time = last->summary.time_ms};

	if (last->run->id != history->run)
		return;
	history->has_times = point.time != 0;
	if (!history->has_times)
		point.time = (int64_t)last->summary.number;
	// This snapshot or an earlier one may have hidden a change of the source. Then the source's
	// bytes are not known here.
	if (source)
		point.live = source->now.counts.live;
	point.is_known = source && source_is_told(run, source);
	history->points = memory_grow(history->points, history->count, &history->room,
		sizeof(*history->points));
	history->points[history->count++] = point;
}

void
source_history_take(struct source_history *history)
{
	message_is_quiet = true;
	while (history->follow && follow_next(history->follow))
		add_point(history, follow_last(history->follow));
	message_is_quiet = false;
}

// Returns the column of the chart to which the point's time belongs.
static size_t
column_of(const struct source_history *history, const struct source_history_point *point,
	size_t columns)
{
	ASSERT(history->count > 0 && columns > 0);
	int64_t first = history->points[0].time;
	int64_t all = history->points[history->count - 1].time - first;

	if (all <= 0 || point->time <= first)
		return 0;
	double part = (double)(point->time - first) / (double)all;
	size_t column = (size_t)(part * (double)columns);
	return column < columns ? column : columns - 1;
}

// Sets each column to the highest known bytes in its part of the time. A column without a snapshot
// copies the column before it: a large change would have caused a snapshot.
static void
fill(const struct source_history *history, struct source_history_point *parts,
	size_t columns)
{
	bool *has = memory_get(columns, sizeof(*has));

	for (size_t i = 0; i < history->count; i++) {
		const struct source_history_point *point = &history->points[i];
		size_t column = column_of(history, point, columns);
		if (!point->is_known)
			continue;
		if (!parts[column].is_known || parts[column].live < point->live)
			parts[column].live = point->live;
		parts[column].is_known = true;
	}
	for (size_t i = 0; i < history->count; i++)
		has[column_of(history, &history->points[i], columns)] = true;
	for (size_t i = 1; i < columns; i++)
		if (!has[i])
			parts[i] = parts[i - 1];
	free(has);
}

static const char *
glyph_of(const struct source_history_point *part, uint64_t most)
{
	static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584",
		"\u2585", "\u2586", "\u2587", "\u2588"};
	static const char *const plain[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};

	if (!part->is_known)
		return " ";
	double level = most > 0 ? (double)part->live / (double)most * LEVELS : 0;
	size_t place = level >= LEVELS ? LEVELS - 1 : (size_t)level;
	return (term_has_utf8() ? blocks : plain)[place];
}

static void
add_time(const struct source_history *history, struct clip *clip)
{
	const struct source_history_point *first = &history->points[0];
	const struct source_history_point *last = &history->points[history->count - 1];

	clip_text(clip, "what it has held");
	if (history->has_times)
		clip_format(clip, ", in %s from %s on",
			unit_duration(UNIT_ROOM, last->time - first->time), unit_time(UNIT_ROOM, first->time));
	clip_end_line(clip);
}

// Adds the lowest, the highest and the last known bytes. `most` is the highest bytes in any column.
static void
add_numbers(const struct source_history *history, uint64_t most, struct clip *clip)
{
	const struct source_history_point *known = NULL;
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < history->count; i++) {
		if (!history->points[i].is_known)
			continue;
		known = &history->points[i];
		least = known->live < least ? known->live : least;
	}
	if (known)
		clip_line(clip, "at least %s, at most %s, %s %s", unit_bytes(UNIT_ROOM, least),
			unit_bytes(UNIT_ROOM, most),
			known == &history->points[history->count - 1] ? "now" : "when last told",
			unit_bytes(UNIT_ROOM, known->live));
	else
		clip_line(clip, "the log does not tell");
}

void
source_history_draw(const struct source_history *history, unsigned columns,
	struct clip *clip)
{
	uint64_t most = 0;

	if (history->count == 0 || columns == 0) {
		clip_line(clip, "what it has held is not known: the log cannot be read again");
		return;
	}
	struct source_history_point *parts = memory_get(columns, sizeof(*parts));
	fill(history, parts, columns);
	for (unsigned i = 0; i < columns; i++)
		most = parts[i].is_known && parts[i].live > most ? parts[i].live : most;
	add_time(history, clip);
	for (unsigned i = 0; i < columns; i++)
		clip_text(clip, glyph_of(&parts[i], most));
	clip_end_line(clip);
	free(parts);
	add_numbers(history, most, clip);
}

void
source_history_close(struct source_history *history)
{
	if (history->follow)
		follow_close(history->follow);
	free(history->points);
	free(history->addresses);
	*history = (struct source_history){0};
}
