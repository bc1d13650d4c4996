// manystacks: each of 2^depth paths through so many levels allocates 16 bytes from a stack of
// its own. Two functions, since a compiler folds two calls of one.

#ifndef TESTS_MANYSTACKS_H
#define TESTS_MANYSTACKS_H

#include <stdlib.h>

#include "host.h"

FRAME void *left(int depth, unsigned path);
FRAME void *right(int depth, unsigned path)
{
	void *block = depth == 0 ? malloc(16) : path & 1 ? left(depth - 1, path >> 1)
							: right(depth - 1, path >> 1);
	use(block);
	return block;
}

FRAME void *left(int depth, unsigned path)
{
	void *block = depth == 0 ? malloc(16) : path & 1 ? left(depth - 1, path >> 1)
							: right(depth - 1, path >> 1);
	use(block);
	return block;
}

#endif
