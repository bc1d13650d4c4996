// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/guard.h"
#include "base/hash.h"
#include "base/loss.h"
#include "elf/module.h"
#include "stacks/script_line.h"
#include "threads/label.h"
#include "base/thread_state.h"
#include "language/interpreter.h"
#include "language/interpreter_boundary.h"
#include "language/language.h"

enum {
	MET_BITS = 13,
	MET_NEAR = 16, // entries that a place may have, from its own index on
	// Frames of the interpreter's own functions that are kept before the lines, with the hook's.
	// Stacks of its compiler are as deep as the code that it compiles. With all these frames a
	// program that loads a few libraries has three times as many sources.
	FRAMES_KEPT = 4,
};

// The lines of known places. An entry torn between two writers matches no place. A place keeps its
// entry while there is room. An interpreter may know less of a place later, as Ruby does of a
// method's class once it has ractors. Then the place would have two lines. Mapped with the first
// line. Atomic.
static struct met {
	uint64_t check; // the place's hash ^ the line
	uint64_t line;
} *met;

static __attribute__((noinline)) void
map_room(void)
{
	struct met *none = NULL;
	struct met *fresh = table_map(sizeof(*met) << MET_BITS);

	// If two threads come here, the second one's map stays unused.
	if (fresh)
		__atomic_compare_exchange_n(
			&met, &none, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	stack_alias_make_room();
}

static void
make_room(void)
{
	if (!__atomic_load_n(&met, __ATOMIC_RELAXED))
		map_room();
}

static inline uint64_t
ask(const struct interpreter_boundary *boundary, const struct unwind *caller,
	const struct unwind *compiled, struct language_stack *lines)
{
	uintptr_t holder = guard_begin(GUARD_ASKING);
	uint64_t hash = boundary->interpreter->read(lines, caller, compiled);
	guard_end(holder);
	return hash;
}

static __attribute__((noinline)) uint64_t
read_compiled(const struct interpreter_boundary *boundary, const struct unwind *caller,
	struct language_stack *lines)
{
	struct unwind frame = {.pc = boundary->compiled};

	if (boundary->interpreter->wants_frame && !walk_to_loop(caller, &frame))
		return 0;
	return ask(boundary, caller, &frame, lines);
}

// Reads what an interpreter has for the calling thread's stack from the hook's caller on. An
// allocation of the loader has no lines.
static inline uint64_t
read_lines(const struct interpreter_boundary *boundary, const struct unwind *caller,
	struct language_stack *lines)
{
	if (__builtin_expect(interpreter_boundary_is_for_loader(), 0))
		return HASH_SEED;
	return __builtin_expect(boundary->compiled == 0, 1) ? ask(boundary, caller, NULL, lines)
		: read_compiled(boundary, caller, lines);
}

uint64_t
language_hash(const struct unwind *caller, struct unwind_sum sum)
{
	struct interpreter_boundary boundary = interpreter_boundary_at(sum.loop);

	return boundary.interpreter ? hash_step(sum.hash, read_lines(&boundary, caller, NULL))
								: 0;
}

// Returns the line of a known place, or 0. *room is the entry that a new place may have, or NULL.
static uint64_t
spot_met(uint64_t hash, struct met **room)
{
	struct met *all = __atomic_load_n(&met, __ATOMIC_ACQUIRE);
	uint64_t own = hash_step(HASH_SEED, hash) >> (64 - MET_BITS);

	*room = all ? &all[own] : NULL;
	for (uint64_t i = 0; all && i < MET_NEAR; i++) {
		struct met *place = &all[(own + i) & ((1 << MET_BITS) - 1)];
		uint64_t line = __atomic_load_n(&place->line, __ATOMIC_RELAXED);
		if (line == 0) {
			*room = place;
			break;
		}
		if ((__atomic_load_n(&place->check, __ATOMIC_RELAXED) ^ line) == hash)
			return line;
	}
	return 0;
}

// Returns the line of a frame, or 0 if there is no room for it.
static uint64_t
spot_of(const struct interpreter *interpreter, const struct language_stack *lines, uint32_t number)
{
	const struct language_frame *frame = &lines->frames[number];
	struct met *room;
	struct script_line_words words;
	uint64_t line = spot_met(frame->hash, &room);

	if (line != 0)
		return line;
	words.language = interpreter->language;
	uintptr_t holder = guard_begin(GUARD_ASKING);
	bool is_described = interpreter->describe(frame, number, &words);
	guard_end(holder);
	line = is_described ? script_line_keep(&words) : 0;
	if (line == 0) {
		loss_count(LOSS_SYMBOLS_FULL);
	} else if (room) {
		__atomic_store_n(&room->line, line, __ATOMIC_RELAXED);
		__atomic_store_n(&room->check, frame->hash ^ line, __ATOMIC_RELAXED);
	}
	return line;
}

// Returns how many of a stack's frames are kept before its lines. Of the interpreter's own
// functions these are few, since the lines say more. All frames of libraries that it calls are
// kept.
static uint32_t
frames_kept(const struct stack *stack, const struct interpreter_boundary *boundary)
{
	uint32_t kept = stack->depth < FRAMES_KEPT ? stack->depth : FRAMES_KEPT;

	for (uint32_t i = kept; i < stack->depth; i++) {
		if (stack->frames[i] - boundary->object >= boundary->object_end - boundary->object)
			kept = i + 1;
	}
	return kept;
}

// Returns the hash of a stack without lines.
static uint64_t
hash_without(const struct stack *stack)
{
	return label_mix(
		thread_state.label, hash_step(stack_hash_of(stack, stack->depth), HASH_SEED));
}

void
language_extend(struct stack *stack, const struct unwind *caller)
{
	struct language_stack lines;
	struct interpreter_boundary boundary =
		interpreter_boundary_at(stack->frames[stack->depth - 1]);

	lines.depth = 0;
	// An address in compiled code says nothing, and differs in each run.
	if (boundary.compiled && stack->depth > 2)
		stack->depth--;
	if (boundary.interpreter) {
		read_lines(&boundary, caller, &lines);
		stack->unknown = boundary.compiled && lines.depth == 0;
	}
	if (lines.depth > 0)
		make_room();
	uint32_t whole = stack->depth;
	uint32_t depth = lines.depth > 0 ? frames_kept(stack, &boundary) : whole;
	stack->depth = depth;
	for (uint32_t i = 0; i < lines.depth && stack->depth < PMEM_FRAMES; i++) {
		uint64_t line = spot_of(boundary.interpreter, &lines, i);
		if (line != 0)
			stack->frames[stack->depth++] = line;
	}
	// A cut stack without lines would not match its hash.
	if (stack->depth == depth) {
		stack->depth = whole;
		stack->hash = hash_without(stack);
	} else {
		stack->hash = label_mix(thread_state.label, stack_hash_of(stack, stack->depth));
	}
}
