#include <stdlib.h>
#include <string.h>

#include "log/certainty.h"
#include "log/known.h"

struct run *
known_new(struct arena *arena)
{
	struct run *run = arena_get(arena, sizeof(*run));
	run->known = arena_get(arena, sizeof(*run->known));
	run->known->arena = arena;
	run->certainty = arena_get(arena, sizeof(*run->certainty));
	run->exe = run->host = run->start = "";
	return run;
}

void
known_free(struct run *run)
{
	struct known *known = run->known;
	free(known->buckets);
	free(known->frame_buckets);
	free(run->modules);
	free(run->sources);
	free(run->frames);
	free(run->notes);
	free(run->losses);
}

// Ids are hashes already; but not those that somebody makes up.
static size_t
bucket_of(const struct known *known, uint64_t id)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (known->bucket_count - 1);
}

static void
grow_sources(struct run *run)
{
	struct known *known = run->known;
	if (run->source_count < known->bucket_count)
		return;
	known->bucket_count = known->bucket_count ? known->bucket_count * 2 : BUCKETS_FIRST;
	free(known->buckets);
	known->buckets = memory_get(known->bucket_count, sizeof(struct source *));
	// Each goes to the front of its list: the first ones last, to stay first.
	for (size_t i = run->source_count; i > 0; i--) {
		struct source *source = run->sources[i - 1];
		size_t bucket = bucket_of(known, source->id);
		source->next = known->buckets[bucket];
		known->buckets[bucket] = source;
	}
}

static struct source *
new_source(struct run *run, enum source_kind kind, uint64_t id)
{
	struct source *source = arena_get(run->known->arena, sizeof(*source));
	source->kind = kind;
	source->id = id;
	source->now.shown_in = NEVER_SHOWN;
	source->entry = NEVER_SHOWN;
	return source;
}

struct source *
known_other(struct run *run)
{
	if (!run->other)
		run->other = new_source(run, SOURCE_OTHER, 0);
	return run->other;
}

// At the end of the list that it is found by.
static struct source *
add_source(struct run *run, uint64_t id)
{
	struct known *known = run->known;
	struct source *source = new_source(run, SOURCE_STACK, id);
	struct source **end;

	grow_sources(run);
	for (end = &known->buckets[bucket_of(known, id)]; *end; end = &(*end)->next)
		;
	*end = source;
	run->sources = memory_grow(run->sources, run->source_count, &known->source_room,
		sizeof(*run->sources));
	run->sources[run->source_count++] = source;
	return source;
}

// The next one of this id, from that one on; NULL: none.
static struct source *
with_id(struct source *source, uint64_t id)
{
	while (source && source->id != id)
		source = source->next;
	return source;
}

static struct source *
first_of(const struct run *run, uint64_t id)
{
	const struct known *known = run->known;
	return known->bucket_count ? with_id(known->buckets[bucket_of(known, id)], id) : NULL;
}

struct source *
known_source(struct run *run, uint64_t id)
{
	struct source *found = first_of(run, id);
	return found ? found : add_source(run, id);
}

struct source *
known_by_counts(const struct run *run, uint64_t id, const struct counts *counts)
{
	struct source *found = first_of(run, id);
	for (; found; found = with_id(found->next, id))
		if (found->now.shown_in != NEVER_SHOWN
			&& memcmp(&found->now.counts, counts, sizeof(*counts)) == 0)
			return found;
	return NULL;
}

static bool
has_frames(const struct source *source, struct frame *const *frames, unsigned depth)
{
	if (source->depth != depth)
		return false;
	for (unsigned i = 0; i < depth; i++)
		if (source->frames[i]->address != frames[i]->address)
			return false;
	return true;
}

struct source *
known_twin(struct run *run, uint64_t id, struct frame *const *frames, unsigned depth)
{
	struct source *found = first_of(run, id);
	while (found && !has_frames(found, frames, depth))
		found = with_id(found->next, id);
	if (found) {
		known_renamed(found, frames, depth);
		return found;
	}
	found = add_source(run, id);
	found->is_twin = true;
	known_stack(run, found, frames, depth);
	return found;
}

void
known_stack(struct run *run, struct source *source, struct frame *const *frames, unsigned depth)
{
	if (source->depth > 0 || depth == 0)
		return;
	source->frames = arena_get(run->known->arena, depth * sizeof(*source->frames));
	memcpy(source->frames, frames, depth * sizeof(*source->frames));
	source->depth = depth;
	for (unsigned i = 0; i < depth; i++)
		source->reads_again = source->reads_again || !frames[i]->function[0];
}

void
known_renamed(struct source *source, struct frame *const *frames, unsigned depth)
{
	bool has_got = false;

	for (unsigned i = 0; i < depth && i < source->depth; i++) {
		if (source->frames[i]->function[0] || !frames[i]->function[0])
			continue;
		source->frames[i] = frames[i];
		has_got = true;
	}
	source->reads_again = has_got;
}

void
known_note(struct run *run, const char *text)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[i], text) == 0)
			return;
	run->notes = memory_grow(run->notes, run->note_count, &run->known->note_room,
		sizeof(*run->notes));
	run->notes[run->note_count++] = arena_text(run->known->arena, text, strlen(text));
}

static struct loss *
loss_named(struct run *run, const char *name)
{
	for (size_t i = 0; i < run->loss_count; i++)
		if (strcmp(run->losses[i].name, name) == 0)
			return &run->losses[i];
	run->losses = memory_grow(run->losses, run->loss_count, &run->known->loss_room,
		sizeof(*run->losses));
	struct loss *loss = &run->losses[run->loss_count++];
	loss->name = arena_text(run->known->arena, name, strlen(name));
	return loss;
}

void
known_losses(struct run *run, char *losses)
{
	char *name;
	uint64_t count;

	if (!losses)
		return;
	char *at = losses + strcspn(losses, " ");
	while (parse_loss(&at, &name, &count))
		loss_named(run, name)->count = count;
}

void
known_set(struct run *run, struct source *source, const struct counts *counts,
	const struct counts *before, bool is_next)
{
	certainty_note(run, source, before, is_next);
	counts_subtract(&run->known->sum, &source->now.counts);
	counts_add(&run->known->sum, counts);
	source->now = (struct state){.counts = *counts, .shown_in = run->snapshots};
}

struct counts
known_sum(const struct run *run)
{
	return run->known->sum;
}
