// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/budget.h"
#include "base/memory.h"
#include "log/snapshot_builder.h"

static void
open_kind(struct entries_of_kind *of, struct snapshot *snapshot)
{
	of->snapshot = snapshot;
	of->inherited.kind = SOURCE_INHERITED;
	of->rest.kind = SOURCE_REST;
}

void
snapshot_builder_open(struct snapshot_builder *builder, struct input *input)
{
	builder->input = input;
	open_kind(&builder->blocks, &builder->snapshot);
	open_kind(&builder->maps, &builder->mapped);
	builder->maps.inherited.is_mapped = builder->maps.rest.is_mapped = true;
}

void
snapshot_builder_begin(struct snapshot_builder *builder, struct run *run, uint64_t number)
{
	struct entry *entries = builder->snapshot.entries;
	struct thread_entry *threads = builder->snapshot.threads;
	struct label_entry *labels = builder->snapshot.labels;

	ASSERT(builder->progress == NO_SNAPSHOT);
	builder->snapshot = (struct snapshot){.run = run, .summary.number = number,
		.entries = entries, .threads = threads, .labels = labels, .mapped = &builder->mapped};
	builder->mapped = (struct snapshot){.run = run->mapped, .entries = builder->mapped.entries};
	builder->blocks.now = builder->blocks.before = (struct counts){0};
	builder->maps.now = builder->maps.before = (struct counts){0};
	builder->threads_now = builder->threads_before = (struct counts){0};
	builder->progress = HAS_RULE;
	builder->is_damaged = builder->is_lost = false;
	builder->held_of = NULL;
}

// Adds an entry, or adds its counts to an earlier entry of the same source. {rest} also takes
// sources for which the reader has no room, and a damaged log may repeat any line.
static void
add_entry(struct entries_of_kind *of, const struct entry *entry)
{
	struct snapshot *snapshot = of->snapshot;
	struct source *source = entry->source;
	struct entry *same = source->entry < snapshot->entry_count
		? &snapshot->entries[source->entry] : NULL;

	if (same && same->source == source) {
		counts_add(&same->now, &entry->now);
		counts_add(&same->before, &entry->before);
		same->is_unseen |= entry->is_unseen;
		if (source->kind == SOURCE_REST)
			snapshot->rest = same->now;
		return;
	}
	snapshot->entries = memory_grow(snapshot->entries, snapshot->entry_count, &of->room,
		sizeof(*snapshot->entries));
	source->entry = snapshot->entry_count;
	snapshot->entries[snapshot->entry_count++] = *entry;
	if (source->kind == SOURCE_REST)
		snapshot->rest = entry->now;
}

// Adds the held entry, whose frames are now complete, to the snapshot.
static void
end_entry(struct snapshot_builder *builder)
{
	struct entries_of_kind *of = builder->held_of;
	struct entry *entry = &builder->held;

	if (!of)
		return;
	struct run *run = of->snapshot->run;
	ASSERT(builder->depth <= DEPTH_MAX);
	if (builder->open && builder->stack == STACK_NEW)
		run_stack(run, builder->open, builder->frames, builder->depth);
	if (builder->open && builder->stack == STACK_SAME && builder->depth > 0)
		builder->open->reads_again = false;
	if (builder->open && builder->stack == STACK_TWIN)
		entry->source = run_twin(run, entry->source->id, builder->frames, builder->depth);
	else if (builder->open && (builder->stack == STACK_MANY
			|| (builder->open->has_more && builder->depth == 0)))
		entry->source = NULL;
	if (!entry->source)
		entry->source = &of->rest;
	add_entry(of, entry);
	builder->open = NULL;
	builder->held_of = NULL;
}

// Reports a line that cannot be read. Within a snapshot, marks the snapshot as damaged. Outside a
// snapshot, all lines up to the next snapshot are lost. This is reported only once.
static void
damage(struct snapshot_builder *builder, const struct line *line, const char *expected)
{
	bool is_outside = builder->progress == NO_SNAPSHOT;

	if (is_outside && !builder->is_lost)
		input_complain(builder->input, "%s: expected %s", line->what, expected);
	if (!is_outside && !builder->is_damaged)
		input_complain(builder->input, "%s: expected %s; snapshot [%" PRIu64 "] is left out",
			line->what, expected, builder->snapshot.summary.number);
	builder->is_damaged = !is_outside;
	builder->is_lost = is_outside;
	builder->open = NULL;
}

// Returns true if the line is valid, and the snapshot's first lines so far end with the line `before`.
// Otherwise reports the line.
static bool
follows(struct snapshot_builder *builder, const struct line *line, int progress, const char *before)
{
	if (line->expected)
		damage(builder, line, line->expected);
	else if ((int)builder->progress != progress)
		damage(builder, line, before);
	else
		return true;
	return false;
}

static bool
is_behind_time(struct snapshot_builder *builder, const struct line *line)
{
	return follows(builder, line, HAS_SUMMARY, "time= before it");
}

// Returns the source of an entry whose frames have not been read yet. If several sources have the
// id, their last known counts are compared with entry.before, the counts at the snapshot before.
// Maybe no source has these counts. A snapshot hid changes, or the entry is of a new source with
// this id. Then `open` is set, and the frames that are read next decide.
static struct source *
source_of_id(struct snapshot_builder *builder, struct entries_of_kind *of,
	const struct line *line)
{
	struct run *run = of->snapshot->run;
	struct source *source = run_source_with(run, line->entry.id, &line->entry.of.before);
	bool is_seeds = line->entry.is_seeds;

	if (source && source->depth > 0 && !is_seeds && !source->reads_again)
		return source;
	if (!source && run_is_full(run) && !run_find(run, line->entry.id)) {
		run->process->is_over = true;
		return &of->rest;
	}
	if (!source || source->depth == 0)
		source = run_source(run, line->entry.id);
	if (source->depth > 0 && is_seeds)
		return source;
	builder->open = source;
	builder->stack = source->depth > 0 ? STACK_SAME : STACK_NEW;
	builder->depth = 0;
	return source;
}

static void
take_entry(struct snapshot_builder *builder, const struct line *line)
{
	struct entries_of_kind *of = line->entry.is_mapped ? &builder->maps : &builder->blocks;
	struct entry *held = &builder->held;

	end_entry(builder);
	bool is_seeds = line->entry.is_seeds;
	if (!follows(builder, line, is_seeds ? HAS_CHURN : HAS_SUMMARY,
			is_seeds ? "churn= before it" : "time= before it"))
		return;
	builder->snapshot.run->is_seeds = is_seeds;
	*held = line->entry.of;
	if (line->entry.name == ENTRY_ID)
		held->source = source_of_id(builder, of, line);
	else if (line->entry.name == ENTRY_INHERITED)
		held->source = &of->inherited;
	else if (line->entry.name == ENTRY_REST)
		held->source = &of->rest;
	else
		held->source = run_other(of->snapshot->run);
	if (held->by.name)
		held->by.name = run_name(builder->snapshot.run, held->by.name);
	builder->held_of = of;
	counts_add(&of->now, &held->now);
	counts_add(&of->before, &held->before);
}

// Takes a frame if it equals the next frame of the source in `open`. If not, the frame got a name,
// or the stack belongs to a twin. A twin is another source with the same id and other addresses
// (run_twin()).
static bool
take_same_frame(struct snapshot_builder *builder, const char *text)
{
	const struct source *source = builder->open;
	bool is_same = builder->depth < source->depth
		&& run_frame_is(builder->snapshot.run, source->frames[builder->depth], text);

	builder->depth += is_same;
	if (!is_same) {
		builder->stack = STACK_TWIN;
		memcpy(builder->frames, source->frames, builder->depth * sizeof(struct frame *));
	}
	return is_same;
}

static void
take_frame(struct snapshot_builder *builder, struct line *line)
{
	if (!builder->open)
		return;
	line_parse_frame(line);
	const char *expected = line->expected;
	if (!expected && line->rest.number != builder->depth)
		expected = "the frames in order";
	if (!expected && builder->depth == DEPTH_MAX)
		expected = "no more than 1024 frames";
	if (expected) {
		damage(builder, line, expected);
		return;
	}
	if (builder->stack == STACK_SAME && take_same_frame(builder, line->rest.text))
		return;
	if (builder->snapshot.run->frame_count >= 2 * BUDGET_FRAMES)
		builder->stack = STACK_MANY;
	if (builder->stack == STACK_MANY)
		return;
	bool is_damaged;
	builder->frames[builder->depth++] = run_frame(builder->snapshot.run, line->rest.text,
		line->rest.number == 0, &is_damaged);
	// Only the frame's name is damaged, and no number. So the snapshot remains valid.
	if (is_damaged)
		input_complain(builder->input,
			"%s: expected " FRAME_EXPECTED ": all of it is taken for a name", line->what);
}

static void
take_churn(struct snapshot_builder *builder, const struct line *line)
{
	if (!follows(builder, line, HAS_RULE, "[NUMBER] and 57 '=' before it"))
		return;
	builder->progress = HAS_CHURN;
	builder->snapshot.summary.churn = line->summary.churn;
	builder->snapshot.summary.threshold = line->summary.threshold;
}

static void
take_time(struct snapshot_builder *builder, const struct line *line)
{
	struct summary *summary = &builder->snapshot.summary;
	struct summary above = *summary;

	if (!follows(builder, line, HAS_CHURN, "churn= before it"))
		return;
	builder->progress = HAS_SUMMARY;
	*summary = line->summary;
	summary->number = above.number;
	summary->churn = above.churn;
	summary->threshold = above.threshold;
}

static void
take_losses(struct snapshot_builder *builder, const struct line *line)
{
	if (!is_behind_time(builder, line))
		return;
	free(builder->losses);
	builder->losses = memory_text(line->rest.text, strlen(line->rest.text));
}

static void
take_thread(struct snapshot_builder *builder, const struct line *line)
{
	struct snapshot *snapshot = &builder->snapshot;

	if (!is_behind_time(builder, line))
		return;
	snapshot->threads = memory_grow(snapshot->threads, snapshot->thread_count,
		&builder->thread_room, sizeof(*snapshot->threads));
	struct thread_entry *thread = &snapshot->threads[snapshot->thread_count++];
	*thread = line->thread;
	thread->name = run_name(snapshot->run, thread->name);
	counts_add(&builder->threads_now, &line->thread.now);
	counts_add(&builder->threads_before, &line->thread.before);
}

static void
take_label(struct snapshot_builder *builder, const struct line *line)
{
	struct snapshot *snapshot = &builder->snapshot;

	if (!is_behind_time(builder, line))
		return;
	snapshot->labels = memory_grow(snapshot->labels, snapshot->label_count,
		&builder->label_room, sizeof(*snapshot->labels));
	struct label_entry *label = &snapshot->labels[snapshot->label_count++];
	*label = line->label;
	label->name = run_name(snapshot->run, label->name);
}

void
snapshot_builder_take(struct snapshot_builder *builder, struct line *line)
{
	switch (line->kind) {
	case LINE_FRAME:
		take_frame(builder, line);
		break;
	case LINE_ENTRY:
		take_entry(builder, line);
		break;
	case LINE_CHURN:
		take_churn(builder, line);
		break;
	case LINE_TIME:
		take_time(builder, line);
		break;
	case LINE_MEMORY:
		if (is_behind_time(builder, line))
			snapshot_builder_take_memory(&builder->snapshot.summary, &line->summary);
		break;
	case LINE_LOSSES:
		take_losses(builder, line);
		break;
	case LINE_THREAD:
		take_thread(builder, line);
		break;
	case LINE_LABEL:
		take_label(builder, line);
		break;
	default:
		damage(builder, line, line->expected);
	}
}

static void
end(struct snapshot_builder *builder)
{
	builder->open = NULL;
	builder->held_of = NULL;
	builder->progress = NO_SNAPSHOT;
	free(builder->losses);
	builder->losses = NULL;
}

void
snapshot_builder_drop(struct snapshot_builder *builder, const char *why)
{
	struct run *run = builder->snapshot.run;

	if (builder->progress == NO_SNAPSHOT)
		return;
	end(builder);
	run->torn++;
	run->damaged += why || builder->is_damaged;
	if (why && !builder->is_damaged)
		input_complain(builder->input, "snapshot [%" PRIu64 "] is left out: %s",
			builder->snapshot.summary.number, why);
}

const struct snapshot *
snapshot_builder_apply(struct snapshot_builder *builder)
{
	struct snapshot *snapshot = &builder->snapshot;
	struct summary *summary = &snapshot->summary;
	struct run *run = snapshot->run;

	ASSERT(snapshot_builder_is_seeds(builder) || snapshot_builder_adds_up(builder));
	end_entry(builder);
	ASSERT(snapshot_builder_has_all(builder));
	const char *why = run_refuses(run, snapshot);
	if (!why && !snapshot_builder_threads_add_up(builder))
		why = "its threads do not add up to its totals";
	if (why) {
		snapshot_builder_drop(builder, why);
		return NULL;
	}
	if (run->snapshots > 0 && summary->number <= run->last_number)
		input_complain(builder->input, "snapshot [%" PRIu64 "] comes after [%" PRIu64
			"]: expected their numbers to grow", summary->number, run->last_number);
	snapshot_builder_move_run(builder);
	end(builder);
	return snapshot;
}

void
snapshot_builder_free(struct snapshot_builder *builder)
{
	free(builder->losses);
	free(builder->snapshot.entries);
	free(builder->mapped.entries);
	free(builder->snapshot.threads);
	free(builder->snapshot.labels);
}
