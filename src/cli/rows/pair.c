#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "rows/step.h"
#include "rows/profile.h"

// While rows are brought together: by key.
struct pairing {
	struct profile *pair;
	size_t room;
	struct intern keys; // the row's place has the key's number
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

static struct row *
row_of(struct pairing *pairing, const struct row *row)
{
	struct profile *pair = pairing->pair;
	const struct key *key = key_of(row, pairing->by_name);
	size_t number = intern_number(&pairing->keys, key->bytes, key->count, NULL);

	bool is_new = number == pair->row_count;
	if (is_new) {
		pair->rows = memory_grow(pair->rows, number, &pairing->room, sizeof(*pair->rows));
		pair->rows[pair->row_count++] = (struct row){.id = row->id, .kind = row->kind,
			.frames = row->frames, .depth = row->depth};
	}
	row_share(&pair->rows[number], &row->by, is_new);
	return &pair->rows[number];
}

void
pair_of_one(struct profile *pair, const struct profile *profile, bool by_name)
{
	static const struct row rest_row = {.kind = SOURCE_REST};
	struct pairing pairing = {.pair = pair, .by_name = by_name};

	*pair = (struct profile){.total = profile->total, .is_seeds = profile->is_seeds,
		.is_sampled = profile->is_sampled,
		.runs = profile->runs, .run_count = profile->run_count};
	for (size_t i = 0; i < profile->row_count + profile->gone_count; i++) {
		bool is_gone = i >= profile->row_count;
		const struct row *row = is_gone ? &profile->gone[i - profile->row_count]
			: &profile->rows[i];
		// One that comes later, or did not come before.
		if (!is_gone && row->before.allocs == 0 && row->now.allocs == 0 && !profile->is_seeds)
			continue;
		struct row *into = row_of(&pairing, row);
		row_add(into, row);
		into->is_in_before = into->is_in_now = true;
		if (!is_gone)
			continue;
		// What is known to hold nothing comes out of {rest}.
		struct row *rest = row_of(&pairing, &rest_row);
		counts_subtract(&rest->before, &row->before);
		counts_subtract(&rest->now, &row->now);
	}
	// What {other} and {rest} are in all, they are for sure.
	for (size_t i = 0; i < pair->row_count; i++)
		if (pair->rows[i].kind != SOURCE_STACK)
			pair->rows[i].uncertain = CERTAIN;
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

// What a source had at a moment that does not tell of it may be in that one's {rest}.
static unsigned
uncertain_by(const struct profile *missing)
{
	struct counts rest = rest_of(missing);
	unsigned uncertain = CERTAIN;

	for (int value = 0; value < VALUES; value++)
		if (missing->is_seeds || counts_value(&rest, (enum value)value) > 0)
			uncertain |= 1u << value;
	return uncertain;
}

void
pair_of_two(struct profile *pair, const struct profile *before, const struct profile *after,
	bool by_name)
{
	struct pairing pairing = {.pair = pair, .by_name = by_name};

	*pair = (struct profile){.total = {.now = after->total.now, .before = before->total.now},
		.is_seeds = before->is_seeds || after->is_seeds,
		.is_sampled = before->is_sampled || after->is_sampled};
	pair->total.noise.growth = before->total.noise.now + after->total.noise.now;
	for (size_t i = 0; i < before->row_count; i++) {
		struct row *into = row_of(&pairing, &before->rows[i]);
		counts_add(&into->before, &before->rows[i].now);
		into->noise.growth += before->rows[i].noise.now;
		into->is_in_before = true;
	}
	for (size_t i = 0; i < after->row_count; i++) {
		const struct row *row = &after->rows[i];
		struct row *into = row_of(&pairing, row);
		counts_add(&into->now, &row->now);
		into->noise.growth += row->noise.now;
		into->is_in_now = true;
		into->id = row->id;
		into->frames = row->frames;
		into->depth = row->depth;
	}
	for (size_t i = 0; i < pair->row_count; i++) {
		struct row *row = &pair->rows[i];
		if (row->kind == SOURCE_STACK && !row->is_in_before)
			row->uncertain |= pair->is_seeds ? UNCERTAIN : uncertain_by(before);
		if (row->kind == SOURCE_STACK && !row->is_in_now)
			row->uncertain |= pair->is_seeds ? UNCERTAIN : uncertain_by(after);
	}
	intern_free(&pairing.keys);
}

size_t
pair_common(const struct profile *pair)
{
	size_t common = 0;
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct row *row = &pair->rows[i];
		common += row->kind == SOURCE_STACK && row->is_in_before && row->is_in_now;
	}
	return common;
}

// Adds the names of those that are in one moment alone. How many of them have a number
// below `known`.
static size_t
add_alone(struct intern *names, const struct profile *pair, bool is_now, size_t known)
{
	size_t count = 0;

	for (size_t i = 0; i < pair->row_count; i++) {
		const struct row *row = &pair->rows[i];
		if (row->kind != SOURCE_STACK || row->is_in_before == row->is_in_now
			|| row->is_in_now != is_now)
			continue;
		const struct key *key = key_of(row, true);
		count += intern_number(names, key->bytes, key->count, NULL) < known;
	}
	return count;
}

size_t
pair_alike(const struct profile *pair)
{
	struct intern names = {0};

	add_alone(&names, pair, false, 0);
	size_t alike = add_alone(&names, pair, true, names.count);
	intern_free(&names);
	return alike;
}
