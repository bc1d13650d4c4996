#include <stddef.h>

#include "loss.h"
#include "hash.h"
#include "module.h"
#include "source.h"

_Alignas(64) uint64_t source_first[SOURCE_FIRST];

static struct {
	uint64_t index[SOURCE_INDEX]; // for those that found their line full
	struct source sources[PMEM_SOURCES];
	struct frame frames[(size_t)PMEM_SOURCES * PMEM_FRAMES];
	uint32_t numbers; // given out beside 0; atomic, at most PMEM_SOURCES - 1
	uint32_t spare;   // a number whose insertion came second, or 0; atomic
	uint64_t frames_used; // of frames[], given out; atomic
} state;

uint32_t
source_count(void)
{
	return __atomic_load_n(&state.numbers, __ATOMIC_ACQUIRE) + 1;
}

const struct source *
source_get(uint32_t number)
{
	return &state.sources[number];
}

static uint32_t
take_number(void)
{
	uint32_t number = __atomic_exchange_n(&state.spare, 0, __ATOMIC_ACQ_REL);
	if (number)
		return number;
	number = __atomic_load_n(&state.numbers, __ATOMIC_RELAXED);
	do {
		if (number >= PMEM_SOURCES - 1)
			return SOURCE_OTHER;
	} while (!__atomic_compare_exchange_n(&state.numbers, &number, number + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	return number + 1;
}

static void
give_back(uint32_t number)
{
	__atomic_store_n(&state.sources[number].depth, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.spare, number, __ATOMIC_RELEASE);
}

// Fills in the source of a number that nobody else has. False when its frames find no room.
static bool
describe(uint32_t number, const struct stack *stack, const char *hook_name)
{
	uint64_t at = __atomic_fetch_add(&state.frames_used, stack->depth, __ATOMIC_RELAXED);
	if (at + stack->depth > sizeof(state.frames) / sizeof(*state.frames))
		return false;

	uint64_t id = hash_string(hook_name);
	for (uint32_t i = 0; i < stack->depth; i++) {
		uintptr_t pc = stack->frames[i];
		uint32_t number_of = module_find(pc);
		const struct module *module = module_get(number_of);
		state.frames[at + i] = (struct frame){.pc = pc, .module = number_of};
		if (i > 0)
			id = hash_step(id, module ? pc - module->base : pc);
		if (i > 0 && module)
			id = hash_step(id, module->name_hash);
	}
	state.sources[number].id = id;
	state.sources[number].frames = &state.frames[at];
	__atomic_store_n(&state.sources[number].depth, stack->depth, __ATOMIC_RELEASE);
	return true;
}

__attribute__((noinline)) uint64_t *
source_probe(uint64_t hash, uint64_t *word)
{
	uint64_t *line = &source_first[hash & (SOURCE_FIRST - SOURCE_LINE)];
	uint64_t at = hash & (SOURCE_INDEX - 1);

	for (uint64_t i = 0; i < SOURCE_LINE; i++) {
		uint64_t *entry = &line[(hash + i) & (SOURCE_LINE - 1)];
		*word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
		if (*word == 0 || source_is(*word, hash))
			return entry;
	}
	for (;; at = (at + 1) & (SOURCE_INDEX - 1)) {
		*word = __atomic_load_n(&state.index[at], __ATOMIC_ACQUIRE);
		if (*word == 0 || source_is(*word, hash))
			return &state.index[at];
	}
}

static __attribute__((noinline)) uint32_t
insert(const struct stack *stack, const char *hook_name, uint64_t *entry)
{
	uint32_t number = take_number();
	if (number != SOURCE_OTHER && !describe(number, stack, hook_name)) {
		give_back(number);
		number = SOURCE_OTHER;
	}
	if (number == SOURCE_OTHER) {
		loss_count(LOSS_TABLE_FULL);
		return SOURCE_OTHER;
	}

	uint64_t word = (stack->hash & ~(uint64_t)SOURCE_NUMBER_MASK) | number;
	uint64_t found = 0;
	while (!__atomic_compare_exchange_n(
		entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
		entry = source_probe(stack->hash, &found);
		if (found == 0)
			continue;
		// Another thread was first with the same stack. Its frames stay lost.
		give_back(number);
		return (uint32_t)(found & SOURCE_NUMBER_MASK);
	}
	if (stack->cut)
		loss_count(LOSS_STACKS_CUT);
	return number;
}

uint32_t
source_find(const struct stack *stack, const char *hook_name)
{
	uint64_t word;
	uint64_t *entry = source_probe(stack->hash, &word);
	return word ? (uint32_t)(word & SOURCE_NUMBER_MASK) : insert(stack, hook_name, entry);
}
