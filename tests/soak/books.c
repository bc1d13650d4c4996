#include <stdlib.h>
#include <string.h>

#include "books.h"

const char *const site_names[SITES] = {
	[SITE_MALLOC] = "worker_malloc",
	[SITE_CALLOC] = "worker_calloc",
	[SITE_REALLOC] = "worker_realloc",
	[SITE_MEMALIGN] = "worker_memalign",
	[SITE_DEEP] = "worker_deep",
	[SITE_HANDLER] = "handler",
	[SITE_PLUGIN + 0] = "/plugin0.so",
	[SITE_PLUGIN + 1] = "/plugin1.so",
	[SITE_PLUGIN + 2] = "/plugin2.so",
	[SITE_PLUGIN + 3] = "/plugin3.so",
	[SITE_KEPT] = "forker_kept",
	[SITE_CHILD_MALLOC] = "child_malloc",
	[SITE_CHILD_REALLOC] = "child_realloc",
};

static struct book shared[SITES_SHARED];
static struct book first_own[SITES_OWN];
struct book *books_own = first_own;
uint64_t books_corrupted;

static struct book *
book_of(enum site site)
{
	return site < SITES_SHARED ? &shared[site] : &books_own[site - SITES_SHARED];
}

void
books_copy(struct book into[SITES])
{
	memcpy(into, shared, sizeof(shared));
	memcpy(into + SITES_SHARED, books_own, sizeof(first_own));
}

uint64_t
books_churn(const struct book own[SITES_OWN])
{
	uint64_t churn = 0;
	for (int i = 0; i < SITES_OWN; i++)
		churn += own[i].alloc + own[i].free;
	return churn;
}

static uint64_t
check_of(const void *block, uint32_t site, uint32_t bytes)
{
	return ((uint64_t)(uintptr_t)block ^ ((uint64_t)site << 32 | bytes)) * 0x9e3779b97f4a7c15;
}

// What a block says about itself, at its start; its last byte must agree.
static void
mark(void *block, enum site site, size_t bytes)
{
	struct book_mark mark = {site, (uint32_t)bytes, check_of(block, site, (uint32_t)bytes)};
	memcpy(block, &mark, sizeof(mark));
	((uint8_t *)block)[bytes - 1] = (uint8_t)(mark.check >> 56);
}

struct book_mark
book_unmark(const void *block)
{
	struct book_mark mark = {.site = SITES};
	if (!block)
		return mark;
	memcpy(&mark, block, sizeof(mark));
	if (mark.site < SITES && mark.bytes <= BOOK_BYTES_MAX
		&& mark.check == check_of(block, mark.site, mark.bytes)
		&& ((const uint8_t *)block)[mark.bytes - 1] == (uint8_t)(mark.check >> 56))
		return mark;
	__atomic_fetch_add(&books_corrupted, 1, __ATOMIC_RELAXED);
	abort();
}

static void
add(uint64_t *counter, uint64_t amount)
{
	__atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

void *
book_alloc(enum site site, void *block, size_t bytes)
{
	if (!block)
		return NULL;
	add(&book_of(site)->alloc, bytes);
	add(&book_of(site)->allocs, 1);
	mark(block, site, bytes);
	return block;
}

static void
book_freed(struct book_mark was)
{
	add(&book_of(was.site)->free, was.bytes);
	add(&book_of(was.site)->frees, 1);
}

void
book_free(void *block)
{
	if (!block)
		return;
	book_freed(book_unmark(block));
	free(block);
}

void *
book_moved(enum site site, struct book_mark was, void *block, size_t bytes)
{
	if (!block)
		return NULL;
	if (was.site != SITES)
		book_freed(was);
	return book_alloc(site, block, bytes);
}

uint32_t
next_random(uint64_t *seed)
{
	// Knuth's MMIX generator; the low bits are poor.
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

size_t
random_size(uint64_t *seed)
{
	uint32_t number = next_random(seed);
	size_t most = number % 8 ? 300 : BOOK_BYTES_MAX;
	return BOOK_BYTES_MIN + number / 8 % (most - BOOK_BYTES_MIN + 1);
}
