#include "table.h"
#include "pages.h"

TABLE_STATIC struct page pages[PAGES_SETS][PAGES_WAYS];
unsigned pages_sets = PAGES_FIRST_SETS;

static uint8_t oldest[PAGES_SETS]; // the next to go; atomic, but who loses a race loses little

void
pages_keep(uint64_t number, uint64_t generation, uint64_t place)
{
	uint64_t hash = pages_hash(number, generation);
	unsigned sets = __atomic_load_n(&pages_sets, __ATOMIC_RELAXED);
	uint8_t *next = &oldest[hash & (sets - 1)];
	uint8_t way = __atomic_load_n(next, __ATOMIC_RELAXED);
	struct page *page = &pages[hash & (sets - 1)][way % PAGES_WAYS];

	__atomic_store_n(next, (uint8_t)(way + 1), __ATOMIC_RELAXED);
	if (sets < PAGES_SETS && __atomic_load_n(&page->place, __ATOMIC_RELAXED) != 0)
		__atomic_store_n(&pages_sets, 2 * sets, __ATOMIC_RELAXED);
	__atomic_store_n(&page->place, place, __ATOMIC_RELAXED);
	__atomic_store_n(&page->check, hash ^ place, __ATOMIC_RELAXED);
}
