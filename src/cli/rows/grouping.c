// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "rows/grouping.h"
#include "rows/resolved_frame.h"

static void
add_text(struct bytes *key, const char *kind, const char *text)
{
	bytes_add(key, kind, 1);
	bytes_add(key, text, strlen(text) + 1);
}

static void
add_line(struct bytes *key, const struct frame *frame, bool with_lines)
{
	add_text(key, "l", with_lines ? frame->file : path_last(frame->file));
	add_text(key, "f", frame->function);
	if (with_lines)
		bytes_add(key, &frame->line, sizeof(frame->line));
}

// Appends to the key the name without the letter at index `mark`. V8 writes that letter to show how
// it compiled the function.
static void
add_marked(struct bytes *key, const char *name, size_t mark)
{
	bytes_add(key, "f", 1);
	bytes_add(key, name, mark);
	bytes_add(key, name + mark + 1, strlen(name + mark + 1) + 1);
}

// Appends the functions' names to the key. For a function without a name, its module is appended.
// Its offset is not, because offsets differ between builds.
static void
add_names(struct bytes *key, const struct row *row, bool with_lines)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	for (size_t i = 0; i < stack.count; i++) {
		const struct resolved_frame *resolved = &stack.frames[i];
		bool is_function = resolved_is_function(resolved);
		const char *name = is_function || !resolved->frame ? resolved->name
			: resolved_module(resolved);
		size_t mark = resolved_is_code(resolved) ? resolved_mark(name) : 0;
		if (resolved_is_line(resolved))
			add_line(key, resolved->frame, with_lines);
		else if (mark > 0)
			add_marked(key, name, mark);
		else
			add_text(key, is_function ? "f" : "m", name);
	}
}

// Returns the row's key, which is valid until the next call.
static const struct bytes *
key_of(const struct grouping *grouping, const struct row *row)
{
	static struct bytes key;

	key.count = 0;
	bytes_add(&key, &row->kind, sizeof(row->kind));
	bytes_add(&key, &row->is_mapped, sizeof(row->is_mapped));
	if (grouping->by_name && row->kind == SOURCE_STACK)
		add_names(&key, row, grouping->with_lines);
	else
		bytes_add(&key, &row->id, sizeof(row->id));
	return &key;
}

size_t
grouping_number(struct grouping *grouping, const struct row *row, bool *is_new)
{
	const struct bytes *key = key_of(grouping, row);
	return intern_number(&grouping->keys, key->at, key->count, is_new);
}

size_t
grouping_find(const struct grouping *grouping, const struct row *row)
{
	const struct bytes *key = key_of(grouping, row);
	return intern_find(&grouping->keys, key->at, key->count);
}

void
grouping_free(struct grouping *grouping)
{
	intern_free(&grouping->keys);
}
