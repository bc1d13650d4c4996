// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/system.h"
#include "html/data_text.h"
#include "html/stacks.h"
#include "rows/attribution.h"
#include "rows/language.h"
#include "rows/library.h"
#include "rows/name.h"
#include "rows/resolved_frame.h"
#include "rows/wrapper.h"

// Kinds of steps, by which the page can hide some. A step is a resolved frame. The page's script
// uses the same numbers (DATA.md).
enum {
	STEP_LIBRARY = 1,
	STEP_WRAPPER = 2,
	STEP_PLACE = 4, // a step without a function's name
	STEP_HOOK = 8,
	STEP_LINE = 16, // a line of the program's own language
};

struct known_step {
	const char *name, *file;
	char *shorter; // a shorter form of the name to show; NULL if there is none
	// Steps with the same name and module have the same `group`. To a user they are one function
	size_t module, group;
	size_t language;
	unsigned line, kind;
};

struct branch {
	size_t parent, step; // number of the parent branch, from 1; 0 for the root
};

struct stacks {
	struct intern modules, files, texts, keys, groups, languages;
	struct numbers branch_keys;
	struct numbers seen; // numbers the frames of rows that were added
	size_t *seen_steps; // seen_steps[n] is the step of frame number n in `seen`
	size_t seen_room;
	struct known_step *steps; // steps[n] is step number n
	size_t step_room;
	struct branch *branches;
	size_t branch_room;
	// reused for each row: its frames, and those of them that a call tree shows
	struct resolved_stack row, told;
};

struct stacks *
stacks_open(void)
{
	return memory_get(1, sizeof(struct stacks));
}

static char *
shorter_of(const struct resolved_frame *resolved)
{
	struct compose text;

	if (!resolved_is_function(resolved) || resolved_is_line(resolved))
		return NULL;
	compose_begin(&text);
	name_print(text.to, resolved->name, NAME_SHORT);
	char *shorter = compose_end(&text);
	if (strcmp(shorter, resolved->name) != 0)
		return shorter;
	free(shorter);
	return NULL;
}

// Returns the number of the frame's step. Frames with the same function, module, file and line are
// one step, as in a call tree. `is_told` is true if a call tree shows the frame.
static size_t
step_number(struct stacks *stacks, const struct resolved_frame *resolved, bool is_told)
{
	const struct module *module = resolved->frame ? resolved->frame->module : NULL;
	const char *path = resolved_is_line(resolved) ? resolved_module(resolved)
		: module ? module->path : "";
	const char *file = resolved->call ? resolved->call->file : "";
	unsigned line = resolved->call ? resolved->call->line : 0;
	bool is_new;
	size_t key[] = {intern_text(&stacks->texts, resolved->name),
		intern_text(&stacks->modules, path), intern_text(&stacks->files, file), line, is_told};
	size_t number = intern_number(&stacks->keys, key, sizeof(key), &is_new);

	if (!is_new)
		return number;
	bool is_library = library_has(resolved);
	unsigned kind = (is_library ? STEP_LIBRARY : 0)
		| (!is_library && wrapper_is(resolved) ? STEP_WRAPPER : 0)
		| (resolved_is_function(resolved) ? 0 : STEP_PLACE)
		| (resolved->frame && resolved->frame->is_hook ? STEP_HOOK : 0)
		| (resolved_is_line(resolved) ? STEP_LINE : 0) | (is_told ? 0 : STEP_WRAPPER);
	stacks->steps = memory_grow(stacks->steps, number, &stacks->step_room, sizeof(*stacks->steps));
	stacks->steps[number] = (struct known_step){.name = resolved->name, .file = file,
		.line = line, .module = key[1],
		.group = intern_number(&stacks->groups, key, 2 * sizeof(*key), NULL),
		.shorter = shorter_of(resolved),
		.kind = kind,
		.language = intern_text(&stacks->languages, language_of(resolved))};
	return number;
}

// Returns the same as step_number(). Faster for a frame that was added before, because no texts are
// compared. A resolved frame is identified by its frame and the index of its call in that frame.
static size_t
known_number(struct stacks *stacks, const struct resolved_frame *resolved, bool is_told)
{
	const void *of = resolved->frame ? (const void *)resolved->frame : resolved->name;
	uint64_t call = resolved->call
		? (uint64_t)(resolved->call - resolved->frame->symbolized->calls) + 1 : 0;
	bool is_new;
	size_t seen = numbers_of(&stacks->seen, (uint64_t)(uintptr_t)of << 16 ^ call << 1 ^ is_told,
		&is_new);

	if (is_new) {
		stacks->seen_steps = memory_grow(stacks->seen_steps, seen, &stacks->seen_room,
			sizeof(*stacks->seen_steps));
		stacks->seen_steps[seen] = step_number(stacks, resolved, is_told);
	}
	return stacks->seen_steps[seen];
}

size_t
stacks_add(struct stacks *stacks, const struct row *row, size_t *shown)
{
	size_t at = 0;

	resolved_stack_take(&stacks->row, row);
	*shown = (size_t)(attribution_shown(stacks->row.frames, stacks->row.count) - stacks->row.frames);
	stacks->told.frames = memory_room(stacks->told.frames, stacks->row.count,
		&stacks->told.room, sizeof(*stacks->told.frames));
	memcpy(stacks->told.frames, stacks->row.frames,
		stacks->row.count * sizeof(*stacks->row.frames));
	size_t told = attribution_leave_out(stacks->told.frames, stacks->row.count), next = 0;
	for (size_t i = 0; i < stacks->row.count; i++) {
		const struct resolved_frame *one = &stacks->row.frames[i];
		bool is_told = next < told
			&& memcmp(one, &stacks->told.frames[next], sizeof(*one)) == 0;
		next += is_told;
		size_t step = known_number(stacks, one, is_told);
		bool is_new;
		size_t number = numbers_of(&stacks->branch_keys, (uint64_t)at << 32 | step, &is_new);
		if (is_new) {
			stacks->branches = memory_grow(stacks->branches, number, &stacks->branch_room,
				sizeof(*stacks->branches));
			// A parent's number is lower than those of its children. So the page reads parents
			// first.
			ASSERT(at <= number);
			stacks->branches[number] = (struct branch){at, step};
		}
		at = number + 1;
	}
	return at;
}

const char *
stacks_module(const struct stacks *stacks, size_t branch)
{
	size_t first = stacks->branches[branch - 1].step;

	for (size_t at = branch; at > 0; at = stacks->branches[at - 1].parent) {
		const struct known_step *step = &stacks->steps[stacks->branches[at - 1].step];
		const char *path = stacks->modules.keys[step->module].bytes;
		if (path[0] && !(step->kind & (STEP_LIBRARY | STEP_WRAPPER))) {
			first = stacks->branches[at - 1].step;
			break;
		}
	}
	return path_last(stacks->modules.keys[stacks->steps[first].module].bytes);
}

static void
write_texts(FILE *to, const struct intern *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		fputs(i ? ",\n" : "\n", to);
		data_text(to, texts->keys[i].bytes);
	}
}

void
stacks_write(FILE *to, const struct stacks *stacks)
{
	fputs("\"modules\":[", to);
	write_texts(to, &stacks->modules);
	fputs("],\n\"files\":[", to);
	write_texts(to, &stacks->files);
	fputs("],\n\"languages\":[", to);
	write_texts(to, &stacks->languages);
	fputs("],\n\"steps\":[", to);
	for (size_t i = 0; i < stacks->keys.count; i++) {
		const struct known_step *step = &stacks->steps[i];
		fputs(i ? ",\n[" : "\n[", to);
		data_text(to, step->name);
		fputc(',', to);
		if (step->shorter)
			data_text(to, step->shorter);
		else
			fputc('0', to);
		size_t file = intern_find(&stacks->files, step->file, strlen(step->file));
		fprintf(to, ",%zu,%zu,%u,%u,%zu,%zu]", step->module, file, step->line, step->kind,
			step->group, step->language);
	}
	fputs("],\n\"branches\":[", to);
	for (size_t i = 0; i < stacks->branch_keys.count; i++) {
		const struct branch *branch = &stacks->branches[i];
		if (i == 0)
			fprintf(to, "%zu,%zu", branch->parent, branch->step);
		else
			data_numbers(to, 2, (int64_t[]){(int64_t)branch->parent, (int64_t)branch->step});
	}
	fputs("]", to);
}
