// sites: a program that takes blocks in every way of C and, compiled as C++, of C++, each in a
// function of its own, in two threads; lets some grow, gives some back, and says at the end
// what each function asked for, and what of it was given back:
//
//	NAME live=BYTES/BLOCKS alloc=BYTES/CALLS free=BYTES/CALLS
//
// Two runs ask for the same, whatever the allocator.

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <memory>
#include <new>
#define SITE extern "C" __attribute__((noinline)) void *
#else
#define SITE __attribute__((noinline)) void *
#endif

enum {
	ROUNDS = 12000,
	KEPT = 700, // blocks that a thread holds
};

SITE site_malloc(size_t bytes) { return malloc(bytes); }
SITE site_calloc(size_t bytes) { return calloc(bytes / 8, 8); }
SITE site_realloc(size_t bytes) { return realloc(NULL, bytes); }
SITE site_reallocarray(size_t bytes) { return reallocarray(NULL, bytes / 8, 8); }
SITE site_memalign(size_t bytes) { return memalign(4096, bytes); }
SITE site_aligned_alloc(size_t bytes) { return aligned_alloc(8, bytes); }
SITE site_valloc(size_t bytes) { return valloc(bytes); }
SITE site_strdup(size_t bytes)
{
	char text[40000];
	memset(text, 'x', bytes - 1);
	text[bytes - 1] = '\0';
	return strdup(text);
}
SITE site_posix_memalign(size_t bytes)
{
	void *block = NULL;
	return posix_memalign(&block, 256, bytes) == 0 ? block : NULL;
}
SITE site_grow(void *block, size_t bytes) { return realloc(block, bytes); }

#ifdef __cplusplus
enum { WIDE = 128 };
constexpr std::align_val_t wide{WIDE};
SITE site_new(size_t bytes) { return ::operator new(bytes); }
SITE site_new_array(size_t bytes) { return new char[bytes]; }
SITE site_new_nothrow(size_t bytes) { return ::operator new(bytes, std::nothrow); }
SITE site_new_array_nothrow(size_t bytes) { return new (std::nothrow) char[bytes]; }
SITE site_new_aligned(size_t bytes) { return ::operator new(bytes, wide); }
SITE site_new_array_aligned(size_t bytes) { return ::operator new[](bytes, wide); }
SITE site_allocator(size_t bytes) { return std::allocator<char>().allocate(bytes); }
static void plain_delete(void *block) { ::operator delete(block); }
static void array_delete(void *block) { delete[] static_cast<char *>(block); }
static void aligned_delete(void *block) { ::operator delete(block, wide); }
static void aligned_array_delete(void *block) { ::operator delete[](block, wide); }
#endif

// An aligned operator counts as a multiple of its alignment.
static struct site {
	const char *name;
	void *(*take)(size_t bytes);
	void (*give)(void *block);
	size_t multiple;
	size_t bytes[2], calls[2]; // asked for, and given back; atomic
} sites[] = {
	{"site_grow", NULL, free, 1, {0, 0}, {0, 0}},
	{"site_malloc", site_malloc, free, 1, {0, 0}, {0, 0}},
	{"site_calloc", site_calloc, free, 1, {0, 0}, {0, 0}},
	{"site_realloc", site_realloc, free, 1, {0, 0}, {0, 0}},
	{"site_reallocarray", site_reallocarray, free, 1, {0, 0}, {0, 0}},
	{"site_memalign", site_memalign, free, 1, {0, 0}, {0, 0}},
	{"site_aligned_alloc", site_aligned_alloc, free, 1, {0, 0}, {0, 0}},
	{"site_valloc", site_valloc, free, 1, {0, 0}, {0, 0}},
	{"site_strdup", site_strdup, free, 1, {0, 0}, {0, 0}},
	{"site_posix_memalign", site_posix_memalign, free, 1, {0, 0}, {0, 0}},
#ifdef __cplusplus
	{"site_new", site_new, plain_delete, 1, {0, 0}, {0, 0}},
	{"site_new_array", site_new_array, array_delete, 1, {0, 0}, {0, 0}},
	{"site_new_nothrow", site_new_nothrow, plain_delete, 1, {0, 0}, {0, 0}},
	{"site_new_array_nothrow", site_new_array_nothrow, array_delete, 1, {0, 0}, {0, 0}},
	{"site_new_aligned", site_new_aligned, aligned_delete, WIDE, {0, 0}, {0, 0}},
	{"site_new_array_aligned", site_new_array_aligned, aligned_array_delete, WIDE, {0, 0}, {0, 0}},
	{"site_allocator", site_allocator, plain_delete, 1, {0, 0}, {0, 0}},
#endif
};

struct block {
	unsigned char *start;
	size_t bytes;
	struct site *site;
};

enum { ASKED, GIVEN };

static void
account(const struct block *block, int which)
{
	size_t bytes = block->bytes + block->site->multiple - 1;
	bytes -= bytes % block->site->multiple;
	__atomic_fetch_add(&block->site->bytes[which], bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&block->site->calls[which], 1, __ATOMIC_RELAXED);
}

// A block must have kept what was written to it.
static void
check_contents(const struct block *block)
{
	if (block->start[0] == (block->bytes & 255) && block->start[block->bytes - 1] == 77)
		return;
	printf("%s: a block of %zu bytes has changed\n", block->site->name, block->bytes);
	exit(1);
}

static void
take(struct block *block, size_t chance)
{
	size_t count = sizeof(sites) / sizeof(*sites);
	block->site = &sites[1 + chance % (count - 1)];
	block->bytes = 8 * (1 + chance / 64 % (chance % 61 ? 150 : 4000));
	block->start = (unsigned char *)block->site->take(block->bytes);
	account(block, ASKED);
	block->start[0] = block->bytes & 255;
	block->start[block->bytes - 1] = 77;
}

static void
grow(struct block *block)
{
	check_contents(block);
	account(block, GIVEN);
	block->bytes += 8 * (block->bytes % 90);
	block->start = (unsigned char *)site_grow(block->start, block->bytes);
	block->site = &sites[0];
	account(block, ASKED);
	block->start[0] = block->bytes & 255;
	block->start[block->bytes - 1] = 77;
}

static void *
work(void *unused)
{
	static __thread struct block kept[KEPT];
	for (size_t round = 0; round < ROUNDS; round++) {
		size_t chance = round * 2654435761 >> 16;
		struct block *block = &kept[chance / 32 % KEPT];
		if (block->start) {
			check_contents(block);
			account(block, GIVEN);
			block->site->give(block->start);
		}
		take(block, chance);
		if (chance % 5 == 0 && block->site->give == free)
			grow(block);
	}
	return unused;
}

int
main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (struct site *site = sites; site < sites + sizeof(sites) / sizeof(*sites); site++)
		printf("%s live=%zu/%zu alloc=%zu/%zu free=%zu/%zu\n", site->name,
			site->bytes[ASKED] - site->bytes[GIVEN], site->calls[ASKED] - site->calls[GIVEN],
			site->bytes[ASKED], site->calls[ASKED], site->bytes[GIVEN], site->calls[GIVEN]);
	return 0;
}
