#include <string.h>

#include "base/memory.h"
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

// A function's name; where it has none, the module's: offsets are what may differ.
static void
add_names(struct key *key, const struct row *row)
{
	static struct steps steps;

	steps_take(&steps, row);
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.steps[i];
		bool is_function = step_is_function(step);
		const char *name = is_function || !step->frame ? step->name : step_module(step);
		add_bytes(key, is_function ? "f" : "m", 1);
		add_bytes(key, name, strlen(name) + 1);
	}
}

// Good until the next call.
static const struct key *
key_of(const struct row *row, bool by_name)
{
	static struct key key;

	key.count = 0;
	add_bytes(&key, &row->kind, sizeof(row->kind));
	if (by_name && row->kind == SOURCE_STACK)
		add_names(&key, row);
	else
		add_bytes(&key, &row->id, sizeof(row->id));
	return &key;
}

size_t
alike_number(struct alike *alike, const struct row *row, bool *is_new)
{
	const struct key *key = key_of(row, alike->by_name);
	return intern_number(&alike->keys, key->bytes, key->count, is_new);
}

size_t
alike_find(const struct alike *alike, const struct row *row)
{
	const struct key *key = key_of(row, alike->by_name);
	return intern_find(&alike->keys, key->bytes, key->count);
}

void
alike_free(struct alike *alike)
{
	intern_free(&alike->keys);
}
