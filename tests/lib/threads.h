// threads: threads of a test that wait for each other, and what they do meanwhile.

#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "host.h"

// The first thread's turn, and theirs.
static __attribute__((unused)) pthread_barrier_t turn;

__attribute__((unused)) FRAME static void
churn_one(int bytes)
{
	void *block = malloc((size_t)bytes);
	use(block);
	free(block);
}

// So many threads, each with its number.
static inline void
start_threads(int count, void *(*body)(void *))
{
	pthread_t thread;

	pthread_barrier_init(&turn, NULL, (unsigned)count + 1);
	for (intptr_t i = 0; i < count; i++)
		expect(pthread_create(&thread, NULL, body, (void *)i) == 0);
}

#endif
