#!/bin/sh
# long: costs
# What a pair of malloc() and free() takes, in instructions, does not grow with the threads that are
# alive: with 64, 200 and 1,000 of them it is at most 2 % more than with two. All do as many pairs,
# once all are there. Counted under callgrind: the pairs alone, as two numbers of them differ, so
# that what comes once in a process or a thread is left out.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet -DPMEM_SNAPSHOT_AT_EXIT=0"

cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

static pthread_barrier_t all;

static __attribute__((noipa)) void
pairs(int count)
{
	for (int i = 0; i < count; i++) {
		void *block = malloc(40);
		__asm__ volatile("" : : "r"(block) : "memory");
		free(block);
	}
}

// The first round, which is not counted, is from the same place.
static void *
serve(void *count)
{
	for (int round = 0; round < 2; round++) {
		pthread_barrier_wait(&all);
		if (round == 1)
			CALLGRIND_TOGGLE_COLLECT;
		pairs(*(int *)count);
		if (round == 1)
			CALLGRIND_TOGGLE_COLLECT;
	}
	pthread_barrier_wait(&all);
	return NULL;
}

int
main(int count, char **words)
{
	int threads = atoi(words[1]);
	int each = atoi(words[count - 1]);
	pthread_attr_t small;
	pthread_t ids[1000];

	// Where little was allocated yet, a thread adds up its bytes for the process more often.
	for (int i = 0; i < 500; i++)
		free(malloc(64 << 10));
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], &small, serve, &each) != 0)
			return 2;
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
END
gcc -O1 -fno-builtin -fno-optimize-sibling-calls -pthread -o threads threads.c

# count THREADS PAIRS: what all of these take.
count() {
	marked "$library" --max-threads=1100 --instr-atstart=yes --collect-atstart=no ./threads "$1" "$2"
}

two=
for threads in 2 64 200 1000; do
	a_pair=$((($(count $threads 75) - $(count $threads 25)) / (threads * 50)))
	echo "figure: with $threads threads: $a_pair instructions a pair"
	[ $a_pair -gt 250 ] || { echo "the library was not there"; exit 1; }
	: "${two:=$a_pair}"
	[ $((a_pair * 100)) -le $((two * 102)) ] || { echo "$two to $a_pair: more than 2 %"; exit 1; }
done
