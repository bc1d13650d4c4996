// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "elf/module.h"
#include "stacks/script_line.h"
#include "sources/stack_store.h"

enum {
	RECENT = 8,
	// The outer ends of stacks are compared by hashes. A stack's first hash is of its END_FRAMES
	// outermost frames. Each further hash is of END_FRAMES frames more.
	END_FRAMES = 4,
	ENDS = PMEM_FRAMES / END_FRAMES + 1,
};

// The first chunk is not mapped but static, since every program uses it.
static TABLE_STATIC struct frame first_frames[1 << STACK_STORE_SHIFT];
static TABLE_STATIC void *chunks[STACK_STORE_CHUNKS];
static const struct table frames = {
	chunks, STACK_STORE_SHIFT, sizeof(struct frame), first_frames, TABLE_STACKS};

static struct {
	uint64_t used; // frames given out; atomic
	// The newest stacks, in any order, each in one word: the first frame's address as pc, the
	// depth as module. Atomic.
	struct frame recent[RECENT];
	uint32_t turn; // stacks put into recent[] so far; atomic
	// Hashes of the outer ends of the stacks in recent[]. Another thread may be writing them, so
	// they are not relied on. They only choose the stack whose frames are then compared. Atomic.
	uint32_t ends[RECENT][ENDS];
} state;

// Reads a frame in one access: another thread may be writing it.
static struct frame
load(const struct frame *frame)
{
	uint64_t word = __atomic_load_n((const uint64_t *)(const void *)frame, __ATOMIC_ACQUIRE);
	struct frame loaded;
	memcpy(&loaded, &word, sizeof(loaded));
	return loaded;
}

static uint64_t
word_of(struct frame frame)
{
	uint64_t word;
	memcpy(&word, &frame, sizeof(word));
	return word;
}

// Reserves adjacent frames for the calling thread. Returns NULL if there is no room.
static struct frame *
take_frames(uint32_t count)
{
	const uint64_t chunk = UINT64_C(1) << STACK_STORE_SHIFT;
	uint64_t used = __atomic_load_n(&state.used, __ATOMIC_RELAXED);
	uint64_t at;

	do {
		uint64_t left = chunk - used % chunk;
		at = count <= left ? used : used + left;
		if (at / chunk >= STACK_STORE_CHUNKS || !table_reach(&frames, at))
			return NULL;
	} while (!__atomic_compare_exchange_n(
		&state.used, &used, at + count, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return table_get(&frames, at);
}

// Finds the outer frames that two stacks share, by program counters alone. The other stack begins
// at `theirs`. Returns the first shared frame in the other stack, or NULL if no frame is shared.
// Our stack's first frame never counts as shared. Sets `own` to the number of frames of our stack
// before the shared ones.
static const struct frame *
join_with(const struct frame *theirs, uint32_t depth, const struct stack *stack, uint32_t *own)
{
	const struct frame *from = NULL;
	uint32_t both = depth < stack->depth ? depth : stack->depth - 1;

	for (uint32_t left = depth; left > 0; left--, theirs++) {
		theirs = stack_store_frame(theirs);
		if (left > both)
			continue;
		if (theirs->pc != stack->frames[stack->depth - left]) {
			from = NULL;
		} else if (!from) {
			from = theirs;
			*own = stack->depth - left;
		}
	}
	return from;
}

// Computes the hashes of the stack's outer ends (END_FRAMES). Returns their number.
static uint32_t
hash_ends(const struct stack *stack, uint32_t ends[ENDS])
{
	const uintptr_t *frame = stack->frames + stack->depth;
	uint32_t count = stack->depth / END_FRAMES;
	uint64_t hash = 0;

	for (uint32_t i = 0; i < count; i++) {
		for (int n = 0; n < END_FRAMES; n++)
			hash = (hash ^ *--frame) * UINT64_C(0x9e3779b97f4a7c15);
		ends[i] = (uint32_t)(hash >> 32);
	}
	return count;
}

// Returns how many of our stack's outer ends a recent stack has, too. Compares only hashes. A stack
// that has one of the ends has all shorter ends, so a binary search finds the number.
static uint32_t
count_alike(const uint32_t *theirs, const uint32_t *ends, uint32_t count)
{
	uint32_t alike = 0;

	for (uint32_t more = count; more > alike;) {
		uint32_t middle = (alike + more + 1) / 2;
		if (__atomic_load_n(&theirs[middle - 1], __ATOMIC_RELAXED) == ends[middle - 1])
			alike = middle;
		else
			more = middle - 1;
	}
	return alike;
}

// Chooses a similar stack among the recent stacks by comparing hashes, and calls join_with() for
// it. Prefers the newest stack that shares three quarters of the ends, or else the one that shares
// most ends. If only one thread makes new stacks, the chosen stack mostly is the newest of all.
// Returns NULL if all frames are to be stored anew.
static const struct frame *
find_join(const struct stack *stack, uint32_t *own)
{
	uint32_t ends[ENDS];
	uint32_t count = hash_ends(stack, ends);
	uint32_t turn = __atomic_load_n(&state.turn, __ATOMIC_RELAXED);
	uint32_t best = (turn - 1) % RECENT;
	uint32_t most = 0;

	for (uint32_t i = 1; i <= RECENT && most < count - count / 4; i++) {
		uint32_t place = (turn - i) % RECENT;
		uint32_t alike = count_alike(state.ends[place], ends, count);
		if (alike > most) {
			most = alike;
			best = place;
		}
	}
	struct frame recent = load(&state.recent[best]);
	const struct frame *join
		= join_with((const struct frame *)(uintptr_t)recent.pc, recent.module, stack, own);
	// A link to a single frame takes as much room as the frame, so the frame is stored instead.
	if (!join || *own >= stack->depth - 1) {
		*own = stack->depth;
		return NULL;
	}
	return join;
}

static uint32_t
find_module(uintptr_t pc)
{
	return script_line_is(pc) ? MODULE_NONE : module_find(pc);
}

static bool
is_kept(const struct frame *kept, const struct stack *stack)
{
	for (uint32_t i = 0; i < stack->depth; i++, kept++) {
		kept = stack_store_frame(kept);
		// A wrong return address may have more bits than `pc` has. Only its lower bits are stored,
		// so only these are compared.
		if (kept->pc != (struct frame){.pc = stack->frames[i]}.pc)
			return false;
	}
	return true;
}

const struct frame *
stack_store_keep(const struct stack *stack, uint64_t *id)
{
	uint32_t own = stack->depth;
	const struct frame *join = find_join(stack, &own);
	const struct frame *theirs = join;

	for (uint32_t i = 1; i < stack->depth; i++) {
		uintptr_t pc = stack->frames[i];
		uint32_t number = find_module(pc);
		const struct module *module = module_get(number);
		*id = hash_step(*id,
			module                   ? pc - module->base
				: script_line_is(pc) ? script_line_hash(pc)
									 : pc);
		if (module)
			*id = hash_step(*id, module->name_hash);
		if (i < own)
			continue;
		theirs = stack_store_frame(theirs);
		if (theirs->module != number) {
			// The other stack has this address in another module. This frame is stored anew, and
			// the shared frames begin after it.
			own = i + 1;
			join = own < stack->depth ? stack_store_frame(theirs + 1) : NULL;
		}
		theirs++;
	}

	struct frame *kept = take_frames(own + (join != NULL));
	if (!kept)
		return NULL;
	for (uint32_t i = 0; i < own; i++)
		kept[i] = (struct frame){.pc = stack->frames[i], .module = find_module(stack->frames[i])};
	if (join)
		kept[own] = (struct frame){.pc = (uintptr_t)join, .module = STACK_STORE_ELSEWHERE};
	CHECK(is_kept(kept, stack));
	return kept;
}

void
stack_store_share(const struct frame *first, const struct stack *stack)
{
	uint32_t place = __atomic_fetch_add(&state.turn, 1, __ATOMIC_RELAXED) % RECENT;
	uint64_t word = word_of((struct frame){.pc = (uintptr_t)first, .module = stack->depth});
	uint32_t ends[ENDS];
	uint32_t count = hash_ends(stack, ends);

	for (uint32_t i = 0; i < ENDS; i++)
		__atomic_store_n(&state.ends[place][i], i < count ? ends[i] : 0, __ATOMIC_RELAXED);
	__atomic_store_n((uint64_t *)(void *)&state.recent[place], word, __ATOMIC_RELEASE);
}

bool
stack_store_names_left(const struct frame *first, uint32_t depth)
{
	for (const struct frame *at = first; depth > 0; depth--, at++) {
		at = stack_store_frame(at);
		if (module_table_is_left(at->module))
			return true;
	}
	return false;
}

// Sets the frame's module. Returns false if another thread has changed the frame meanwhile.
static bool
set_module(const struct frame *at, struct frame was, uint32_t module)
{
	struct frame to = {.pc = was.pc, .module = module};
	uint64_t expected = word_of(was);

	return __atomic_compare_exchange_n((uint64_t *)(uintptr_t)at, &expected, word_of(to), false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
stack_store_unname(const struct frame *first, uint32_t depth)
{
	for (const struct frame *at = first; depth > 0; depth--, at++) {
		at = stack_store_frame(at);
		struct frame was = load(at);
		if (module_table_is_left(was.module))
			set_module(at, was, MODULE_NONE);
	}
}

void
stack_store_name(const struct frame *first, uint32_t depth)
{
	for (const struct frame *at = first; depth > 0; depth--, at++) {
		at = stack_store_frame(at);
		struct frame was = load(at);
		while ((was.module == MODULE_NONE || module_table_is_left(was.module))
			&& !set_module(at, was, find_module(was.pc)))
			was = load(at);
	}
}
