#include <stddef.h>

#include "hash.h"
#include "page.h"

// 2^10 sets of four, a cache line each: 64 KiB, touched as used.
enum {
	PAGE_BITS = 12,
	PAGE_SETS = 1 << 10,
	PAGE_WAYS = 4,
};

struct page {
	uint64_t check; // a hash of address and generation ^ the place
	uint64_t place; // 0: none
};

static _Alignas(64) struct page pages[PAGE_SETS][PAGE_WAYS]; // atomic
static uint8_t oldest[PAGE_SETS]; // the next to go; atomic, but who loses a race loses little

static uint64_t
hash_of(uintptr_t pc, uint64_t generation)
{
	return hash_step(hash_step(HASH_SEED, generation), pc >> PAGE_BITS);
}

uint64_t
page_get(uintptr_t pc, uint64_t generation)
{
	uint64_t hash = hash_of(pc, generation);
	const struct page *set = pages[hash % PAGE_SETS];

	for (int way = 0; way < PAGE_WAYS; way++) {
		uint64_t place = __atomic_load_n(&set[way].place, __ATOMIC_RELAXED);
		uint64_t check = __atomic_load_n(&set[way].check, __ATOMIC_RELAXED);
		if ((check ^ place) == hash && place != 0)
			return place;
	}
	return 0;
}

void
page_keep(uintptr_t pc, uint64_t generation, uint64_t place)
{
	uint64_t hash = hash_of(pc, generation);
	uint8_t *next = &oldest[hash % PAGE_SETS];
	uint8_t way = __atomic_load_n(next, __ATOMIC_RELAXED);
	struct page *page = &pages[hash % PAGE_SETS][way % PAGE_WAYS];

	__atomic_store_n(next, (uint8_t)(way + 1), __ATOMIC_RELAXED);
	__atomic_store_n(&page->place, place, __ATOMIC_RELAXED);
	__atomic_store_n(&page->check, hash ^ place, __ATOMIC_RELAXED);
}
