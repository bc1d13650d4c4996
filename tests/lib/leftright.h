// leftright: each of 2^depth paths through so many levels allocates from a stack of its own, which
// the path's lowest bit begins at its outer end. Two functions, since a compiler folds two calls
// of one.

#ifndef TESTS_LEFTRIGHT_H
#define TESTS_LEFTRIGHT_H

#include <stdlib.h>

// What a path ends in: NULL for 16 bytes.
static void *(*many_leaf)(void);

static inline void *
many_allocate(void)
{
	return many_leaf ? many_leaf() : malloc(16);
}

#define TURN(name) \
	__attribute__((noinline)) void *name(int depth, unsigned path) \
	{ \
		void *block = depth == 0 ? many_allocate() : path & 1 ? left(depth - 1, path >> 1) \
									      : right(depth - 1, path >> 1); \
		__asm__ volatile("" : : "r"(block) : "memory"); \
		return block; \
	}

void *left(int depth, unsigned path);
void *right(int depth, unsigned path);
TURN(right)
TURN(left)
#undef TURN

#endif
