// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/system.h"
#include "base/memory.h"
#include "base/intern.h"
#include "rows/step.h"

enum { PLACE_BYTES = 512 };

// Places are made again for each row; each is kept once.
static const char *
place_of(const struct frame *frame)
{
	static struct intern places;
	char text[PLACE_BYTES];

	symbols_place(frame, text, sizeof(text));
	size_t number = intern_text(&places, text);
	return places.keys[number].bytes;
}

static size_t
calls_of(const struct frame *frame)
{
	return frame->symbolized && frame->symbolized->count ? frame->symbolized->count : 1;
}

static struct step
make(const struct frame *frame, size_t inlined)
{
	struct step step = {.frame = frame};

	if (frame->symbolized && frame->symbolized->count) {
		const struct inline_call *call = &frame->symbolized->calls[inlined];
		if (call->function[0]) {
			step.call = call;
			step.name = call->function;
			return step;
		}
	} else if (frame->function[0]) {
		step.name = frame->function;
		return step;
	}
	step.name = place_of(frame);
	return step;
}

// Rows without frames, by their kinds.
static const struct {
	const char *name;
	const char *word;
} frameless[] = {
	[SOURCE_STACK] = {"{no stack}", "the log has no stack of it"},
	[SOURCE_OTHER] = {"{other}", "what could not be told apart"},
	[SOURCE_INHERITED] = {"{inherited}", "what the process has from before its fork"},
	[SOURCE_REST] = {"{rest}", "sources that the log does not tell one by one"},
};

size_t
row_steps(const struct row *row, struct step *steps)
{
	size_t count = 0;

	if (row->depth == 0) {
		if (steps)
			steps[0] = (struct step){.name = frameless[row->kind].name};
		return 1;
	}
	for (unsigned i = row->depth; i-- > 0;) {
		size_t calls = calls_of(row->frames[i]);
		for (size_t j = 0; steps && j < calls; j++)
			steps[count + j] = make(row->frames[i], calls - 1 - j);
		count += calls;
	}
	return count;
}

void
steps_take(struct steps *into, const struct row *row)
{
	into->count = row_steps(row, NULL);
	into->steps = memory_room(into->steps, into->count, &into->room, sizeof(*into->steps));
	row_steps(row, into->steps);
}

bool
step_is_function(const struct step *step)
{
	return step->call || (step->frame && step->name == step->frame->function);
}

bool
step_is_line(const struct step *step)
{
	return step->frame && step->frame->language;
}

bool
step_is_code(const struct step *step)
{
	return step->frame && frame_is_code(step->frame) && step_is_function(step);
}

size_t
step_mark(const char *name)
{
	const char *colon = strchr(name, ':');
	return colon && colon[1] && strchr("~^+*", colon[1]) ? (size_t)(colon + 1 - name) : 0;
}

const char *
step_module(const struct step *step)
{
	if (step_is_line(step))
		return step->frame->file;
	if (!step->frame || !step->frame->module)
		return "";
	return path_last(step->frame->module->path);
}

const char *
step_word(const struct step *step)
{
	for (size_t i = 0; !step->frame && i < sizeof(frameless) / sizeof(frameless[0]); i++)
		if (strcmp(frameless[i].name, step->name) == 0)
			return frameless[i].word;
	return "";
}
