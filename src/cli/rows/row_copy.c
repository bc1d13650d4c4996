// SPDX-License-Identifier: BSD-2-Clause
// Each copied frame has its own copy of its module and names. Some of the originals live as long as
// the process, but others only as long as their log (symbols.h).

#include <string.h>

#include "rows/row_copy.h"
#include "symbols/symbolizer.h"

static const char *
copy_text(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text, strlen(text)) : NULL;
}

static const struct symbolized *
copy_symbolized(struct arena *arena, const struct symbolized *of)
{
	struct symbolized *symbolized = arena_get(arena, sizeof(*symbolized));

	symbolized->count = of->count;
	symbolized->calls = arena_get(arena, of->count * sizeof(*symbolized->calls));
	for (unsigned i = 0; i < of->count; i++)
		symbolized->calls[i] = (struct inline_call){
			.function = copy_text(arena, of->calls[i].function),
			.file = copy_text(arena, of->calls[i].file), .line = of->calls[i].line};
	return symbolized;
}

static struct frame *
copy_frame(struct arena *arena, const struct frame *of)
{
	struct frame *frame = arena_get(arena, sizeof(*frame));

	*frame = *of;
	frame->language = copy_text(arena, of->language);
	frame->file = copy_text(arena, of->file);
	frame->function = copy_text(arena, of->function);
	if (of->shown)
		frame->shown = frame->file + (of->shown - of->file);
	if (of->module) {
		struct module *module = arena_get(arena, sizeof(*module));
		*module = *of->module;
		module->build_id = copy_text(arena, of->module->build_id);
		module->path = copy_text(arena, of->module->path);
		frame->module = module;
	}
	if (of->symbolized)
		frame->symbolized = copy_symbolized(arena, of->symbolized);
	return frame;
}

struct row
row_copy(struct arena *arena, const struct row *of)
{
	struct row row = *of;

	row.frames = arena_get(arena, row.depth * sizeof(*row.frames));
	for (unsigned i = 0; i < row.depth; i++)
		row.frames[i] = copy_frame(arena, of->frames[i]);
	return row;
}
