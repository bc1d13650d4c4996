// An allocator for tests, to lie beneath the library: it may be entered at any instruction of
// itself, as glibc's may not be, and counts what it was asked for. Nothing is used twice.

#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { UNIT = 16 };
#define ARENA_BYTES ((size_t)64 << 30)

struct block {
	size_t asked;
	size_t usable : 63, has_tag : 1;
};

// By the library; calls and bytes. realloc() is one of each.
struct {
	uint64_t allocs, alloc_bytes, frees, free_bytes;
	uint64_t tags, freed_tags; // blocks that are small enough to have been asked for with a tag
} safe_counts;

static char *arena;
static size_t used;

static void __attribute__((constructor)) start(void)
{
	if (arena)
		return;
	void *mapped = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *none = NULL;
	if (!__atomic_compare_exchange_n(&arena, &none, mapped, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		munmap(mapped, ARENA_BYTES);
}

static void count(uint64_t *calls, uint64_t *bytes, size_t more)
{
	__atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(bytes, more, __ATOMIC_RELAXED);
}

static void *take(size_t alignment, size_t bytes, size_t counted)
{
	start();
	alignment = alignment < UNIT ? UNIT : alignment;
	size_t room = (bytes + sizeof(struct block) + alignment + UNIT) & -(size_t)UNIT;
	uintptr_t at = (uintptr_t)arena + __atomic_fetch_add(&used, room, __ATOMIC_RELAXED);
	at = (at + sizeof(struct block) + alignment - 1) & -(uintptr_t)alignment;
	// Larger blocks, and those of whole alignments, are asked for as the program asks (tag_table.h).
	bool has_tag = counted <= 512 && (alignment < 64 || bytes % alignment != 0);
	((struct block *)at)[-1] = (struct block){counted, (bytes + UNIT - 1) & -(size_t)UNIT, has_tag};
	count(&safe_counts.allocs, &safe_counts.alloc_bytes, counted);
	if (has_tag)
		__atomic_fetch_add(&safe_counts.tags, 1, __ATOMIC_RELAXED);
	return (void *)at;
}

void *memalign(size_t alignment, size_t bytes) { return take(alignment, bytes, bytes); }

// It ends the program for what is no multiple of the alignment. So the library asks for one more where
// it would ask for a tag's 8 bytes, below an alignment of 64, and these are what it counts.
void *aligned_alloc(size_t alignment, size_t bytes)
{
	if (bytes % alignment != 0)
		abort();
	return take(alignment, bytes, alignment < 64 ? bytes - alignment + 8 : bytes);
}

void free(void *block)
{
	if (!block)
		return;
	const struct block *head = (struct block *)block - 1;
	count(&safe_counts.frees, &safe_counts.free_bytes, head->asked);
	if (head->has_tag)
		__atomic_fetch_add(&safe_counts.freed_tags, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t bytes) { return memalign(UNIT, bytes); }
void *calloc(size_t count, size_t size) { return memalign(UNIT, count * size); }
size_t malloc_usable_size(void *block) { return block ? ((struct block *)block)[-1].usable : 0; }

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	*block = memalign(alignment, bytes);
	return 0;
}

void *realloc(void *old, size_t bytes)
{
	void *block = memalign(UNIT, bytes);
	size_t had = malloc_usable_size(old);
	if (old)
		memcpy(block, old, had < bytes ? had : bytes);
	free(old);
	return block;
}
