// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "base/assert.h"
#include "base/budget.h"
#include "base/system.h"
#include "base/unit.h"
#include "log/lexer.h"
#include "log/run.h"

static struct run *
new_run(struct arena *arena)
{
	struct run *run = arena_get(arena, sizeof(*run));
	run->arena = arena;
	run->exe = run->comm = run->host = run->start = run->name = run->command = run->unit = "";
	return run;
}

struct run *
run_new(struct arena *arena)
{
	struct run *run = new_run(arena);
	run->mapped = new_run(arena);
	run->process = run->mapped->process = run;
	return run;
}

void
run_free(struct run *run)
{
	if (run->mapped)
		run_free(run->mapped);
	intern_free(&run->ids);
	intern_free(&run->frame_texts);
	intern_free(&run->names);
	intern_free(&run->note_texts);
	intern_free(&run->loss_names);
	intern_free(&run->module_keys);
	intern_free(&run->bare_paths);
	numbers_free(&run->label_numbers);
	numbers_free(&run->code_addresses);
	free(run->bare);
	free(run->placed);
	free(run->edges);
	free(run->code);
	free(run->threads.threads);
	free(run->labels.labels);
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
	source->is_mapped = !run->mapped;
	return source;
}

bool
run_is_full(const struct run *run)
{
	return run->source_count >= BUDGET_SOURCES || run->process->frame_count >= BUDGET_FRAMES;
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
	ASSERT(run->by_id[number]->id == id);
	return run->by_id[number];
}

struct source *
run_find(const struct run *run, uint64_t id)
{
	size_t number = intern_find(&run->ids, &id, sizeof(id));
	return number == INTERN_NONE ? NULL : run->by_id[number];
}

struct source *
run_source_with(const struct run *run, uint64_t id, const struct counts *counts)
{
	for (struct source *found = run_find(run, id); found; found = found->twin)
		if (found->now.shown_in != NEVER_SHOWN
			&& memcmp(&found->now.counts, counts, sizeof(*counts)) == 0)
			return found;
	return NULL;
}

// Returns true if the source has these frames. Return addresses are compared by address. Lines of
// source code have no address. So the frames themselves must be the same.
static bool
has_frames(const struct source *source, struct frame *const *frames, unsigned depth)
{
	if (source->depth != depth)
		return false;
	for (unsigned i = 0; i < depth; i++)
		if (source->frames[i]->address != frames[i]->address
				|| (frames[i]->language && source->frames[i] != frames[i]))
			return false;
	return true;
}

// Called when the frames of a source were read once more. Frames without a name get the names that
// the log has for them now. The source's frames are read again only if a frame got a name now, or
// run-time code still has none.
static void
rename_frames(struct source *source, struct frame *const *frames)
{
	source->reads_again = false;
	for (unsigned i = 0; i < source->depth; i++) {
		if (!source->frames[i]->function[0] && frames[i]->function[0]) {
			source->frames[i] = frames[i];
			source->reads_again = true;
		}
		// A later perf map may name run-time code.
		source->reads_again |= !source->frames[i]->module && !source->frames[i]->function[0];
	}
}

struct source *
run_twin(struct run *run, uint64_t id, struct frame *const *frames, unsigned depth)
{
	struct source *first = run_source(run, id), *found = first;

	for (size_t twins = 1;; found = found->twin, twins++) {
		if (has_frames(found, frames, depth)) {
			rename_frames(found, frames);
			return found;
		}
		if (!found->twin && (twins == BUDGET_TWINS || run_is_full(run))) {
			first->has_more = run->process->is_over = true;
			return NULL;
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
	bool is_new;

	intern_number(&run->note_texts, text, strlen(text), &is_new);
	if (!is_new)
		return;
	// Of notes that begin so, only the last one counts.
	size_t place = begins(text, FORMAT_CALLERS) ? 0 : run->note_count;
	while (place < run->note_count && !begins(run->notes[place], FORMAT_CALLERS))
		place++;
	run->notes = memory_grow(run->notes, run->note_count, &run->note_room, sizeof(*run->notes));
	run->note_count += place == run->note_count;
	run->notes[place] = arena_text(run->arena, text, strlen(text));
}

const char *
run_unwritten(const struct run *run)
{
	for (size_t i = run->note_count; i > 0; i--) {
		const char *note = run->notes[i - 1];
		if (begins(note, FORMAT_WRITTEN))
			return NULL;
		const char *why = strstr(note, "Z: ");
		if (begins(note, FORMAT_UNWRITTEN))
			return why ? why + 3 : "it does not say why";
	}
	return NULL;
}

// Takes the program's name from a command line, or from a title that the process gave itself.
// "postgres: walwriter" becomes postgres, and -bash, a login shell, becomes bash. The log has a
// blank within an argument as \x20, and all of a title is one argument. So \xHH is decoded before
// the name is cut at the first blank.
void
run_command(struct run *run, char *command)
{
	line_unescape(command);
	if (!*command)
		return;
	run->command = arena_text(run->arena, command, strlen(command));
	command += *command == '-';
	command[strcspn(command, " ")] = '\0';
	char *name = (char *)path_last(command);
	size_t length = strlen(name);
	if (length > 1 && name[length - 1] == ':')
		name[--length] = '\0';
	run->name = arena_text(run->arena, *name ? name : path_last(run->exe),
		strlen(*name ? name : path_last(run->exe)));
}

void
run_cgroup(struct run *run, char *path)
{
	static const char service[] = ".service";

	line_unescape(path);
	for (char *part = strtok(path, "/"); part; part = strtok(NULL, "/")) {
		size_t length = strlen(part);
		if (length >= sizeof(service)
			&& strcmp(part + length - (sizeof(service) - 1), service) == 0)
			run->unit = arena_text(run->arena, part, length);
	}
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
		// Before format 3, a snapshot was called a block, and this loss had another name.
		bool is_old = strcmp(word, "blocks_dropped") == 0;
		size_t number = intern_text(&run->loss_names, is_old ? "snapshots_dropped" : word);
		if (number == run->loss_count) {
			run->losses = memory_grow(run->losses, number, &run->loss_room, sizeof(*run->losses));
			run->losses[run->loss_count++].name = run->loss_names.keys[number].bytes;
		}
		run->losses[number].count = count;
	}
}
