// manystacks: each of 2^depth paths through so many levels allocates from a stack of its own, which
// the path's lowest bit begins at its outer end. Two functions, since a compiler folds two calls
// of one. And threads that each come to all of them, and stay.

#ifndef TESTS_MANYSTACKS_H
#define TESTS_MANYSTACKS_H

#include <pthread.h>
#include <stdlib.h>

#include "host.h"

// What a path ends in: NULL for 16 bytes.
static void *(*many_leaf)(void);

static inline void *
many_allocate(void)
{
	return many_leaf ? many_leaf() : malloc(16);
}

FRAME void *left(int depth, unsigned path);
FRAME void *right(int depth, unsigned path)
{
	void *block = depth == 0 ? many_allocate() : path & 1 ? left(depth - 1, path >> 1)
							      : right(depth - 1, path >> 1);
	use(block);
	return block;
}

FRAME void *left(int depth, unsigned path)
{
	void *block = depth == 0 ? many_allocate() : path & 1 ? left(depth - 1, path >> 1)
							      : right(depth - 1, path >> 1);
	use(block);
	return block;
}

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
