#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "log/run.h"

struct run *
run_new(struct arena *arena)
{
	struct run *run = arena_get(arena, sizeof(*run));
	run->arena = arena;
	run->exe = run->host = run->start = "";
	return run;
}

void
run_free(struct run *run)
{
	intern_free(&run->ids);
	intern_free(&run->frame_texts);
	free(run->by_id);
	free(run->modules);
	free(run->sources);
	free(run->frames);
	free(run->notes);
	free(run->losses);
}

static struct source *
new_source(struct run *run, enum source_kind kind, uint64_t id)
{
	struct source *source = arena_get(run->arena, sizeof(*source));
	source->kind = kind;
	source->id = id;
	source->now.shown_in = NEVER_SHOWN;
	source->entry = NEVER_SHOWN;
	return source;
}

struct source *
run_other(struct run *run)
{
	if (!run->other)
		run->other = new_source(run, SOURCE_OTHER, 0);
	return run->other;
}

static struct source *
add_source(struct run *run, uint64_t id)
{
	struct source *source = new_source(run, SOURCE_STACK, id);
	run->sources = memory_grow(run->sources, run->source_count, &run->source_room,
		sizeof(*run->sources));
	run->sources[run->source_count++] = source;
	return source;
}

struct source *
run_source(struct run *run, uint64_t id)
{
	bool is_new;
	size_t number = intern_number(&run->ids, &id, sizeof(id), &is_new);

	if (is_new) {
		run->by_id = memory_grow(run->by_id, number, &run->id_room, sizeof(*run->by_id));
		run->by_id[number] = add_source(run, id);
	}
	return run->by_id[number];
}

struct source *
run_source_with(const struct run *run, uint64_t id, const struct counts *counts)
{
	size_t number = intern_find(&run->ids, &id, sizeof(id));
	struct source *found = number == INTERN_NONE ? NULL : run->by_id[number];

	for (; found; found = found->twin)
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

// Its frames were read once more: those that had no name take the one that they have now. When
// none has got one, none will.
static void
rename_frames(struct source *source, struct frame *const *frames)
{
	source->reads_again = false;
	for (unsigned i = 0; i < source->depth; i++) {
		if (source->frames[i]->function[0] || !frames[i]->function[0])
			continue;
		source->frames[i] = frames[i];
		source->reads_again = true;
	}
}

struct source *
run_twin(struct run *run, uint64_t id, struct frame *const *frames, unsigned depth)
{
	struct source *found = run_source(run, id);

	for (;; found = found->twin) {
		if (has_frames(found, frames, depth)) {
			rename_frames(found, frames);
			return found;
		}
		if (!found->twin)
			break;
	}
	found->twin = add_source(run, id);
	found->twin->is_twin = true;
	run_stack(run, found->twin, frames, depth);
	return found->twin;
}

void
run_stack(struct run *run, struct source *source, struct frame *const *frames, unsigned depth)
{
	if (source->depth > 0 || depth == 0)
		return;
	source->frames = arena_get(run->arena, depth * sizeof(*source->frames));
	memcpy(source->frames, frames, depth * sizeof(*source->frames));
	source->depth = depth;
	for (unsigned i = 0; i < depth; i++)
		source->reads_again = source->reads_again || !frames[i]->function[0];
}

void
run_note(struct run *run, const char *text)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[i], text) == 0)
			return;
	run->notes = memory_grow(run->notes, run->note_count, &run->note_room, sizeof(*run->notes));
	run->notes[run->note_count++] = arena_text(run->arena, text, strlen(text));
}

static struct loss *
loss_named(struct run *run, const char *name)
{
	for (size_t i = 0; i < run->loss_count; i++)
		if (strcmp(run->losses[i].name, name) == 0)
			return &run->losses[i];
	run->losses = memory_grow(run->losses, run->loss_count, &run->loss_room,
		sizeof(*run->losses));
	struct loss *loss = &run->losses[run->loss_count++];
	loss->name = arena_text(run->arena, name, strlen(name));
	return loss;
}

void
run_losses(struct run *run, char *losses)
{
	char *rest;
	uint64_t count;

	for (char *word = strtok_r(losses, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');
		if (!equals || equals == word || !unit_parse_number(&count, equals + 1))
			return;
		*equals = '\0';
		loss_named(run, word)->count = count;
	}
}
