// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/check.h"
#include "base/call.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/file.h"
#include "names/v8_trampoline.h"
#include "names/jit_range.h"

enum {
	FRESH_RANGES = 1024, // that are entered at a time
	CODE_BEFORE = 48, // bytes that tell code from other code, before a return address
	CODE_BEHIND = 16,
	// x86-64's load of a word into rax.
	LOAD_FIRST = 0x48,
	LOAD_SECOND = 0xb8,
	LOAD_BYTES = 10,
};

_Static_assert(sizeof(struct jit_range) == 24, "JIT_RANGE_BYTES_MAX counts on it");

static TABLE_STATIC struct jit_range fresh_ranges[FRESH_RANGES]; // in the order of the map

static struct {
	struct growing ranges; // sorted by address; none overlaps another
	size_t count;
	size_t fresh;
} state;

static struct jit_range *
jit_range_at(size_t number)
{
	return (struct jit_range *)state.ranges.at + number;
}

const struct jit_range *
jit_range_find(uintptr_t pc)
{
	size_t behind =
		table_first_from(state.ranges.at, state.count, sizeof(struct jit_range), pc);
	struct jit_range *range = behind > 0 ? jit_range_at(behind - 1) : NULL;

	return range && pc - range->start <= range->bytes ? range : NULL;
}

bool
jit_range_may_call(const struct jit_range *range, uintptr_t pc)
{
	return !range->is_entry
		|| v8_trampoline_may_call(range->bytes, (uint32_t)(pc - range->start));
}

// V8 marks how it has compiled a function: JS:~f, JS:^f and JS:*f are one.
uint32_t
jit_range_function(const struct codeline *line)
{
	const char *colon = memchr(line->name, ':', line->length);
	const char *mark = colon ? colon + 1 : NULL;
	uint64_t hash = HASH_SEED;

	for (const char *at = line->name; at < line->name + line->length; at++) {
		if (at != mark || !(*at == '~' || *at == '^' || *at == '+' || *at == '*'))
			hash = hash_step(hash, (unsigned char)*at);
	}
	return (uint32_t)(hash >> 32 ^ hash);
}

static bool
by_start(const struct jit_range *a, const struct jit_range *b)
{
	return a->start != b->start ? a->start < b->start : a->at < b->at;
}

// A heap sort: a few at a time, and mostly in order.
static void
sink(size_t count, size_t at)
{
	for (;;) {
		size_t last = at;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
			if (by_start(&fresh_ranges[last], &fresh_ranges[child]))
				last = child;
		}
		if (last == at)
			return;
		struct jit_range kept = fresh_ranges[at];
		fresh_ranges[at] = fresh_ranges[last];
		fresh_ranges[last] = kept;
		at = last;
	}
}

static void
sort_fresh(void)
{
	size_t count = state.fresh;

	for (size_t i = count / 2; i-- > 0;)
		sink(count, i);
	for (size_t left = count; left-- > 1;) {
		struct jit_range kept = fresh_ranges[0];
		fresh_ranges[0] = fresh_ranges[left];
		fresh_ranges[left] = kept;
		sink(left, 0);
	}
}

// Behind those there are, in the order of addresses: of two that overlap the later one stays.
static void
put_range(const struct jit_range *range)
{
	while (state.count > 0) {
		const struct jit_range *last = jit_range_at(state.count - 1);
		CHECK(last->start <= range->start);
		if (last->start + last->bytes <= range->start)
			break;
		if (last->at > range->at)
			return;
		state.count--;
	}
	*jit_range_at(state.count++) = *range;
}

// Where there is no room those that are told of last are unknown; what they lie on is gone.
static void
drop_fresh(size_t most, uint64_t since)
{
	size_t kept = 0;
	size_t over = state.count > most ? state.count - most : 0;

	for (size_t i = 0; i < state.count; i++) {
		if (over > 0 && jit_range_at(i)->at >= since) {
			over--;
			loss_count(LOSS_SYMBOLS_FULL);
		} else {
			*jit_range_at(kept++) = *jit_range_at(i);
		}
	}
	state.count = kept;
}

void
jit_range_settle(void)
{
	size_t fresh = state.fresh;
	size_t old = state.count;
	uint64_t since = UINT64_MAX;

	for (size_t i = 0; i < fresh; i++)
		since = fresh_ranges[i].at < since ? fresh_ranges[i].at : since;
	sort_fresh();
	state.fresh = 0;
	if (fresh == 0
		|| !table_grow(&state.ranges, (old + fresh) * sizeof(struct jit_range))) {
		// What lies there is not what is known.
		state.count = fresh > 0 ? 0 : old;
		return;
	}
	memmove(jit_range_at(fresh), jit_range_at(0), old * sizeof(struct jit_range));
	state.count = 0;
	for (size_t i = 0, k = 0; i < fresh || k < old;) {
		struct jit_range *next = jit_range_at(fresh + k);
		bool is_fresh = i < fresh && (k == old || by_start(&fresh_ranges[i], next));
		struct jit_range range = is_fresh ? fresh_ranges[i] : *next;
		*(is_fresh ? &i : &k) += 1;
		put_range(&range);
	}
	drop_fresh(PMEM_CODE, since);
}

struct jit_range
jit_range_take(const struct codeline *told)
{
	struct jit_range range = {told->start, (uint32_t)(told->end - told->start),
		v8_trampoline_is_told(told), jit_range_function(told), told->at};

	if (range.is_entry)
		v8_trampoline_look(told);

	if (state.fresh == FRESH_RANGES)
		jit_range_settle();
	fresh_ranges[state.fresh++] = range;
	return range;
}

void
jit_range_forget(void)
{
	state.count = state.fresh = 0;
}

// How many bytes from here on are one instruction of a call, of which some are not part of what
// the code is: Java has it lead elsewhere each time that it compiles what is called anew, and keeps
// before it for which class that is. How many of the first are part of it: *same. 1: it is no call.
static size_t
call_bytes(const unsigned char *at, size_t left, size_t *same)
{
	bool loads = left > LOAD_BYTES && at[0] == LOAD_FIRST && at[1] == LOAD_SECOND
		&& at[LOAD_BYTES] == CALL_OFFSET;

	*same = loads ? 2 : 1;
	if (loads)
		return LOAD_BYTES;
	return at[0] == CALL_OFFSET ? CALL_OFFSET_BYTES : 1;
}

uint64_t
jit_range_code_around(uint64_t pc)
{
	unsigned char bytes[CODE_BEFORE + CODE_BEHIND];
	uint64_t hash = HASH_SEED;

	if (!file_peek_memory(pc - CODE_BEFORE, bytes, sizeof(bytes)))
		return 0;
	for (size_t i = 0, same; i < sizeof(bytes);) {
		size_t length = call_bytes(bytes + i, sizeof(bytes) - i, &same);
		while (same > 0)
			hash = hash_step(hash, bytes[i + --same]);
		i += length;
	}
	return hash ? hash : 1;
}
