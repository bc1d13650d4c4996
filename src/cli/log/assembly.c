// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "log/certainty.h"
#include "log/assembly.h"

void
assembly_begin(struct assembly *assembly, struct run *run, uint64_t number)
{
	struct entry *entries = assembly->snapshot.entries;
	struct thread_entry *threads = assembly->snapshot.threads;
	struct label_entry *labels = assembly->snapshot.labels;

	assembly->snapshot = (struct snapshot){.run = run, .summary.number = number,
		.entries = entries, .threads = threads, .labels = labels};
	assembly->now = assembly->before = (struct counts){0};
	assembly->threads_now = assembly->threads_before = (struct counts){0};
	assembly->progress = HAS_RULE;
	assembly->is_damaged = assembly->is_lost = false;
	assembly->has_held = false;
}

// Two entries of one source there are only where a line was doubled.
static void
add_entry(struct assembly *assembly, const struct entry *entry)
{
	struct snapshot *snapshot = &assembly->snapshot;
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
	snapshot->entries = memory_grow(snapshot->entries, snapshot->entry_count,
		&assembly->entry_room, sizeof(*snapshot->entries));
	source->entry = snapshot->entry_count;
	snapshot->entries[snapshot->entry_count++] = *entry;
	if (source->kind == SOURCE_REST)
		snapshot->rest = entry->now;
}

// The entry under way has come to its end.
static void
settle(struct assembly *assembly)
{
	struct run *run = assembly->snapshot.run;
	struct entry *entry = &assembly->held;

	if (!assembly->has_held)
		return;
	if (assembly->open && assembly->stack == STACK_NEW)
		run_stack(run, assembly->open, assembly->frames, assembly->depth);
	if (assembly->open && assembly->stack == STACK_SAME && assembly->depth > 0)
		assembly->open->reads_again = false;
	if (assembly->open && assembly->stack == STACK_TWIN)
		entry->source = run_twin(run, entry->source->id, assembly->frames, assembly->depth);
	else if (assembly->open && (assembly->stack == STACK_MANY
			|| (assembly->open->has_more && assembly->depth == 0)))
		entry->source = NULL;
	if (!entry->source)
		entry->source = &assembly->rest;
	add_entry(assembly, entry);
	assembly->open = NULL;
	assembly->has_held = false;
}

// The snapshot under way has a line that cannot be read. Outside of any snapshot: whatever
// follows is lost until the next one, and that is said once.
static void
damage(struct assembly *assembly, const struct line *line, const char *expected)
{
	bool is_outside = assembly->progress == NO_SNAPSHOT;

	if (is_outside && !assembly->is_lost)
		input_complain(assembly->input, "%s: expected %s", line->what, expected);
	if (!is_outside && !assembly->is_damaged)
		input_complain(assembly->input, "%s: expected %s; snapshot [%" PRIu64 "] is left out",
			line->what, expected, assembly->snapshot.summary.number);
	assembly->is_damaged = !is_outside;
	assembly->is_lost = is_outside;
	assembly->open = NULL;
}

// Finds the source of an entry with an id, as far as that goes before its frames are read: of
// those with this id the one that had what this one had in the snapshot before. Where none had,
// changes of it were hidden, or it is another one with this id: the frames tell.
static struct source *
source_of_id(struct assembly *assembly, const struct line *line)
{
	struct run *run = assembly->snapshot.run;
	struct source *source = run_source_with(run, line->entry.id, &line->entry.before);
	bool is_seeds = line->entry.is_seeds;

	if (source && source->depth > 0 && !is_seeds && !source->reads_again)
		return source;
	if (!source && run_is_full(run) && !run_knows(run, line->entry.id)) {
		run->is_over = true;
		return &assembly->rest;
	}
	if (!source || source->depth == 0)
		source = run_source(run, line->entry.id);
	if (source->depth > 0 && is_seeds)
		return source;
	assembly->open = source;
	assembly->stack = source->depth > 0 ? STACK_SAME : STACK_NEW;
	assembly->depth = 0;
	return source;
}

static void
take_entry(struct assembly *assembly, const struct line *line)
{
	struct entry *held = &assembly->held;

	settle(assembly);
	if (line->expected) {
		damage(assembly, line, line->expected);
		return;
	}
	bool is_seeds = line->entry.is_seeds;
	if (assembly->progress != (is_seeds ? HAS_CHURN : HAS_SUMMARY)) {
		damage(assembly, line, is_seeds ? "churn= before it" : "time= before it");
		return;
	}
	assembly->snapshot.run->is_seeds = is_seeds;
	if (line->entry.name == ENTRY_ID)
		held->source = source_of_id(assembly, line);
	else if (line->entry.name == ENTRY_INHERITED)
		held->source = &assembly->inherited;
	else if (line->entry.name == ENTRY_REST)
		held->source = &assembly->rest;
	else
		held->source = run_other(assembly->snapshot.run);
	held->now = line->entry.now;
	held->before = line->entry.before;
	held->is_unseen = line->entry.is_unseen;
	held->by = (struct share){0};
	if (line->entry.by.name)
		held->by = (struct share){run_name(assembly->snapshot.run, line->entry.by.name),
			line->entry.by.id, (unsigned)line->entry.by.percent};
	assembly->has_held = true;
	counts_add(&assembly->now, &held->now);
	counts_add(&assembly->before, &held->before);
}

// Takes the frame in where it is that of the source which is thought to be meant. Otherwise the
// frames may be a twin's, or have got their names since: their addresses tell.
static bool
take_same_frame(struct assembly *assembly, const char *text)
{
	const struct source *source = assembly->open;
	bool is_same = assembly->depth < source->depth
		&& run_frame_is(assembly->snapshot.run, source->frames[assembly->depth], text);

	assembly->depth += is_same;
	if (!is_same) {
		assembly->stack = STACK_TWIN;
		memcpy(assembly->frames, source->frames, assembly->depth * sizeof(struct frame *));
	}
	return is_same;
}

static void
take_frame(struct assembly *assembly, struct line *line)
{
	if (!assembly->open)
		return;
	line_parse_frame(line);
	const char *expected = line->expected;
	if (!expected && line->rest.number != assembly->depth)
		expected = "the frames in order";
	if (!expected && assembly->depth == DEPTH_MAX)
		expected = "no more than 1024 frames";
	if (expected) {
		damage(assembly, line, expected);
		return;
	}
	if (assembly->stack == STACK_SAME && take_same_frame(assembly, line->rest.text))
		return;
	if (assembly->snapshot.run->frame_count >= 2 * BUDGET_FRAMES)
		assembly->stack = STACK_MANY;
	if (assembly->stack == STACK_MANY)
		return;
	bool is_damaged;
	assembly->frames[assembly->depth++] = run_frame(assembly->snapshot.run, line->rest.text,
		line->rest.number == 0, &is_damaged);
	// Names are not numbers: the snapshot counts.
	if (is_damaged)
		input_complain(assembly->input, "%s: expected " FRAME_EXPECTED ": all of it is taken for a name",
			line->what);
}

static void
take_churn(struct assembly *assembly, const struct line *line)
{
	struct summary *summary = &assembly->snapshot.summary;

	if (assembly->progress != HAS_RULE || line->expected) {
		damage(assembly, line,
			assembly->progress != HAS_RULE ? "[NUMBER] and 57 '=' before it" : line->expected);
		return;
	}
	assembly->progress = HAS_CHURN;
	summary->churn = line->summary.churn;
	summary->threshold = line->summary.threshold;
}

static void
take_time(struct assembly *assembly, const struct line *line)
{
	struct summary *summary = &assembly->snapshot.summary;
	struct summary above = *summary;

	if (assembly->progress != HAS_CHURN || line->expected) {
		damage(assembly, line,
			assembly->progress != HAS_CHURN ? "churn= before it" : line->expected);
		return;
	}
	assembly->progress = HAS_SUMMARY;
	*summary = line->summary;
	summary->number = above.number;
	summary->churn = above.churn;
	summary->threshold = above.threshold;
}

// Whether the line is as it should be, and stands behind time=.
static bool
is_behind_time(struct assembly *assembly, const struct line *line)
{
	bool has_time = assembly->progress == HAS_SUMMARY;

	if (!has_time || line->expected)
		damage(assembly, line, has_time ? line->expected : "time= before it");
	return has_time && !line->expected;
}

static void
take_losses(struct assembly *assembly, const struct line *line)
{
	if (!is_behind_time(assembly, line))
		return;
	free(assembly->losses);
	assembly->losses = memory_text(line->rest.text, strlen(line->rest.text));
}

static void
take_thread(struct assembly *assembly, const struct line *line)
{
	struct snapshot *snapshot = &assembly->snapshot;

	if (!is_behind_time(assembly, line))
		return;
	snapshot->threads = memory_grow(snapshot->threads, snapshot->thread_count,
		&assembly->thread_room, sizeof(*snapshot->threads));
	snapshot->threads[snapshot->thread_count++] = (struct thread_entry){line->thread.kind,
		line->thread.id, run_name(snapshot->run, line->thread.name), line->thread.now,
		line->thread.before};
	counts_add(&assembly->threads_now, &line->thread.now);
	counts_add(&assembly->threads_before, &line->thread.before);
}

static void
take_label(struct assembly *assembly, const struct line *line)
{
	struct snapshot *snapshot = &assembly->snapshot;

	if (!is_behind_time(assembly, line))
		return;
	snapshot->labels = memory_grow(snapshot->labels, snapshot->label_count,
		&assembly->label_room, sizeof(*snapshot->labels));
	snapshot->labels[snapshot->label_count++] = (struct label_entry){
		run_name(snapshot->run, line->label.name), line->label.now, line->label.before};
}

void
assembly_take(struct assembly *assembly, struct line *line)
{
	switch (line->kind) {
	case LINE_FRAME:
		take_frame(assembly, line);
		break;
	case LINE_ENTRY:
		take_entry(assembly, line);
		break;
	case LINE_CHURN:
		take_churn(assembly, line);
		break;
	case LINE_TIME:
		take_time(assembly, line);
		break;
	case LINE_LOSSES:
		take_losses(assembly, line);
		break;
	case LINE_THREAD:
		take_thread(assembly, line);
		break;
	case LINE_LABEL:
		take_label(assembly, line);
		break;
	default:
		damage(assembly, line, line->expected);
	}
}

static void
end(struct assembly *assembly)
{
	assembly->open = NULL;
	assembly->has_held = false;
	assembly->progress = NO_SNAPSHOT;
	free(assembly->losses);
	assembly->losses = NULL;
}

void
assembly_drop(struct assembly *assembly, const char *why)
{
	struct run *run = assembly->snapshot.run;

	if (assembly->progress == NO_SNAPSHOT)
		return;
	end(assembly);
	run->torn++;
	run->damaged += why || assembly->is_damaged;
	if (why && !assembly->is_damaged)
		input_complain(assembly->input, "snapshot [%" PRIu64 "] is left out: %s",
			assembly->snapshot.summary.number, why);
}

const struct snapshot *
assembly_apply(struct assembly *assembly)
{
	struct snapshot *snapshot = &assembly->snapshot;
	struct summary *summary = &snapshot->summary;
	struct run *run = snapshot->run;

	settle(assembly);
	const char *why = run_refuses(run, snapshot);
	if (!why && !assembly_threads_add_up(assembly))
		why = "its threads do not add up to its totals";
	if (why) {
		assembly_drop(assembly, why);
		return NULL;
	}
	if (run->snapshots > 0 && summary->number <= run->last_number)
		input_complain(assembly->input, "snapshot [%" PRIu64 "] comes after [%" PRIu64
			"]: expected their numbers to grow", summary->number, run->last_number);
	run_place(run, summary);
	certainty_before(snapshot);
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		if (source_kind_is_sum(entry->source->kind))
			continue;
		counts_subtract(&run->shown_sum, &entry->source->now.counts);
		counts_add(&run->shown_sum, &entry->now);
		entry->source->now = (struct state){entry->now, run->snapshots, entry->by};
		entry->source->is_unseen |= entry->is_unseen;
	}
	certainty_after(snapshot);
	if (run->is_seeds)
		summary->total = run->shown_sum;
	summary->before = summary->total;
	counts_subtract(&summary->before, &assembly->now);
	counts_add(&summary->before, &assembly->before);
	run_threads(run, snapshot);
	run_labels(run, snapshot);
	if (assembly->losses)
		run_losses(run, assembly->losses);
	run_move_on(run, summary);
	end(assembly);
	return snapshot;
}

void
assembly_free(struct assembly *assembly)
{
	free(assembly->losses);
	free(assembly->snapshot.entries);
	free(assembly->snapshot.threads);
	free(assembly->snapshot.labels);
}
