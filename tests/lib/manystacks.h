// manystacks: threads that each come to all of the stacks of leftright.h, and stay.

#ifndef TESTS_MANYSTACKS_H
#define TESTS_MANYSTACKS_H

#include <pthread.h>
#include <stdlib.h>

#include "host.h"
#include "leftright.h"

enum { MANY_THREADS = 64 };

static struct {
	pthread_t threads[MANY_THREADS];
	int count;
	int depth;
	pthread_barrier_t barrier; // all have been there; all go
} many;

static inline void *
many_run(void *unused)
{
	for (unsigned path = 0; path < 1u << many.depth; path++)
		free(left(many.depth, path));
	pthread_barrier_wait(&many.barrier);
	pthread_barrier_wait(&many.barrier);
	return unused;
}

// Returns when so many threads have allocated, and freed, from 2^depth stacks each.
static inline void
many_start(int count, int depth)
{
	expect(count <= MANY_THREADS);
	many.count = count;
	many.depth = depth;
	pthread_barrier_init(&many.barrier, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		expect(pthread_create(&many.threads[i], NULL, many_run, NULL) == 0);
	pthread_barrier_wait(&many.barrier);
}

static inline void
many_end(void)
{
	pthread_barrier_wait(&many.barrier);
	for (int i = 0; i < many.count; i++)
		pthread_join(many.threads[i], NULL);
}

#endif
