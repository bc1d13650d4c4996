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
	// The table of lines has 1 << MET_BITS entries.
	MET_BITS = 13,
	// A place may be in one of this many consecutive entries. The first is at the index that the
	// place's hash gives.
	MET_NEAR = 16,
	// Number of innermost frames, the hook's included, that are kept before the lines. Further
	// frames of the interpreter's own functions are dropped. The interpreter's compiler, for
	// instance, calls itself once for each level of nested code. If these frames were kept, a
	// program that loads a few libraries would have three times as many sources.
	FRAMES_KEPT = 4,
};

// A hash table of places in functions, each with its line. The key is the place's hash. If two
// threads each wrote one word of an entry, the entry matches no place. The table is mapped when the
// first line is added. Atomic.
//
// An entry is replaced only if there is no room. Once an entry is replaced, the interpreter is
// asked about its place again, and may say less. Ruby, for instance, does not name a method's class
// once several ractors run. The place then has two different lines.
static struct met {
	uint64_t check; // the place's hash ^ the line
	uint64_t line;
} *met;

static __attribute__((noinline)) void
map_room(void)
{
	struct met *none = NULL;
	struct met *fresh = table_map(TABLE_LINES, sizeof(*met) << MET_BITS);

	// If two threads come here at the same time, the mapping of the second one stays unused.
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
ask(const struct interpreter *interpreter, const struct unwind *caller,
	const struct unwind *compiled, struct language_stack *lines)
{
	uintptr_t holder = guard_begin(GUARD_ASKING);
	uint64_t hash = interpreter->read(lines, caller, compiled);
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
	return ask(boundary->interpreter, caller, &frame, lines);
}

// Reads the interpreter's frames of the calling thread, and returns their hash. Reads no frame if
// the hook's caller is the loader. The loader may then be moving the table of the thread's
// thread-local variables, which some functions of interpreters use.
static inline uint64_t
read_lines(const struct interpreter_boundary *boundary, const struct unwind *caller,
	struct language_stack *lines)
{
	if (__builtin_expect(module_loader_calls(caller->pc), 0))
		return HASH_SEED;
	return boundary->compiled == 0 ? ask(boundary->interpreter, caller, NULL, lines)
		: read_compiled(boundary, caller, lines);
}

// Does the same as language_hash(), in the rare cases.
static __attribute__((noinline)) uint64_t
hash_at_length(const struct unwind *caller, uint64_t hash, uintptr_t loop)
{
	struct interpreter_boundary boundary = interpreter_boundary_at(loop);

	return boundary.interpreter ? hash_step(hash, read_lines(&boundary, caller, NULL)) : 0;
}

uint64_t
language_hash(const struct unwind *caller, uint64_t hash, uintptr_t loop)
{
	const struct interpreter *interpreter = interpreter_boundary_of_loop(loop);

	if (__builtin_expect(!interpreter || module_loader_calls(caller->pc), 0))
		return hash_at_length(caller, hash, loop);
	return hash_step(hash, ask(interpreter, caller, NULL, NULL));
}

// Returns the line of a place, or 0 if the place is not in the table. Then *room is the entry for
// the new place, or NULL if the table is not mapped.
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
		// Acquire: the line's words are there once its check is.
		if ((__atomic_load_n(&place->check, __ATOMIC_ACQUIRE) ^ line) == hash)
			return line;
	}
	return 0;
}

// Returns the line of a frame. Returns 0 if the interpreter cannot describe the frame, or if there
// is no room for the line.
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
		__atomic_store_n(&room->check, frame->hash ^ line, __ATOMIC_RELEASE);
	}
	return line;
}

// Returns how many of a stack's native frames are kept before its lines. All frames of libraries
// that the interpreter calls are kept. Only a few of the interpreter's own functions are kept,
// since the lines say more. `most` is the number of frames that are kept in any case.
static uint32_t
frames_kept(const struct stack *stack, const struct interpreter_boundary *boundary, uint32_t most)
{
	uint32_t kept = stack->depth < most ? stack->depth : most;

	for (uint32_t i = kept; i < stack->depth; i++) {
		if (stack->frames[i] - boundary->object >= boundary->object_end - boundary->object)
			kept = i + 1;
	}
	return kept;
}

// Returns the hash of a stack to which no line was added.
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
	lines.in_import = false;
	lines.in_load = false;
	// The outermost frame is in compiled code. Its address says nothing and differs in each run, so
	// it is dropped.
	if (boundary.compiled && stack->depth > 2)
		stack->depth--;
	if (boundary.interpreter) {
		read_lines(&boundary, caller, &lines);
		stack->unknown = boundary.compiled && lines.depth == 0;
	}
	if (lines.depth > 0)
		make_room();
	uint32_t whole = stack->depth;
	uint32_t depth = lines.depth == 0 ? whole : lines.in_import ? 1
		: frames_kept(stack, &boundary, lines.in_load ? 1 : FRAMES_KEPT);
	stack->depth = depth;
	stack->in_import = lines.in_import;
	for (uint32_t i = 0; i < lines.depth && stack->depth < PMEM_FRAMES; i++) {
		uint64_t line = spot_of(boundary.interpreter, &lines, i);
		if (line != 0)
			stack->frames[stack->depth++] = line;
	}
	// If no line was added, no native frame is dropped. The hash is then of all native frames.
	if (stack->depth == depth) {
		stack->depth = whole;
		stack->hash = hash_without(stack);
	} else {
		stack->hash = label_mix(thread_state.label, stack_hash_of(stack, stack->depth));
	}
}
