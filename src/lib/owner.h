// owner: what a page of code belongs to, remembered until some object is unloaded.
//
// Who may call: any thread. Never allocates, takes no lock: an entry is two words that check each
// other, so that one torn between two writers, or of an earlier generation, is none. What is
// forgotten is asked for again.

#ifndef PMEM_OWNER_H
#define PMEM_OWNER_H

#include <stdint.h>

#include "hash.h"

struct owner {
	uint64_t check; // a hash of page and generation ^ the place
	uint64_t place; // 0: none
};

// A set is a cache line. At first one page of sets is in use, and twice as many whenever one is
// full: what these had is forgotten.
enum {
	OWNER_FIRST_SETS = 1 << 6,
	OWNER_SETS = 1 << 10,
	OWNER_WAYS = 4,
};

extern struct owner owners[OWNER_SETS][OWNER_WAYS]; // atomic
extern unsigned owner_sets; // in use; atomic

static inline uint64_t
owner_hash(uint64_t page, uint64_t generation)
{
	return hash_step(hash_step(HASH_SEED, generation), page);
}

static inline struct owner *
owner_set(uint64_t hash)
{
	return owners[hash & (__atomic_load_n(&owner_sets, __ATOMIC_RELAXED) - 1)];
}

// What was kept of that page in this generation; 0: nothing.
static inline uint64_t
owner_get(uint64_t page, uint64_t generation)
{
	uint64_t hash = owner_hash(page, generation);
	const struct owner *set = owner_set(hash);

	for (int way = 0; way < OWNER_WAYS; way++) {
		uint64_t place = __atomic_load_n(&set[way].place, __ATOMIC_RELAXED);
		uint64_t check = __atomic_load_n(&set[way].check, __ATOMIC_RELAXED);
		if ((check ^ place) == hash && place != 0)
			return place;
	}
	return 0;
}

// `place` is not 0.
void owner_keep(uint64_t page, uint64_t generation, uint64_t place);

#endif
