#include <stddef.h>

#include "loss.h"
#include "hash.h"
#include "module.h"
#include "alias.h"
#include "source.h"

TABLE_STATIC uint64_t source_first[SOURCE_FIRST];
uint64_t source_reach = SOURCE_NEAR - 1;

enum {
	INDEX_SHIFT = TABLE_CHUNK_BITS - 3,
	SOURCE_SHIFT = 11,
	SUMS_SHIFT = TABLE_CHUNK_BITS - 6,
	FEWEST_FRAMES = PMEM_FRAMES < 4 ? PMEM_FRAMES : 4,
};

// What each program uses is there from the start.
static TABLE_STATIC struct source first_sources[1 << SOURCE_SHIFT];
static TABLE_STATIC struct counter first_sums[1 << SUMS_SHIFT][2];
static TABLE_STATIC struct frame first_frames[1 << SOURCE_FRAMES_SHIFT];

static void *source_chunks[TABLE_CHUNKS(PMEM_SOURCES, SOURCE_SHIFT)] = {first_sources};
static void *sums_chunks[TABLE_CHUNKS(PMEM_SOURCES, SUMS_SHIFT)] = {first_sums};
static void *frame_chunks[SOURCE_FRAME_CHUNKS] = {first_frames};
static void *index_chunks[TABLE_CHUNKS(SOURCE_INDEX, INDEX_SHIFT)];

static const struct table sources = {source_chunks, SOURCE_SHIFT, sizeof(struct source)};
static const struct table sums = {sums_chunks, SUMS_SHIFT, sizeof(first_sums[0])};
static const struct table frames = {frame_chunks, SOURCE_FRAMES_SHIFT, sizeof(struct frame)};
// For those that found their line full.
static const struct table entries = {index_chunks, INDEX_SHIFT, sizeof(uint64_t)};

static struct {
	uint32_t numbers; // given out beside 0; atomic, at most PMEM_SOURCES - 1
	uint32_t spare;   // a number whose insertion came second, or 0; atomic
	uint64_t frames_used; // of frames, given out; atomic
} state;

uint32_t
source_count(void)
{
	return __atomic_load_n(&state.numbers, __ATOMIC_ACQUIRE) + 1;
}

const struct source *
source_get(uint32_t number)
{
	return table_get(&sources, number);
}

struct source *
source_noted(uint32_t number)
{
	return table_get(&sources, number);
}

struct counter *
source_sums(uint32_t number)
{
	return table_get(&sums, number);
}

// Whether there is memory for whatever is to be known of it.
static bool
has_room(uint32_t number)
{
	return number < PMEM_SOURCES && table_reach(&sources, number)
		&& table_reach(&sums, number) && thread_reach(number);
}

static uint32_t
take_number(void)
{
	uint32_t number = __atomic_exchange_n(&state.spare, 0, __ATOMIC_ACQ_REL);
	if (number)
		return number;
	number = __atomic_load_n(&state.numbers, __ATOMIC_RELAXED);
	do {
		if (!has_room(number + 1))
			return SOURCE_OTHER;
	} while (!__atomic_compare_exchange_n(&state.numbers, &number, number + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	return number + 1;
}

static void
give_back(uint32_t number)
{
	struct source *source = table_get(&sources, number);
	// Who has taken it has its chunk; the compiler cannot know.
	if (source)
		__atomic_store_n(&source->depth, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&state.spare, number, __ATOMIC_RELEASE);
}

// Frames beside each other that nobody else has; NULL when there is no room.
static struct frame *
take_frames(uint32_t depth)
{
	const uint64_t chunk = UINT64_C(1) << SOURCE_FRAMES_SHIFT;
	uint64_t used = __atomic_load_n(&state.frames_used, __ATOMIC_RELAXED);
	uint64_t at;

	do {
		uint64_t left = chunk - used % chunk;
		at = depth <= left ? used : used + left;
		if (at / chunk >= SOURCE_FRAME_CHUNKS || !table_reach(&frames, at))
			return NULL;
	} while (!__atomic_compare_exchange_n(&state.frames_used, &used, at + depth, false,
		__ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return table_get(&frames, at);
}

// The modules of the source's frames, by `module_of`.
static void
name_frames(const struct source *source, uint32_t (*module_of)(uintptr_t pc))
{
	struct frame *named = (struct frame *)(uintptr_t)source->frames;
	for (uint32_t i = 0; i < source->depth; i++)
		named[i].module = module_of(named[i].pc);
}

// Fills in the source of a number that nobody else has. False when its frames find no room.
static bool
describe(uint32_t number, const struct stack *stack, const char *hook_name)
{
	struct source *source = table_get(&sources, number);
	struct frame *kept = take_frames(stack->depth);
	if (!kept)
		return false;

	uint64_t id = hash_string(hook_name);
	for (uint32_t i = 0; i < stack->depth; i++) {
		uintptr_t pc = stack->frames[i];
		uint32_t number_of = module_find(pc);
		const struct module *module = module_get(number_of);
		kept[i] = (struct frame){.pc = pc, .module = number_of};
		if (i > 0)
			id = hash_step(id, module ? pc - module->base : pc);
		if (i > 0 && module)
			id = hash_step(id, module->name_hash);
	}
	source->id = id;
	source->hash = stack->hash;
	source->frames = kept;
	__atomic_store_n(&source->depth, (uint16_t)stack->depth, __ATOMIC_RELEASE);
	return true;
}

// The same on a line of the small index; NULL: that is full of others.
static inline __attribute__((always_inline)) uint64_t *
probe_line(uint64_t hash, uint64_t reach, uint64_t mark, uint64_t *word)
{
	uint64_t *line = &source_first[hash & reach & -SOURCE_LINE];

	for (uint64_t i = 0; i < SOURCE_LINE; i++) {
		uint64_t *entry = &line[(hash + i) & (SOURCE_LINE - 1)];
		*word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
		if (*word == 0 || source_is(*word, mark))
			return entry;
	}
	return NULL;
}

// Where an entry of this hash would be: the first that bears `mark` in its place, or is empty;
// and what is in it. NULL: that is in no chunk yet. `map`: it is in one, unless there is no
// memory.
static inline __attribute__((always_inline)) uint64_t *
probe(uint64_t hash, uint64_t mark, uint64_t *word, bool map)
{
	uint64_t at = hash & (SOURCE_INDEX - 1);
	uint64_t *entry = probe_line(hash, SOURCE_NEAR - 1, mark, word);

	if (!entry)
		entry = probe_line(hash, SOURCE_FIRST - 1, mark, word);
	if (entry)
		return entry;
	for (;; at = (at + 1) & (SOURCE_INDEX - 1)) {
		entry = map ? table_reach(&entries, at) : table_get(&entries, at);
		*word = entry ? __atomic_load_n(entry, __ATOMIC_ACQUIRE) : 0;
		if (*word == 0 || source_is(*word, mark))
			return entry;
	}
}

__attribute__((noinline)) uint64_t
source_probe(uint64_t hash)
{
	uint64_t word;
	uint64_t *entry = probe(hash, hash, &word, false);
	uint64_t reach = __atomic_load_n(&source_reach, __ATOMIC_RELAXED);
	uint64_t found = 0;

	// What stands on a line of the first pages is put onto the other as well, where it has room.
	if (word != 0 && reach > SOURCE_NEAR && entry < source_first + SOURCE_NEAR) {
		entry = probe_line(hash, reach, hash, &found);
		if (entry && found == 0)
			__atomic_compare_exchange_n(
				entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	return word != 0 ? word : alias_get(hash);
}

// Inverts what stands in a source's entries, of which there may be two: it sleeps, or wakes.
static void
invert(uint64_t hash, uint64_t mark)
{
	uint64_t word;
	uint64_t *entry;

	while (entry = probe(hash, mark, &word, false), word != 0)
		// Another thread may be at it, and does the same.
		__atomic_compare_exchange_n(entry, &word, word ^ ~(uint64_t)SOURCE_NUMBER_MASK, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// The number of the hash's source, if that sleeps: its frames have lost their modules, and get
// those that are there now. SOURCE_OTHER: there is none.
static uint32_t
wake(uint64_t hash)
{
	uint64_t word;

	probe(hash, ~hash, &word, false);
	uint32_t number = (uint32_t)(word & SOURCE_NUMBER_MASK);
	if (number != SOURCE_OTHER) {
		name_frames(source_get(number), module_find);
		invert(hash, ~hash);
	}
	return number;
}

bool
source_names_left(const struct source *source)
{
	for (uint32_t i = 0; i < source->depth; i++) {
		if (roster_is_left(source->frames[i].module))
			return true;
	}
	return false;
}

static uint32_t
none(uintptr_t pc)
{
	(void)pc;
	return MODULE_NONE;
}

void
source_sleep(void)
{
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		if (!source_names_left(source))
			continue;
		// First the modules: who wakes it sets them.
		name_frames(source, none);
		invert(source->hash, source->hash);
	}
	alias_forget();
}

static __attribute__((noinline)) uint32_t
insert(const struct stack *stack, const char *hook_name, uint64_t *entry)
{
	uint32_t number = entry ? take_number() : SOURCE_OTHER;
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
	// A line of the first pages is full.
	if (entry < source_first || entry >= source_first + SOURCE_NEAR)
		__atomic_store_n(&source_reach, SOURCE_FIRST - 1, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
		entry = probe(stack->hash, stack->hash, &found, true);
		if (found == 0 && entry)
			continue;
		// Another thread was first with the same stack. Its frames stay lost.
		give_back(number);
		if (!entry)
			loss_count(LOSS_TABLE_FULL);
		return (uint32_t)(found & SOURCE_NUMBER_MASK);
	}
	if (stack->cut)
		loss_count(LOSS_STACKS_CUT);
	return number;
}

uint32_t
source_frames(void)
{
	uint32_t left = PMEM_SOURCES - source_count();
	uint32_t depth = PMEM_FRAMES;

	for (uint32_t part = PMEM_SOURCES / 2; left < part && depth > FEWEST_FRAMES; part /= 2)
		depth /= 2;
	return depth > FEWEST_FRAMES ? depth : FEWEST_FRAMES;
}

// The number of the source with this hash, which may have to wake; else where it would be.
static uint32_t
find_hash(uint64_t hash, uint64_t **entry)
{
	uint64_t word;

	*entry = probe(hash, hash, &word, true);
	return word != 0 ? (uint32_t)(word & SOURCE_NUMBER_MASK) : wake(hash);
}

// By its innermost frames: as many as another was told apart by earlier, or as new ones are now.
static uint32_t
find_shorter(struct stack *stack, const char *hook_name, uint32_t least)
{
	uint64_t hash = stack->hash;
	uint32_t number = SOURCE_OTHER;
	uint64_t *entry;

	for (uint32_t depth = PMEM_FRAMES / 2; depth > least && number == SOURCE_OTHER; depth /= 2) {
		if (depth < stack->depth)
			number = find_hash(stack_hash_of(stack, depth), &entry);
	}
	if (number == SOURCE_OTHER) {
		stack->hash = stack_hash_of(stack, least);
		stack->depth = least;
		stack->cut = true;
		number = find_hash(stack->hash, &entry);
	}
	if (number == SOURCE_OTHER)
		number = insert(stack, hook_name, entry);
	if (number != SOURCE_OTHER)
		alias_keep((hash & ~(uint64_t)SOURCE_NUMBER_MASK) | number);
	return number;
}

uint32_t
source_find(struct stack *stack, const char *hook_name)
{
	uint64_t *entry;
	uint32_t least = source_frames();
	uint32_t number = find_hash(stack->hash, &entry);

	if (number != SOURCE_OTHER)
		return number;
	return stack->depth <= least ? insert(stack, hook_name, entry)
		: find_shorter(stack, hook_name, least);
}
