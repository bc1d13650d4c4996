#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "log/pending.h"

void
pending_begin(struct pending *pending, struct run *run, uint64_t number)
{
	struct entry *entries = pending->snapshot.entries;

	pending->snapshot = (struct snapshot){.run = run, .number = number, .entries = entries, .reason = ""};
	pending->sum = (struct counts){0};
	pending->progress = HAS_RULE;
	pending->is_damaged = pending->is_lost = false;
	pending->has_emptied = false;
	pending->has_held = false;
}

// Two entries of one source there are only where a line was doubled.
static void
add_entry(struct pending *pending, const struct entry *entry)
{
	struct snapshot *snapshot = &pending->snapshot;
	struct source *source = entry->source;

	if (source->entry < snapshot->entry_count && snapshot->entries[source->entry].source == source) {
		counts_add(&snapshot->entries[source->entry].counts, &entry->counts);
		counts_add(&snapshot->entries[source->entry].more, &entry->more);
		return;
	}
	snapshot->entries = memory_grow(snapshot->entries, snapshot->entry_count, &pending->entry_room,
		sizeof(*snapshot->entries));
	source->entry = snapshot->entry_count;
	snapshot->entries[snapshot->entry_count++] = *entry;
	if (source->kind == SOURCE_REST)
		snapshot->rest = entry->counts;
}

void
pending_settle(struct pending *pending)
{
	struct run *run = pending->snapshot.run;
	struct entry *entry = &pending->held;

	if (!pending->has_held)
		return;
	if (pending->open && pending->stack == STACK_NEW)
		known_stack(run, pending->open, pending->frames, pending->depth);
	if (pending->open && pending->stack == STACK_SAME)
		pending->open->reads_again = false;
	if (pending->open && pending->stack == STACK_TWIN)
		entry->source = known_twin(run, entry->source->id, pending->frames, pending->depth);
	add_entry(pending, entry);
	pending->open = NULL;
	pending->has_held = false;
}

// The snapshot under way has a line that cannot be read. Outside of any snapshot: whatever
// follows is lost until the next one, and that is said once.
static void
damage(struct pending *pending, const char *what, const char *expected)
{
	if (pending->progress == NO_SNAPSHOT && !pending->is_lost)
		complain(pending->complaints, "%s: expected %s", what, expected);
	if (pending->progress != NO_SNAPSHOT && !pending->is_damaged)
		complain(pending->complaints, "%s: expected %s; snapshot [%" PRIu64 "] is left out", what,
			expected, pending->snapshot.number);
	pending->is_damaged = pending->progress != NO_SNAPSHOT;
	pending->is_lost = pending->progress == NO_SNAPSHOT;
	pending->open = NULL;
}

// Finds the source of an entry with an id, as far as that goes before its frames are read: of
// those with this id the one that had what this one had in the snapshot before. Where none had,
// changes of it were hidden, or it is another one with this id: the frames tell.
static struct source *
source_of_id(struct pending *pending, const struct parsed_entry *parsed)
{
	struct run *run = pending->snapshot.run;
	struct counts before = parsed->counts;
	struct counts more = parsed->more;

	more.live = more.alloc - more.free;
	more.blocks = more.allocs - more.frees;
	counts_subtract(&before, &more);
	struct source *source = known_by_counts(run, parsed->id, &before);
	if (source && source->depth > 0 && !parsed->is_seeds && !source->reads_again)
		return source;
	if (!source || source->depth == 0)
		source = known_source(run, parsed->id);
	if (source->depth > 0 && parsed->is_seeds)
		return source;
	pending->open = source;
	pending->stack = source->depth > 0 ? STACK_SAME : STACK_NEW;
	pending->depth = 0;
	return source;
}

static struct source *
source_of(struct pending *pending, const struct parsed_entry *parsed)
{
	if (parsed->name == ENTRY_REST)
		return &pending->rest;
	if (parsed->name == ENTRY_ID)
		return source_of_id(pending, parsed);
	return known_other(pending->snapshot.run);
}

static void
take_entry(struct pending *pending, const char *line)
{
	struct snapshot *snapshot = &pending->snapshot;
	struct parsed_entry parsed;
	enum progress wanted = HAS_SUMMARY;

	pending_settle(pending);
	const char *expected = parse_entry(line, &parsed);
	if (expected) {
		damage(pending, "an entry", expected);
		return;
	}
	if (parsed.is_seeds)
		wanted = HAS_CHURN;
	if (pending->progress != wanted) {
		damage(pending, "an entry", wanted == HAS_CHURN ? "churn= before it" : "time= before it");
		return;
	}
	snapshot->run->is_seeds = parsed.is_seeds;
	pending->held = (struct entry){source_of(pending, &parsed), parsed.counts, parsed.more};
	pending->has_held = true;
	counts_add(&pending->sum, &parsed.counts);
}

// Takes the frame in where it is that of the source which is thought to be meant. Otherwise the
// frames may be a twin's, or have got their names since: their addresses tell.
static bool
take_same_frame(struct pending *pending, const char *text)
{
	const struct source *source = pending->open;
	bool is_same = pending->depth < source->depth
		&& known_frame_is(source->frames[pending->depth], text);

	pending->depth += is_same;
	if (!is_same) {
		pending->stack = STACK_TWIN;
		memcpy(pending->frames, source->frames, pending->depth * sizeof(struct frame *));
	}
	return is_same;
}

static void
take_frame(struct pending *pending, char *line)
{
	struct parsed_frame frame;

	if (!pending->open)
		return;
	const char *expected = parse_frame(line, &frame);
	if (!expected && frame.number != pending->depth)
		expected = "the frames in order";
	if (!expected && pending->depth == DEPTH_MAX)
		expected = "no more than 1024 frames";
	if (expected) {
		damage(pending, "a frame", expected);
		return;
	}
	if (pending->stack == STACK_SAME && take_same_frame(pending, frame.text))
		return;
	pending->frames[pending->depth++] = known_frame(pending->snapshot.run, frame.text,
		frame.number == 0);
}

static void
take_churn(struct pending *pending, const char *line)
{
	struct snapshot *snapshot = &pending->snapshot;
	const char *expected = parse_churn(line, &snapshot->churn, &snapshot->threshold);

	if (pending->progress != HAS_RULE)
		expected = "[NUMBER] and 57 '=' before it";
	if (expected)
		damage(pending, "churn", expected);
	else
		pending->progress = HAS_CHURN;
}

static void
take_summary(struct pending *pending, char *line)
{
	struct snapshot *snapshot = &pending->snapshot;
	struct parsed_summary parsed;
	struct parsed_summary *summary = &parsed;
	const char *expected = parse_summary(line, summary);

	if (pending->progress != HAS_CHURN)
		expected = "churn= before it";
	if (expected) {
		damage(pending, "a snapshot's summary", expected);
		return;
	}
	pending->progress = HAS_SUMMARY;
	pending->has_emptied = summary->has_emptied;
	snprintf(pending->reason, sizeof(pending->reason), "%s", summary->reason);
	snapshot->reason = pending->reason;
	snapshot->time_ms = summary->time_ms;
	snapshot->total = summary->total;
	snapshot->sources = summary->sources;
	snapshot->sources_max = summary->sources_max;
	snapshot->shown = summary->shown;
	snapshot->hidden = summary->hidden;
	snapshot->empty_shown = summary->empty_shown;
	snapshot->empty = summary->empty;
	snapshot->has_memory = summary->has_memory;
	snapshot->rss = summary->rss;
	snapshot->file = summary->file;
	snapshot->outside = summary->outside;
}

static void
take_losses(struct pending *pending, const char *line)
{
	if (pending->progress != HAS_SUMMARY) {
		damage(pending, "losses", "time= before it");
		return;
	}
	free(pending->losses);
	pending->losses = memory_text(line, strlen(line));
}

void
pending_take(struct pending *pending, enum line_kind kind, char *line)
{
	switch (kind) {
	case LINE_FRAME:
		take_frame(pending, line);
		break;
	case LINE_ENTRY:
		take_entry(pending, line);
		break;
	case LINE_CHURN:
		take_churn(pending, line);
		break;
	case LINE_TIME:
		take_summary(pending, line);
		break;
	case LINE_LOSSES:
		take_losses(pending, line);
		break;
	default:
		damage(pending, "a line", "one of a pmem log");
	}
}

bool
pending_adds_up(const struct pending *pending)
{
	return pending->progress == HAS_SUMMARY && !pending->is_damaged
		&& memcmp(&pending->sum, &pending->snapshot.total, sizeof(pending->sum)) == 0;
}

bool
pending_is_seeds(const struct pending *pending)
{
	return pending->progress == HAS_CHURN && !pending->is_damaged
		&& (pending->snapshot.run->id == 0 || pending->snapshot.entry_count > 0 || pending->has_held);
}

void
pending_end(struct pending *pending)
{
	pending->open = NULL;
	pending->has_held = false;
	pending->progress = NO_SNAPSHOT;
	free(pending->losses);
	pending->losses = NULL;
}

void
pending_free(struct pending *pending)
{
	free(pending->losses);
	free(pending->snapshot.entries);
}
