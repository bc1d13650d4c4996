// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/loss.h"
#include "base/hash.h"
#include "elf/module.h"
#include "threads/label.h"
#include "base/thread_state.h"
#include "stacks/script_line.h"
#include "stacks/stack_alias.h"
#include "sources/labelled_source.h"
#include "sources/source.h"

enum {
	SOURCE_SHIFT = 11,
	SUMS_SHIFT = TABLE_CHUNK_BITS - 6,
	UNSEEN_BITS = 32, // number of bits in a word of unseen[]
};

// The first chunks are not mapped but static, since every program uses them.
static TABLE_STATIC struct source first_sources[1 << SOURCE_SHIFT];
static TABLE_STATIC struct counter first_sums[1 << SUMS_SHIFT][2];

static void *source_chunks[TABLE_CHUNKS(PMEM_SOURCES, SOURCE_SHIFT)] = {first_sources};
static void *sums_chunks[TABLE_CHUNKS(PMEM_SOURCES, SUMS_SHIFT)] = {first_sums};

static const struct table sources = {
	source_chunks, SOURCE_SHIFT, sizeof(struct source), NULL, TABLE_STACKS};
static const struct table sums = {
	sums_chunks, SUMS_SHIFT, sizeof(first_sums[0]), NULL, TABLE_COUNTERS};

// A bit for each source, set by source_set_unseen(); atomic.
static TABLE_STATIC uint32_t unseen[(PMEM_SOURCES + UNSEEN_BITS - 1) / UNSEEN_BITS];

static struct {
	uint32_t numbers; // numbers given out, without 0; atomic, at most PMEM_SOURCES - 1
	uint32_t spare;   // a number that was given back, and will be given out next; 0 if none; atomic
	bool have_slept;  // false if no source was ever put to sleep; atomic
} state;

uint32_t
source_count(void)
{
	return __atomic_load_n(&state.numbers, __ATOMIC_ACQUIRE) + 1;
}

const struct source *
source_get(uint32_t number)
{
	return table_get(&sources, number);
}

struct source *
source_noted(uint32_t number)
{
	return table_get(&sources, number);
}

struct counter *
source_sums(uint32_t number)
{
	return table_get(&sums, number);
}

void
source_set_unseen(uint32_t number)
{
	uint32_t bit = UINT32_C(1) << number % UNSEEN_BITS;
	if (!source_is_unseen(number))
		__atomic_fetch_or(&unseen[number / UNSEEN_BITS], bit, __ATOMIC_RELAXED);
}

bool
source_is_unseen(uint32_t number)
{
	uint32_t word = __atomic_load_n(&unseen[number / UNSEEN_BITS], __ATOMIC_RELAXED);
	return word >> number % UNSEEN_BITS & 1;
}

// Returns true if there is memory for all data of the source.
static bool
has_room(uint32_t number)
{
	return number < PMEM_SOURCES && table_reach(&sources, number)
		&& table_reach(&sums, number) && thread_reach(number);
}

static uint32_t
take_number(void)
{
	uint32_t number = __atomic_exchange_n(&state.spare, 0, __ATOMIC_ACQ_REL);
	if (number)
		return number;
	number = __atomic_load_n(&state.numbers, __ATOMIC_RELAXED);
	do {
		if (!has_room(number + 1))
			return SOURCE_OTHER;
	} while (!__atomic_compare_exchange_n(&state.numbers, &number, number + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	return number + 1;
}

static void
give_back(uint32_t number)
{
	struct source *source = table_get(&sources, number);
	// `source` is never NULL: if a number was given out, its chunk is mapped. The check is for the
	// compiler, which cannot know that.
	if (source)
		__atomic_store_n(&source->depth, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.spare, number, __ATOMIC_RELEASE);
}

// Fills in a source whose number no other thread has. Returns false if there is no room for its
// frames.
static bool
describe(uint32_t number, const struct stack *stack, const char *hook_name)
{
	struct source *source = table_get(&sources, number);
	uint64_t id = hash_string(hook_name);
	const struct frame *first = stack_store_keep(stack, &id);

	if (!first)
		return false;
	source->id = id;
	source->hash = stack->hash;
	source->frames = first;
	__atomic_store_n(&source->depth, (uint16_t)stack->depth, __ATOMIC_RELEASE);
	return true;
}

__attribute__((noinline)) uint64_t
source_probe(uint64_t hash)
{
	uint64_t word = index_near(hash);
	// The aliases are searched before the rest of the index. In a process that has aliases, this
	// function is mostly called for the hash of an alias.
	if (word == 0)
		word = stack_alias_get(hash);
	return word != 0 ? word : index_get(hash);
}

// Wakes the source with this hash, if it sleeps, and returns its number. source_sleep() has removed
// the module from some of the source's frames. These frames get the module that now contains their
// address. Returns SOURCE_OTHER if no source with this hash sleeps.
static uint32_t
wake(uint64_t hash)
{
	uint64_t word;

	if (!__atomic_load_n(&state.have_slept, __ATOMIC_RELAXED))
		return SOURCE_OTHER;
	index_probe(hash, ~hash, &word);
	uint32_t number = index_number(word);
	if (number != SOURCE_OTHER) {
		const struct source *source = source_get(number);
		stack_store_name(source->frames, source->depth);
		index_invert(hash, ~hash);
	}
	return number;
}

// The depth must be read before the frames, since describe() writes the frames before the depth.
static uint32_t
depth_of(const struct source *source)
{
	// `source` is not NULL: if a number was given out, its chunk is mapped. The check is for the
	// compiler, which cannot know that.
	return source ? __atomic_load_n(&source->depth, __ATOMIC_ACQUIRE) : 0;
}

bool
source_names_left(const struct source *source)
{
	uint32_t depth = depth_of(source);
	return depth > 0 && stack_store_names_left(source->frames, depth);
}

void
source_sleep(void)
{
	__atomic_store_n(&state.have_slept, true, __ATOMIC_RELEASE);
	// First all sources are put to sleep, and then their frames lose the modules. Sources may share
	// a frame. If a shared frame had lost its module already, the second source with that frame
	// would not be found.
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		if (source_names_left(source))
			index_invert(source->hash, source->hash);
	}
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		uint32_t depth = depth_of(source);
		if (depth > 0)
			stack_store_unname(source->frames, depth);
	}
	stack_alias_forget();
	// The threads' memos forget the sources that they keep (unwind.h), also those that sleep.
	module_doubt();
}

static __attribute__((noinline)) uint32_t
insert(const struct stack *stack, const char *hook_name, uint64_t *entry)
{
	uint32_t number = entry ? take_number() : SOURCE_OTHER;
	if (number != SOURCE_OTHER && !describe(number, stack, hook_name)) {
		give_back(number);
		number = SOURCE_OTHER;
	}
	if (number == SOURCE_OTHER) {
		loss_count(LOSS_TABLE_FULL);
		return SOURCE_OTHER;
	}

	uint32_t first = index_publish(stack->hash, number, entry);
	if (first != number) {
		// The frames that were stored for this number stay unused.
		give_back(number);
		return first;
	}
	stack_store_share(source_get(number)->frames, stack);
	if (stack->cut)
		loss_count(LOSS_STACKS_CUT);
	else if (stack->unknown)
		loss_count(LOSS_STACKS_ENDED);
	return number;
}

uint32_t
source_step(size_t bytes)
{
	uint32_t left = PMEM_SOURCES - source_count();
	uint32_t step = 0;

	if (bytes >= SOURCE_LARGE)
		left *= 4;
	if (left < PMEM_SOURCES - PMEM_SOURCES / 8 * 3)
		step = 1;
	for (uint32_t part = PMEM_SOURCES / 2; left < part && step < SOURCE_LAST_STEP; part /= 2)
		step++;
	return step;
}

static uint32_t
at_least(uint32_t least, uint32_t number)
{
	return number < least ? least : number;
}

uint32_t
source_frames(uint32_t step)
{
	uint32_t halvings = at_least(SOURCE_CUTS, step + 1) - SOURCE_CUTS;
	return at_least(SOURCE_FRAMES_LEAST, PMEM_FRAMES >> halvings);
}

// Half of the table is in use from step SOURCE_CUTS of source_step() on. From this step on a stack
// keeps only its innermost line, and at the last step no line. The whole second half of the table
// is left for single lines. A program may have more lines than functions that call malloc().
uint32_t
source_lines(uint32_t step)
{
	if (step < SOURCE_CUTS)
		return PMEM_LANGUAGE_FRAMES;
	return step < SOURCE_LAST_STEP ? 1 : 0;
}

// Returns the number of the source with this hash, and wakes the source if it sleeps. If there is
// no such source, returns SOURCE_OTHER and sets `entry` to the empty entry for the hash.
static uint32_t
find_hash(uint64_t hash, uint64_t **entry)
{
	uint64_t word;

	*entry = index_probe(hash, hash, &word);
	return word != 0 ? index_number(word) : wake(hash);
}

// Finds the source of a shortened form of the stack. Shortens the stack step by step
// (source_step()), up to step `last`, and looks for a source after each step. If no source is
// found, makes a source of the shortest form.
static uint32_t
find_shorter(struct stack *stack, const char *hook_name, uint32_t last, uint64_t *entry)
{
	uintptr_t innermost[SOURCE_FRAMES_LEAST];
	uint32_t count = stack_innermost(stack, innermost, SOURCE_FRAMES_LEAST);
	uint64_t hash = stack->hash;
	uint32_t number = SOURCE_OTHER;

	for (uint32_t step = 1; step <= last && number == SOURCE_OTHER; step++) {
		bool is_another = step == SOURCE_LAST_STEP ? stack_become(stack, innermost, count)
			: stack_shorten(stack, source_frames(step), source_lines(step));
		if (is_another)
			number = find_hash(stack->hash, &entry);
	}
	if (number == SOURCE_OTHER)
		number = insert(stack, hook_name, entry);
	if (stack->hash == hash)
		return number;
	if (number != SOURCE_OTHER)
		stack_alias_keep(index_word(hash, number));
	return number;
}

static uint32_t
find_plain(struct stack *stack, const char *hook_name, size_t bytes)
{
	uint64_t *entry;
	uint32_t number = find_hash(stack->hash, &entry);
	if (number != SOURCE_OTHER)
		return number;
	uint32_t step = source_step(bytes);
	// Before a service does anything, it may import more modules than the table has room for.
	if (stack->in_import && step < SOURCE_CUTS && source_count() > PMEM_SOURCES / 8)
		step = SOURCE_CUTS;
	return find_shorter(stack, hook_name, step, entry);
}

// Makes a labelled source: the head's stack under the thread's label. Returns its number. If half
// of the table is in use, or there is no memory, returns the head.
static uint32_t
insert_variant(uint64_t hash, uint64_t *entry, uint32_t head)
{
	uint32_t number = entry && source_count() < PMEM_SOURCES / 2 ? take_number() : SOURCE_OTHER;

	if (number == SOURCE_OTHER
		|| !labelled_source_chain(number, head, thread_state.label)) {
		loss_count(LOSS_LABELS_FULL);
		stack_alias_keep(index_word(hash, head));
		return head;
	}
	const struct source *of = source_get(head);
	struct source *source = table_get(&sources, number);
	*source = (struct source){.id = of->id, .hash = hash, .frames = of->frames};
	__atomic_store_n(&source->depth, of->depth, __ATOMIC_RELEASE);
	// If another thread has published first, the number of that thread's source is returned. Our
	// number is then never used. The number cannot be given back, since it is in the head's chain.
	uint32_t first = index_publish(hash, number, entry);
	return first != SOURCE_OTHER ? first : head;
}

uint32_t
source_find(struct stack *stack, const char *hook_name, size_t bytes)
{
	uint64_t hash = stack->hash;
	uint64_t *entry;

	if (thread_state.label == 0)
		return find_plain(stack, hook_name, bytes);
	uint32_t number = find_hash(hash, &entry);
	if (number != SOURCE_OTHER)
		return number;
	stack->hash = label_mix(thread_state.label, hash);
	uint32_t head = find_plain(stack, hook_name, bytes);
	return head == SOURCE_OTHER ? SOURCE_OTHER : insert_variant(hash, entry, head);
}
