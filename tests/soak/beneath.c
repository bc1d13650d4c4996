// An allocator that may be called in a signal handler, and counts what reaches it: lock-free
// lists of free blocks, one a power of two, in one arena. For beneath the library.

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "books.h"

enum {
	UNIT = 64, // an index counts these
	CLASSES = 26,
	TAG_BYTES = 8, // with which the library asks for each block
};
#define ARENA_BYTES ((size_t)32 << 30)

// Before each block: where the block that was carved begins, its class and what was asked.
struct head {
	uint32_t index, class;
	uint64_t bytes;
};

static char *arena;
static uint64_t carved = 1;    // units
static uint64_t lists[CLASSES]; // of free blocks: changes << 32 | index; 0: none
static struct book counts;

void beneath_counts(struct book *into);

void
beneath_counts(struct book *into)
{
	*into = counts;
}

static char *
at(uint32_t index)
{
	return arena + (size_t)index * UNIT;
}

static void
start(void)
{
	if (__atomic_load_n(&arena, __ATOMIC_ACQUIRE))
		return;
	void *map = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *none = NULL;
	if (map == MAP_FAILED || !__atomic_compare_exchange_n(&arena, &none, map, 0,
			__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		abort();
}

// A block's first word is the next one's index while it is free. Arena memory stays mapped,
// so reading it of a block that another thread has just taken is harmless.
static uint32_t
take(unsigned class)
{
	uint64_t head = __atomic_load_n(&lists[class], __ATOMIC_ACQUIRE);
	while ((uint32_t)head) {
		uint32_t next = __atomic_load_n((uint32_t *)at((uint32_t)head), __ATOMIC_RELAXED);
		uint64_t changed = ((head >> 32) + 1) << 32 | next;
		if (__atomic_compare_exchange_n(&lists[class], &head, changed, 0,
			    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return (uint32_t)head;
	}
	return (uint32_t)__atomic_fetch_add(&carved, (uint64_t)1 << class, __ATOMIC_RELAXED);
}

static void
give(unsigned class, uint32_t index)
{
	uint64_t head = __atomic_load_n(&lists[class], __ATOMIC_ACQUIRE);
	uint64_t changed;
	do {
		__atomic_store_n((uint32_t *)at(index), (uint32_t)head, __ATOMIC_RELAXED);
		changed = ((head >> 32) + 1) << 32 | index;
	} while (!__atomic_compare_exchange_n(&lists[class], &head, changed, 0,
		__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

static struct head *
head_of(void *block)
{
	return (struct head *)block - 1;
}

static void *
allocate(size_t alignment, size_t bytes)
{
	size_t whole = sizeof(struct head) + bytes + alignment;
	unsigned class = 0;
	while (class < CLASSES && (size_t)UNIT << class < whole)
		class++;
	if (class == CLASSES) {
		errno = ENOMEM;
		return NULL;
	}
	start();
	uint32_t index = take(class);
	if (((size_t)index << 6) + ((size_t)UNIT << class) > ARENA_BYTES)
		abort();
	uintptr_t block = ((uintptr_t)at(index) + sizeof(struct head) + alignment - 1) & -alignment;
	*head_of((void *)block) = (struct head){index, class, bytes};
	__atomic_fetch_add(&counts.allocs, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts.alloc, bytes - TAG_BYTES, __ATOMIC_RELAXED);
	return (void *)block;
}

void *
malloc(size_t bytes)
{
	return allocate(16, bytes);
}

void
free(void *block)
{
	if (!block)
		return;
	struct head head = *head_of(block);
	__atomic_fetch_add(&counts.frees, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts.free, head.bytes - TAG_BYTES, __ATOMIC_RELAXED);
	give(head.class, head.index);
}

void *
calloc(size_t count, size_t size)
{
	void *block = allocate(16, count * size);
	return block ? memset(block, 0, count * size) : NULL;
}

size_t
malloc_usable_size(void *block)
{
	if (!block)
		return 0;
	struct head *head = head_of(block);
	return (size_t)(at(head->index) + ((size_t)UNIT << head->class) - (char *)block);
}

void *
realloc(void *old, size_t bytes)
{
	void *block = allocate(16, bytes);
	if (!old || !block)
		return block;
	size_t had = head_of(old)->bytes;
	memcpy(block, old, had < bytes ? had : bytes);
	free(old);
	return block;
}

int
posix_memalign(void **block, size_t alignment, size_t bytes)
{
	*block = allocate(alignment < 16 ? 16 : alignment, bytes);
	return *block ? 0 : ENOMEM;
}

void *
memalign(size_t alignment, size_t bytes)
{
	return allocate(alignment < 16 ? 16 : alignment, bytes);
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
	return memalign(alignment, bytes);
}
