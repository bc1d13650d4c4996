// delta: two moments side by side: each source with what it had in the one and in the
// other.
//
// Sources are one by their id, or by the names of their functions: a source's id has
// offsets into modules in it, which are other ones in another build. The rows add up to
// the totals of both moments, exactly.

#ifndef PMEM_CLI_DELTA_H
#define PMEM_CLI_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/counts.h"
#include "rows/profile.h"

struct delta {
	enum source_kind kind;
	const struct row *row; // for its stack: of the later moment, where that has it
	struct counts before, after;
	bool has_before, has_after; // it was told of then; of one log always
	bool base_is_exact;         // as in its rows; of two logs always
	bool is_gone;               // it holds nothing after; of its calls there may be more
};

struct deltas {
	struct delta *deltas; // sources, then {other}, then {rest}
	size_t count;
	struct counts before, after;           // totals
	struct counts rest_before, rest_after; // of two logs: {rest}
	bool is_seeds; // one is of the first pmem: it has no {rest} and no calls
};

// Of one log that was loaded with a base.
void deltas_of_one(struct deltas *deltas, const struct profile *profile, bool by_name);

// Of two. They must stay until the deltas are not used any more.
void deltas_of_two(struct deltas *deltas, const struct profile *before,
	const struct profile *after, bool by_name);

// How many sources are in both. Also of those that are in one alone: pairs whose
// functions have the same names.
size_t deltas_common(const struct deltas *deltas);
size_t deltas_alike(const struct deltas *deltas);

// What --by names, the first of enum value: those that a difference can be of.
enum { DELTA_VALUES = VALUE_ALLOCS + 1 };
extern const char *const delta_value_names[]; // then NULL
int64_t delta_value(const struct delta *delta, enum value value); // after - before

// False: a part of what it had at one of the moments may be in {rest}.
bool delta_is_exact(const struct deltas *deltas, const struct delta *delta, enum value value);

// Largest difference first, up or down; {other} and {rest} last; equal ones by id.
void deltas_sort(struct deltas *deltas, enum value value);

#endif
