// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/memory.h"
#include "base/message.h"
#include "top/past.h"

enum { LEVELS = 8 };

void
past_open(struct past *past, const char *path, const struct run *run, const struct row *row)
{
	*past = (struct past){.run = run->id, .id = row->id, .kind = row->kind, .depth = row->depth};
	past->addresses = memory_get(row->depth + 1, sizeof(*past->addresses));
	for (unsigned i = 0; i < row->depth; i++)
		past->addresses[i] = row->frames[i]->address;
	// What there is to say of the log has been said.
	message_is_quiet = true;
	past->follow = follow_open(path);
	message_is_quiet = false;
	past_take(past);
}

// Several sources may have one id, but not the same frames.
static bool
is_it(const struct past *past, const struct source *source)
{
	if (source->id != past->id || source->kind != past->kind || source->depth != past->depth)
		return false;
	for (unsigned i = 0; i < past->depth; i++)
		if (source->frames[i]->address != past->addresses[i])
			return false;
	return true;
}

static const struct source *
find(struct past *past, const struct run *run)
{
	if (past->kind == SOURCE_OTHER)
		return run->other;
	if (source_kind_is_sum(past->kind))
		return NULL;
	if (past->place < run->source_count && is_it(past, run->sources[past->place]))
		return run->sources[past->place];
	for (size_t i = 0; i < run->source_count; i++) {
		if (!is_it(past, run->sources[i]))
			continue;
		past->place = i;
		return run->sources[i];
	}
	return NULL;
}

static void
add_point(struct past *past, const struct snapshot *last)
{
	const struct run *run = last->run;
	const struct source *source = find(past, run);
	struct past_point point = {.time = last->summary.time_ms};

	if (run->id != past->run)
		return;
	past->has_times = point.time != 0;
	if (!past->has_times)
		point.time = (int64_t)last->summary.number;
	// What it held before it was first shown is not known: the snapshots may have hidden it.
	if (source)
		point.live = source->now.counts.live;
	point.is_known = source && source_is_told(run, &source->now, run->snapshots);
	past->points = memory_grow(past->points, past->count, &past->room, sizeof(*past->points));
	past->points[past->count++] = point;
}

void
past_take(struct past *past)
{
	message_is_quiet = true;
	while (past->follow && follow_next(past->follow))
		add_point(past, follow_last(past->follow));
	message_is_quiet = false;
}

// A column's number, of so many.
static size_t
column_of(const struct past *past, const struct past_point *point, size_t columns)
{
	int64_t first = past->points[0].time;
	int64_t all = past->points[past->count - 1].time - first;

	if (all <= 0 || point->time <= first)
		return 0;
	double part = (double)(point->time - first) / (double)all;
	size_t column = (size_t)(part * (double)columns);
	return column < columns ? column : columns - 1;
}

// What it held at most in each column. One without a snapshot is as the one before it: what moves
// much writes snapshots.
static void
fill(const struct past *past, struct past_point *parts, size_t columns)
{
	bool *has = memory_get(columns, sizeof(*has));

	for (size_t i = 0; i < past->count; i++) {
		const struct past_point *point = &past->points[i];
		size_t column = column_of(past, point, columns);
		if (!point->is_known)
			continue;
		if (!parts[column].is_known || parts[column].live < point->live)
			parts[column].live = point->live;
		parts[column].is_known = true;
	}
	for (size_t i = 0; i < past->count; i++)
		has[column_of(past, &past->points[i], columns)] = true;
	for (size_t i = 1; i < columns; i++)
		if (!has[i])
			parts[i] = parts[i - 1];
	free(has);
}

static const char *
glyph_of(const struct past_point *part, uint64_t most)
{
	static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585",
		"\u2586", "\u2587", "\u2588"};
	static const char *const plain[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};

	if (!part->is_known)
		return " ";
	double level = most > 0 ? (double)part->live / (double)most * LEVELS : 0;
	size_t place = level >= LEVELS ? LEVELS - 1 : (size_t)level;
	return (term_has_utf8() ? blocks : plain)[place];
}

static void
add_time(const struct past *past, struct clip *clip)
{
	const struct past_point *first = &past->points[0], *last = &past->points[past->count - 1];
	char duration[UNIT_TEXT], from[UNIT_TEXT];

	clip_text(clip, "what it has held");
	if (past->has_times)
		clip_format(clip, ", in %s from %s on", unit_duration(duration, last->time - first->time),
			unit_time(from, first->time));
	clip_end_line(clip);
}

// `most` is what it held at most.
static void
add_numbers(const struct past *past, uint64_t most, struct clip *clip)
{
	const struct past_point *known = NULL;
	uint64_t least = UINT64_MAX;
	char text[3][UNIT_TEXT];

	for (size_t i = 0; i < past->count; i++) {
		if (!past->points[i].is_known)
			continue;
		known = &past->points[i];
		least = known->live < least ? known->live : least;
	}
	if (known)
		clip_format(clip, "at least %s, at most %s, %s %s", unit_bytes(text[0], least),
			unit_bytes(text[1], most),
			known == &past->points[past->count - 1] ? "now" : "when last told",
			unit_bytes(text[2], known->live));
	else
		clip_text(clip, "the log does not tell");
	clip_end_line(clip);
}

void
past_draw(const struct past *past, unsigned columns, struct clip *clip)
{
	uint64_t most = 0;

	if (past->count == 0 || columns == 0) {
		clip_text(clip, "what it has held is not known: the log cannot be read again");
		clip_end_line(clip);
		return;
	}
	struct past_point *parts = memory_get(columns, sizeof(*parts));
	fill(past, parts, columns);
	for (unsigned i = 0; i < columns; i++)
		most = parts[i].is_known && parts[i].live > most ? parts[i].live : most;
	add_time(past, clip);
	for (unsigned i = 0; i < columns; i++)
		clip_text(clip, glyph_of(&parts[i], most));
	clip_end_line(clip);
	free(parts);
	add_numbers(past, most, clip);
}

void
past_close(struct past *past)
{
	if (past->follow)
		follow_close(past->follow);
	free(past->points);
	free(past->addresses);
	*past = (struct past){0};
}
