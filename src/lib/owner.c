#include "table.h"
#include "owner.h"

TABLE_STATIC struct owner owners[OWNER_SETS][OWNER_WAYS];
unsigned owner_sets = OWNER_FIRST_SETS;

static uint8_t oldest[OWNER_SETS]; // the next to go; atomic, but who loses a race loses little

void
owner_keep(uint64_t page, uint64_t generation, uint64_t place)
{
	uint64_t hash = owner_hash(page, generation);
	unsigned sets = __atomic_load_n(&owner_sets, __ATOMIC_RELAXED);
	uint8_t *next = &oldest[hash & (sets - 1)];
	uint8_t way = __atomic_load_n(next, __ATOMIC_RELAXED);
	struct owner *owner = &owners[hash & (sets - 1)][way % OWNER_WAYS];

	__atomic_store_n(next, (uint8_t)(way + 1), __ATOMIC_RELAXED);
	if (sets < OWNER_SETS && __atomic_load_n(&owner->place, __ATOMIC_RELAXED) != 0)
		__atomic_store_n(&owner_sets, 2 * sets, __ATOMIC_RELAXED);
	__atomic_store_n(&owner->place, place, __ATOMIC_RELAXED);
	__atomic_store_n(&owner->check, hash ^ place, __ATOMIC_RELAXED);
}
