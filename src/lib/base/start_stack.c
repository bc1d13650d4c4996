// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/libc.h"
#include "base/start_stack.h"

struct start_stack start_stack;

// The kernel puts these on the stack, from low addresses to high ones (Linux, fs/binfmt_elf.c).
// They are the number of arguments, the arguments, NULL, the environment, NULL, the auxiliary
// vector, and 16 random bytes. The vector's entry AT_RANDOM has the address of the random bytes. A
// program may have moved its environment, but not the vector. So the vector is found first.
enum {
	APART_MAX = 256,   // upper bound of the words from the entry AT_RANDOM to the random bytes
	TYPE_MAX = 256,    // upper bound of an entry's type
	WORDS_MAX = 1 << 22, // upper bound of the number of arguments, and of the environment's
};

static const uintptr_t *
entry_of_random(void)
{
	uintptr_t random = libc.getauxval(AT_RANDOM);
	const uintptr_t *at = (const uintptr_t *)(random & -sizeof(uintptr_t));

	for (int i = 0; random != 0 && i < APART_MAX; i++) {
		at--;
		if (at[0] == AT_RANDOM && at[1] == random)
			return at;
	}
	return NULL;
}

void
start_stack_find(void)
{
	const uintptr_t *at = entry_of_random();
	struct start_stack found;
	size_t words = 0;

	if (!at)
		return;
	while (at[-2] != AT_NULL && at[-2] <= TYPE_MAX)
		at -= 2;
	if (at[-1] != 0)
		return;
	for (at--; at[-1] != 0; at--) {
		if (++words > WORDS_MAX)
			return;
	}
	found.environment = (char **)(uintptr_t)at;
	words = 0;
	// Arguments are pointers. A small word that is not their count means a hole in the environment, as
	// unsetenv() leaves one. In that case start_stack stays 0.
	for (at--; at[-1] != words; at--) {
		if (at[-1] <= WORDS_MAX || ++words > WORDS_MAX)
			return;
	}
	found.count = (int)words;
	found.arguments = (char **)(uintptr_t)at;
	found.began = (uintptr_t)(at - 1);
	start_stack = found;
}
