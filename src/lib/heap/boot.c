// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <string.h>

#include "base/table.h"
#include "base/libc.h"
#include "heap/boot.h"
#include "heap/glibc_chunk.h"

enum {
	ALIGNMENT = 16,
	HEAD_BITS = 4,
};

TABLE_STATIC char boot_arena[BOOT_BYTES];
static size_t used; // bytes of boot_arena in use; atomic

void *
boot_alloc(size_t alignment, size_t bytes)
{
	if (alignment < ALIGNMENT)
		alignment = ALIGNMENT;
	if (bytes > BOOT_BYTES || alignment > BOOT_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	size_t room = bytes + alignment + ALIGNMENT;
	room -= room % ALIGNMENT;
	size_t at = __atomic_fetch_add(&used, room, __ATOMIC_RELAXED);
	if (at > BOOT_BYTES || room > BOOT_BYTES - at) {
		__atomic_fetch_sub(&used, room, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return NULL;
	}

	// The word before the block holds the block's size, behind bits that glibc_chunk_glance() takes for
	// an uncommon header. So a block of the arena costs free() no comparison.
	size_t head = bytes << HEAD_BITS | GLIBC_CHUNK_MMAPPED;
	uintptr_t block = (uintptr_t)boot_arena + at + sizeof(size_t);
	block = (block + alignment - 1) & ~(alignment - 1);
	memcpy((char *)block - sizeof(head), &head, sizeof(head));
	return (void *)block;
}

size_t
boot_bytes(const void *block)
{
	size_t head;
	memcpy(&head, (const char *)block - sizeof(head), sizeof(head));
	return head >> HEAD_BITS;
}
