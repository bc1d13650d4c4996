// Four threads insert the same stacks at the same time: each gets one number, and the same.

#include <pthread.h>
#include <string.h>

#include "unit.h"
#include "libc.h"
#include "hash.h"
#include "source.h"

enum { STACKS = 20000, THREADS = 4 };
static uint32_t numbers[THREADS][STACKS];

static void *
insert_all(void *row)
{
	for (uint32_t i = 0; i < STACKS; i++) {
		struct stack stack = {.depth = 3, .frames = {1000, i, i * 2}};
		stack.hash = hash_step(hash_step(HASH_SEED, i), i * 2);
		((uint32_t *)row)[i] = source_find(&stack, "malloc");
	}
	return NULL;
}

int
main(void)
{
	pthread_t threads[THREADS];
	static char seen[PMEM_SOURCES];

	expect(libc_start());
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
		expect(source->depth == 3 && source->frames[1].pc == i && source->frames[2].pc == i * 2);
	}
	// Numbers that came second are used again, but for what is under way at once.
	expect(source_count() < STACKS + 1000);
	return 0;
}
