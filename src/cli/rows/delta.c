#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "rows/step.h"
#include "rows/delta.h"

const char *const delta_value_names[] = {
	[VALUE_LIVE] = "live",
	[VALUE_BLOCKS] = "blocks",
	[VALUE_ALLOC] = "alloc",
	[VALUE_ALLOCS] = "allocs",
	[DELTA_VALUES] = NULL,
};

int64_t
delta_value(const struct delta *delta, enum value value)
{
	return (int64_t)(counts_value(&delta->after, value) - counts_value(&delta->before, value));
}

bool
delta_is_exact(const struct deltas *deltas, const struct delta *delta, enum value value)
{
	if (delta->kind != SOURCE_STACK)
		return true;
	if (!delta->has_before
		&& (deltas->is_seeds || counts_value(&deltas->rest_before, value) > 0))
		return false;
	if (!delta->has_after && (deltas->is_seeds || counts_value(&deltas->rest_after, value) > 0))
		return false;
	if (delta->is_gone && value != VALUE_LIVE && value != VALUE_BLOCKS)
		return false;
	return delta->base_is_exact;
}

// While rows are brought together: deltas by key.
struct pairing {
	struct deltas *deltas;
	size_t room;
	struct intern keys; // the delta's place has the key's number
	bool by_name;
};

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
		bool is_function = step->call || (step->frame && step->name == step->frame->function);
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

static struct delta *
delta_of(struct pairing *pairing, const struct row *row)
{
	struct deltas *deltas = pairing->deltas;
	const struct key *key = key_of(row, pairing->by_name);
	size_t number = intern_number(&pairing->keys, key->bytes, key->count, NULL);

	if (number == deltas->count) {
		deltas->deltas = memory_grow(deltas->deltas, deltas->count, &pairing->room,
			sizeof(*deltas->deltas));
		deltas->deltas[deltas->count++] = (struct delta){.kind = row->kind, .row = row,
			.base_is_exact = true};
	}
	return &deltas->deltas[number];
}

// Those that are known to hold nothing any more, out of {rest}.
static void
take_gone(struct pairing *pairing, const struct profile *profile)
{
	static const struct row rest = {.kind = SOURCE_REST};

	for (size_t i = 0; i < profile->gone_count; i++) {
		const struct row *row = &profile->gone[i];
		struct delta *delta = delta_of(pairing, row);
		delta->has_before = delta->has_after = delta->is_gone = true;
		counts_add(&delta->before, &row->base);
		counts_add(&delta->after, &row->now);
		delta = delta_of(pairing, &rest);
		counts_subtract(&delta->before, &row->base);
		counts_subtract(&delta->after, &row->now);
	}
}

void
deltas_of_one(struct deltas *deltas, const struct profile *profile, bool by_name)
{
	struct pairing pairing = {.deltas = deltas, .by_name = by_name};

	*deltas = (struct deltas){.before = profile->total_base, .after = profile->total,
		.is_seeds = profile->is_seeds};
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		// One that comes later, or did not come before.
		if (row->base.allocs == 0 && row->now.allocs == 0 && !profile->is_seeds)
			continue;
		struct delta *delta = delta_of(&pairing, row);
		counts_add(&delta->before, &row->base);
		counts_add(&delta->after, &row->now);
		delta->has_before = delta->has_after = true;
		delta->base_is_exact = delta->base_is_exact && row->base_is_exact;
	}
	take_gone(&pairing, profile);
	intern_free(&pairing.keys);
}

static struct counts
rest_of(const struct profile *profile)
{
	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].kind == SOURCE_REST)
			return profile->rows[i].now;
	return (struct counts){0};
}

void
deltas_of_two(struct deltas *deltas, const struct profile *before, const struct profile *after,
	bool by_name)
{
	struct pairing pairing = {.deltas = deltas, .by_name = by_name};

	*deltas = (struct deltas){.before = before->total, .after = after->total,
		.rest_before = rest_of(before), .rest_after = rest_of(after),
		.is_seeds = before->is_seeds || after->is_seeds};
	for (size_t i = 0; i < before->row_count; i++) {
		struct delta *delta = delta_of(&pairing, &before->rows[i]);
		counts_add(&delta->before, &before->rows[i].now);
		delta->has_before = true;
	}
	for (size_t i = 0; i < after->row_count; i++) {
		struct delta *delta = delta_of(&pairing, &after->rows[i]);
		counts_add(&delta->after, &after->rows[i].now);
		delta->row = &after->rows[i];
		delta->has_after = true;
	}
	intern_free(&pairing.keys);
}

size_t
deltas_common(const struct deltas *deltas)
{
	size_t common = 0;
	for (size_t i = 0; i < deltas->count; i++) {
		const struct delta *delta = &deltas->deltas[i];
		common += delta->kind == SOURCE_STACK && delta->has_before && delta->has_after;
	}
	return common;
}

// Adds the names of those that are in one moment alone. How many of them have a number
// below `known`.
static size_t
add_alone(struct intern *names, const struct deltas *deltas, bool is_after, size_t known)
{
	size_t count = 0;

	for (size_t i = 0; i < deltas->count; i++) {
		const struct delta *delta = &deltas->deltas[i];
		if (delta->kind != SOURCE_STACK || delta->has_before == delta->has_after
			|| delta->has_after != is_after)
			continue;
		const struct key *key = key_of(delta->row, true);
		count += intern_number(names, key->bytes, key->count, NULL) < known;
	}
	return count;
}

size_t
deltas_alike(const struct deltas *deltas)
{
	struct intern names = {0};

	add_alone(&names, deltas, false, 0);
	size_t alike = add_alone(&names, deltas, true, names.count);
	intern_free(&names);
	return alike;
}

// For qsort().
static enum value sort_value;

static int
by_difference(const void *left, const void *right)
{
	const struct delta *a = left;
	const struct delta *b = right;
	uint64_t size_a = (uint64_t)llabs(delta_value(a, sort_value));
	uint64_t size_b = (uint64_t)llabs(delta_value(b, sort_value));

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (size_a != size_b)
		return size_a > size_b ? -1 : 1;
	return (a->row->id > b->row->id) - (a->row->id < b->row->id);
}

void
deltas_sort(struct deltas *deltas, enum value value)
{
	sort_value = value;
	if (deltas->count > 1)
		qsort(deltas->deltas, deltas->count, sizeof(*deltas->deltas), by_difference);
}
