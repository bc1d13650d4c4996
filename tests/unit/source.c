// Four threads insert the same stacks at the same time: each gets one number, and the same. One of
// the first, which has several entries by then, sleeps and wakes as one. Once the table is half
// full a deep stack is found at once as the shorter one that it counts as, until a source sleeps.

#include <pthread.h>
#include <string.h>

#include "unit.h"
#include "base/libc.h"
#include "base/hash.h"
#include "elf/module.h"
#include "sources/source.h"

enum { STACKS = 20000, THREADS = 4, MANY = 3000 };
static uint32_t numbers[THREADS][STACKS];
static const uint64_t *near_words; // the memory of the smallest part of the index

static uint32_t
insert(uint32_t i)
{
	struct stack stack = {.depth = 3, .frames = {1000, i, i * 2}};
	stack.hash = hash_step(hash_step(HASH_SEED, i), i * 2);
	return source_find(&stack, "malloc", 0);
}

static void *
insert_all(void *row)
{
	for (uint32_t i = 0; i < STACKS; i++)
		((uint32_t *)row)[i] = insert(i);
	return NULL;
}

static const struct frame *
frame_of(uint32_t number, int place)
{
	const struct frame *frame = source_get(number)->frames;
	while (place-- > 0)
		frame = stack_store_frame(frame) + 1;
	return stack_store_frame(frame);
}

static int
count_entries(uint64_t hash)
{
	int count = 0;
	for (int i = 0; i < INDEX_NEAR; i++)
		count += near_words[i] != 0 && index_is(near_words[i], hash);
	for (uint64_t i = 0; i <= index_largest.reach; i++)
		count += index_largest.words[i] != 0 && index_is(index_largest.words[i], hash);
	return count;
}

static void
sleeps_and_wakes(struct stack *stack, uint32_t number, int entries)
{
	uint32_t module = frame_of(number, 1)->module;

	expect(module != MODULE_NONE);
	for (int i = 0; i < 3; i++) {
		// The second time it is found at its first place, too.
		for (int again = 0; again < 2; again++)
			expect(source_look_up(stack->hash) == number);
		expect(count_entries(stack->hash) >= entries);
		*module_table_stay(module) = MODULE_LEFT;
		source_sleep();
		expect(source_look_up(stack->hash) == SOURCE_OTHER);
		expect(frame_of(number, 1)->module == MODULE_NONE);
		*module_table_stay(module) = MODULE_HERE;
		expect(source_find(stack, "malloc", 0) == number);
		expect(frame_of(number, 1)->module == module);
	}
}

// More than the lines of all parts have room for.
static void
last_of_many_on_a_line(const struct stack *ours)
{
	struct stack stack = *ours;

	for (uint64_t i = 1; i < 40; i++) {
		stack.hash = i << 40 | 0x12340;
		sleeps_and_wakes(&stack, source_find(&stack, "malloc", 0), 1);
	}
}

// A stack of the half of these frames that is whole, as one is whose way outwards was lost: it has
// the same id as what was cut there.
static struct stack *
ends_there(const struct stack *deep)
{
	static struct stack stack;

	stack = *deep;
	stack.depth = PMEM_FRAMES / 2;
	stack.hash = 0;
	for (uint32_t i = stack.depth; i-- > 1;)
		stack.hash = hash_append(stack.hash, stack.frames[i] ^ module_salt(stack.frames[i]));
	stack.hash = hash_step(stack.hash, stack.frames[0]);
	return &stack;
}

static void
deep_stack_counts_as_a_shorter(void)
{
	struct stack deep = {.depth = PMEM_FRAMES, .hash = hash_step(HASH_SEED, 4711),
		.frames = {1000, (uintptr_t)insert + 1}};

	for (uint32_t i = STACKS; source_step(0) < SOURCE_CUTS; i++)
		insert(i);
	for (uint32_t i = 2; i < PMEM_FRAMES; i++)
		deep.frames[i] = i;
	for (int i = 0; i < 2; i++) {
		struct stack stack = deep;
		expect(source_look_up(deep.hash) == SOURCE_OTHER);
		uint32_t number = source_find(&stack, "malloc", 0);
		const struct source *source = source_get(number);
		expect(source->depth == PMEM_FRAMES / 2 && source->hash != deep.hash);
		expect(source_look_up(deep.hash) == number);
		expect(source_find(ends_there(&deep), "malloc", 0) == number);
		// What is large has all of its frames still.
		expect(source_step(SOURCE_LARGE) < SOURCE_CUTS);
		uint32_t module = frame_of(number, 1)->module;
		*module_table_stay(module) = MODULE_LEFT;
		source_sleep();
		*module_table_stay(module) = MODULE_HERE;
	}
}

int
main(void)
{
	pthread_t threads[THREADS];
	static char seen[PMEM_SOURCES];
	struct stack ours = {.depth = 2, .frames = {1000, (uintptr_t)main + 1}, .hash = HASH_SEED};

	near_words = index_largest.words;
	expect(libc_start());
	uint32_t first = source_find(&ours, "malloc", 0);
	seen[first] = 1;
	for (uint32_t i = 0; i < MANY; i++)
		insert(i);
	expect(index_largest.reach > INDEX_STATIC && index_largest.words != near_words);
	sleeps_and_wakes(&ours, first, 2);
	last_of_many_on_a_line(&ours);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, insert_all, numbers[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < STACKS; i++) {
		uint32_t number = numbers[0][i];
		for (int t = 1; t < THREADS; t++)
			expect(numbers[t][i] == number);
		expect(number != SOURCE_OTHER && number < source_count() && !seen[number]);
		seen[number] = 1;
		const struct source *source = source_get(number);
		expect(source->depth == 3 && frame_of(number, 1)->pc == i
			&& frame_of(number, 2)->pc == i * 2);
	}
	// Numbers that came second are used again, but for what is under way at once.
	expect(source_count() < STACKS + 1100);
	expect(source_find(&ours, "malloc", 0) == first);
	deep_stack_counts_as_a_shorter();
	return 0;
}
