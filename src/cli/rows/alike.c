#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "rows/alike.h"
#include "rows/step.h"

struct key {
	char *bytes;
	size_t count;
	size_t room;
};

static void
add_bytes(struct key *key, const void *bytes, size_t length)
{
	key->bytes = memory_room(key->bytes, key->count + length, &key->room, 1);
	memcpy(key->bytes + key->count, bytes, length);
	key->count += length;
}

static void
add_text(struct key *key, const char *kind, const char *text)
{
	add_bytes(key, kind, 1);
	add_bytes(key, text, strlen(text) + 1);
}

static void
add_line(struct key *key, const struct frame *frame, bool with_lines)
{
	add_text(key, "l", with_lines ? frame->file : path_last(frame->file));
	add_text(key, "f", frame->function);
	if (with_lines)
		add_bytes(key, &frame->line, sizeof(frame->line));
}

// However V8 has compiled it.
static void
add_marked(struct key *key, const char *name, size_t mark)
{
	add_bytes(key, "f", 1);
	add_bytes(key, name, mark);
	add_bytes(key, name + mark + 1, strlen(name + mark + 1) + 1);
}

// A function's name; where it has none, the module's: offsets are what may differ.
static void
add_names(struct key *key, const struct row *row, bool with_lines)
{
	static struct steps steps;

	steps_take(&steps, row);
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.steps[i];
		bool is_function = step_is_function(step);
		const char *name = is_function || !step->frame ? step->name : step_module(step);
		size_t mark = step_is_code(step) ? step_mark(name) : 0;
		if (step_is_line(step))
			add_line(key, step->frame, with_lines);
		else if (mark > 0)
			add_marked(key, name, mark);
		else
			add_text(key, is_function ? "f" : "m", name);
	}
}

// Good until the next call.
static const struct key *
key_of(const struct alike *alike, const struct row *row)
{
	static struct key key;

	key.count = 0;
	add_bytes(&key, &row->kind, sizeof(row->kind));
	if (alike->by_name && row->kind == SOURCE_STACK)
		add_names(&key, row, alike->with_lines);
	else
		add_bytes(&key, &row->id, sizeof(row->id));
	return &key;
}

size_t
alike_number(struct alike *alike, const struct row *row, bool *is_new)
{
	const struct key *key = key_of(alike, row);
	return intern_number(&alike->keys, key->bytes, key->count, is_new);
}

size_t
alike_find(const struct alike *alike, const struct row *row)
{
	const struct key *key = key_of(alike, row);
	return intern_find(&alike->keys, key->bytes, key->count);
}

void
alike_free(struct alike *alike)
{
	intern_free(&alike->keys);
}
