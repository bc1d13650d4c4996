// SPDX-License-Identifier: BSD-2-Clause
// boot: a small static arena that serves malloc()'s family while the real functions are not known.
//
// Who may call: any thread, at any moment. Never waits. Never reuses memory: free() leaves a block
// in place. A later realloc() moves the block to the real allocator.

#ifndef PMEM_BOOT_H
#define PMEM_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

enum {
	// Resolvers and constructors that run before our relocations are done need a few hundred bytes.
	BOOT_BYTES = 64 << 10,
};

extern char boot_arena[BOOT_BYTES];

// Returns a zeroed block, or NULL with errno ENOMEM when the arena is used up.
void *boot_alloc(size_t alignment, size_t bytes);

static inline bool
boot_owns(const void *block)
{
	return (uintptr_t)block - (uintptr_t)boot_arena < BOOT_BYTES;
}

// Returns the requested size of the block.
size_t boot_bytes(const void *block);

#pragma GCC visibility pop

#endif
