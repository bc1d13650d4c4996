// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/assert.h"
#include "base/system.h"
#include "base/memory.h"
#include "base/intern.h"
#include "rows/resolved_frame.h"

enum { PLACE_BYTES = 512 };

size_t
resolved_frames_of(const struct frame *frame)
{
	return frame->symbolized && frame->symbolized->count ? frame->symbolized->count : 1;
}

static struct resolved_frame
make(const struct frame *frame, size_t inlined)
{
	// The texts for frames without a function's name, such as "git(+0x1f)". The same text is needed
	// for many rows, so each is made once and kept.
	static struct intern places;
	struct resolved_frame resolved = {.frame = frame};
	char place[PLACE_BYTES];

	if (frame->symbolized && frame->symbolized->count) {
		const struct inline_call *call = &frame->symbolized->calls[inlined];
		if (call->function[0]) {
			resolved.call = call;
			resolved.name = call->function;
			return resolved;
		}
	} else if (frame->function[0]) {
		resolved.name = frame->function;
		return resolved;
	}
	symbols_place(frame, place, sizeof(place));
	size_t number = intern_text(&places, place);
	resolved.name = places.keys[number].bytes;
	return resolved;
}

// The names of rows without frames, and their meaning in words, by kind.
static const struct {
	const char *name;
	const char *word;
} frameless[][2] = {
	[SOURCE_STACK] = {{"{no stack}", "the log has no stack of it"},
		{"{mapped, no stack}", "the log has no stack of it"}},
	[SOURCE_OTHER] = {{"{other}", "what could not be told apart"},
		{"{mapped, other}", "mapped memory that could not be told apart"}},
	[SOURCE_INHERITED] = {{"{inherited}", "what the process has from before its fork"},
		{"{mapped, inherited}", "mapped memory that the process has from before its fork"}},
	[SOURCE_REST] = {{"{rest}", "sources that the log does not tell one by one"},
		{"{mapped, rest}", "sources of mapped memory that the log does not tell one by one"}},
};

size_t
row_resolved_frames(const struct row *row, struct resolved_frame *frames)
{
	size_t count = 0;

	if (row->depth == 0) {
		if (frames)
			frames[0] = (struct resolved_frame){.name = frameless[row->kind][row->is_mapped].name};
		return 1;
	}
	for (unsigned i = row->depth; i-- > 0;) {
		size_t calls = resolved_frames_of(row->frames[i]);
		for (size_t j = 0; frames && j < calls; j++)
			frames[count + j] = make(row->frames[i], calls - 1 - j);
		count += calls;
	}
	return count;
}

void
resolved_stack_take(struct resolved_stack *into, const struct row *row)
{
	into->count = row_resolved_frames(row, NULL);
	into->frames = memory_room(into->frames, into->count, &into->room,
		sizeof(*into->frames));
	size_t count = row_resolved_frames(row, into->frames);
	ASSERT(count == into->count && count > 0);
}

bool
resolved_is_function(const struct resolved_frame *resolved)
{
	return resolved->call
		|| (resolved->frame && resolved->name == resolved->frame->function);
}

bool
resolved_is_line(const struct resolved_frame *resolved)
{
	return resolved->frame && resolved->frame->language;
}

bool
resolved_is_code(const struct resolved_frame *resolved)
{
	return resolved->frame && frame_is_code(resolved->frame)
		&& resolved_is_function(resolved);
}

const char *
resolved_module(const struct resolved_frame *resolved)
{
	if (resolved_is_line(resolved))
		return resolved->frame->file;
	if (!resolved->frame || !resolved->frame->module)
		return "";
	return path_last(resolved->frame->module->path);
}

const char *
resolved_word(const struct resolved_frame *resolved)
{
	for (size_t i = 0; !resolved->frame
			&& i < 2 * sizeof(frameless) / sizeof(frameless[0]); i++)
		if (strcmp(frameless[i / 2][i % 2].name, resolved->name) == 0)
			return frameless[i / 2][i % 2].word;
	return "";
}
