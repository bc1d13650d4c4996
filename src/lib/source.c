#include <stddef.h>
#include <string.h>

#include "loss.h"
#include "hash.h"
#include "module.h"
#include "label.h"
#include "said.h"
#include "spot.h"
#include "alias.h"
#include "variant.h"
#include "source.h"

TABLE_STATIC uint64_t source_index[SOURCE_INDEX];
uint64_t source_reach = SOURCE_NEAR - 1;

enum {
	SOURCE_SHIFT = 11,
	SUMS_SHIFT = TABLE_CHUNK_BITS - 6,
	LEAST = SOURCE_FRAMES_LEAST / 2,
};

// What each program uses is there from the start.
static TABLE_STATIC struct source first_sources[1 << SOURCE_SHIFT];
static TABLE_STATIC struct counter first_sums[1 << SUMS_SHIFT][2];

static void *source_chunks[TABLE_CHUNKS(PMEM_SOURCES, SOURCE_SHIFT)] = {first_sources};
static void *sums_chunks[TABLE_CHUNKS(PMEM_SOURCES, SUMS_SHIFT)] = {first_sums};

static const struct table sources = {source_chunks, SOURCE_SHIFT, sizeof(struct source), NULL};
static const struct table sums = {sums_chunks, SUMS_SHIFT, sizeof(first_sums[0]), NULL};

static struct {
	uint32_t numbers; // given out beside 0; atomic, at most PMEM_SOURCES - 1
	uint32_t spare;   // a number whose insertion came second, or 0; atomic
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

// Fills in the source of a number that nobody else has. False when its frames find no room.
static bool
describe(uint32_t number, const struct stack *stack, const char *hook_name)
{
	struct source *source = table_get(&sources, number);
	uint64_t id = hash_string(hook_name);
	const struct frame *first = depot_keep(stack, &id);

	if (!first)
		return false;
	source->id = id;
	source->hash = stack->hash;
	source->frames = first;
	__atomic_store_n(&source->depth, (uint16_t)stack->depth, __ATOMIC_RELEASE);
	return true;
}

static uint64_t *
line_of(uint64_t hash, uint64_t reach)
{
	return &source_index[hash & reach & -SOURCE_LINE];
}

// Where an entry that bears `mark` in its place is on a line, or an empty one; and what is in it.
// NULL: the line is full of others.
static inline __attribute__((always_inline)) uint64_t *
probe_line(uint64_t hash, uint64_t *line, uint64_t mark, uint64_t *word)
{
	for (uint64_t i = 0; i < SOURCE_LINE; i++) {
		uint64_t *entry = &line[(hash + i) & (SOURCE_LINE - 1)];
		*word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
		if (*word == 0 || source_is(*word, mark))
			return entry;
	}
	return NULL;
}

enum { PARTS = 3 };
static const uint64_t reaches[PARTS] = {SOURCE_NEAR - 1, SOURCE_MIDDLE - 1, SOURCE_INDEX - 1};

// The same on all lines of a hash: of each part of the index, and then, where also the last is
// full, all others in an order that few hashes share: the smaller parts, where all lines are full
// by then, lie beside each other.
static uint64_t *
probe(uint64_t hash, uint64_t mark, uint64_t *word)
{
	for (size_t i = 0; i < PARTS; i++) {
		uint64_t *entry = probe_line(hash, line_of(hash, reaches[i]), mark, word);
		if (entry)
			return entry;
	}
	uint64_t step = (hash >> TAG_SOURCE_BITS | 1) * SOURCE_LINE;
	for (uint64_t at = hash + step;; at += step) {
		uint64_t *entry = probe_line(hash, line_of(at, SOURCE_INDEX - 1), mark, word);
		if (entry)
			return entry;
	}
}

__attribute__((noinline)) uint64_t
source_probe(uint64_t hash)
{
	uint64_t reach = __atomic_load_n(&source_reach, __ATOMIC_RELAXED);
	uint64_t word;
	uint64_t there;

	uint64_t *entry = probe_line(hash, line_of(hash, reach), hash, &there);
	if (there != 0 && entry)
		return there;
	if (probe(hash, hash, &word), word == 0)
		return alias_get(hash);
	// It stands in a smaller part.
	if (entry)
		__atomic_compare_exchange_n(
			entry, &there, word, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return word;
}

static void
invert_entry(uint64_t *entry, uint64_t word)
{
	// Another thread may be at it, and does the same.
	__atomic_compare_exchange_n(entry, &word, word ^ ~(uint64_t)SOURCE_NUMBER_MASK, false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// Inverts a source's entries, of which each part of the index may have one: it sleeps, or wakes.
static void
invert(uint64_t hash, uint64_t mark)
{
	uint64_t *entry;
	uint64_t word;

	for (size_t i = 0; i < PARTS * SOURCE_LINE; i++) {
		entry = line_of(hash, reaches[i / SOURCE_LINE]) + i % SOURCE_LINE;
		word = __atomic_load_n(entry, __ATOMIC_RELAXED);
		if (word != 0 && source_is(word, mark))
			invert_entry(entry, word);
	}
	if (entry = probe(hash, mark, &word), word != 0)
		invert_entry(entry, word);
}

// The number of the hash's source, if that sleeps: its frames have lost the modules that were left,
// and get those that are there now. SOURCE_OTHER: there is none.
static uint32_t
wake(uint64_t hash)
{
	uint64_t word;

	probe(hash, ~hash, &word);
	uint32_t number = (uint32_t)(word & SOURCE_NUMBER_MASK);
	if (number != SOURCE_OTHER) {
		const struct source *source = source_get(number);
		depot_name(source->frames, source->depth);
		invert(hash, ~hash);
	}
	return number;
}

// Before its frames are read: one that is just described has them before it has its depth.
static uint32_t
depth_of(const struct source *source)
{
	// Whose number was given out has a chunk; the compiler cannot know.
	return source ? __atomic_load_n(&source->depth, __ATOMIC_ACQUIRE) : 0;
}

bool
source_names_left(const struct source *source)
{
	uint32_t depth = depth_of(source);
	return depth > 0 && depot_names_left(source->frames, depth);
}

void
source_sleep(void)
{
	// First all that share a frame: without its module they would not be known by it.
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		if (source_names_left(source))
			invert(source->hash, source->hash);
	}
	for (uint32_t i = 1; i < source_count(); i++) {
		const struct source *source = source_get(i);
		uint32_t depth = depth_of(source);
		if (depth > 0)
			depot_unname(source->frames, depth);
	}
	alias_forget();
}

// The part in which it stands is in use from then on, if it was not.
static void
reach_for(const uint64_t *entry)
{
	uint64_t size = entry < source_index + SOURCE_NEAR ? SOURCE_NEAR
		: entry < source_index + SOURCE_MIDDLE ? SOURCE_MIDDLE : SOURCE_INDEX;

	// Of two threads the other's may remain for a while: then first places are less often right.
	if (size - 1 > __atomic_load_n(&source_reach, __ATOMIC_RELAXED))
		__atomic_store_n(&source_reach, size - 1, __ATOMIC_RELAXED);
}

// Enters a number where its hash would be; that of another thread's which was first, if one was.
static uint32_t
publish(uint64_t hash, uint32_t number, uint64_t *entry)
{
	uint64_t word = (hash & ~(uint64_t)SOURCE_NUMBER_MASK) | number;
	uint64_t found = 0;

	reach_for(entry);
	while (!__atomic_compare_exchange_n(
		entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
		entry = probe(hash, hash, &found);
		if (found != 0)
			return (uint32_t)(found & SOURCE_NUMBER_MASK);
	}
	return number;
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

	uint32_t first = publish(stack->hash, number, entry);
	if (first != number) {
		// Its frames stay lost.
		give_back(number);
		return first;
	}
	depot_share(source_get(number)->frames, stack->depth);
	if (stack->cut)
		loss_count(LOSS_STACKS_CUT);
	else if (stack->unknown)
		loss_count(LOSS_STACKS_ENDED);
	return number;
}

void
source_mark(uint64_t hash)
{
	static uint32_t marks; // atomic
	uint64_t word;
	uint64_t *entry = probe(hash, hash, &word);

	// The index is to stay half empty.
	if (word != 0 || __atomic_load_n(&marks, __ATOMIC_RELAXED) >= PMEM_SOURCES / 8)
		return;
	__atomic_add_fetch(&marks, 1, __ATOMIC_RELAXED);
	reach_for(entry);
	__atomic_compare_exchange_n(entry, &word, hash & ~(uint64_t)SOURCE_NUMBER_MASK, false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static uint32_t
frames_while(uint32_t left)
{
	uint32_t depth = PMEM_FRAMES;

	for (uint32_t part = PMEM_SOURCES / 2; left < part && depth > LEAST; part /= 2)
		depth /= 2;
	return depth;
}

uint32_t
source_frames(size_t bytes)
{
	uint32_t left = PMEM_SOURCES - source_count();
	return frames_while(bytes < SOURCE_LARGE ? left : 4 * left);
}

// The number of the source with this hash, which may have to wake; else where it would be.
static uint32_t
find_hash(uint64_t hash, uint64_t **entry)
{
	uint64_t word;

	*entry = probe(hash, hash, &word);
	return word != 0 ? (uint32_t)(word & SOURCE_NUMBER_MASK) : wake(hash);
}

// By its innermost frames: as many as another was told apart by earlier, or as new ones are now.
static uint32_t
find_shorter(struct stack *stack, const char *hook_name, uint32_t least, uint64_t *entry)
{
	uintptr_t innermost[SOURCE_FRAMES_LEAST];
	uint32_t count = stack_innermost(stack, innermost, SOURCE_FRAMES_LEAST);
	uint64_t hash = stack->hash;
	uint32_t number = SOURCE_OTHER;

	for (uint32_t depth = PMEM_FRAMES; depth > least && number == SOURCE_OTHER;) {
		depth = depth / 2 > least ? depth / 2 : least;
		bool is_another = depth < SOURCE_FRAMES_LEAST ? stack_become(stack, innermost, count)
			: stack_shorten(stack, depth);
		if (is_another)
			number = find_hash(stack->hash, &entry);
	}
	if (number == SOURCE_OTHER)
		number = insert(stack, hook_name, entry);
	if (stack->hash == hash)
		return number;
	if (number != SOURCE_OTHER)
		alias_keep((hash & ~(uint64_t)SOURCE_NUMBER_MASK) | number);
	return number;
}

static uint32_t
find_plain(struct stack *stack, const char *hook_name, size_t bytes)
{
	uint64_t *entry;
	uint32_t least = source_frames(bytes);
	uint32_t number = find_hash(stack->hash, &entry);

	if (number != SOURCE_OTHER)
		return number;
	return least == PMEM_FRAMES ? insert(stack, hook_name, entry)
		: find_shorter(stack, hook_name, least, entry);
}

// A head's stack under the thread's label. From half full on there is none: it is the head.
static uint32_t
insert_variant(uint64_t hash, uint64_t *entry, uint32_t head)
{
	uint32_t number = source_count() < PMEM_SOURCES / 2 ? take_number() : SOURCE_OTHER;

	if (number == SOURCE_OTHER || !variant_chain(number, head, said.label)) {
		loss_count(LOSS_LABELS_FULL);
		alias_keep((hash & ~(uint64_t)SOURCE_NUMBER_MASK) | head);
		return head;
	}
	const struct source *of = source_get(head);
	struct source *source = table_get(&sources, number);
	*source = (struct source){.id = of->id, .hash = hash, .frames = of->frames};
	__atomic_store_n(&source->depth, of->depth, __ATOMIC_RELEASE);
	// Where another thread was first its number stays lost: it is chained.
	return publish(hash, number, entry);
}

uint32_t
source_find(struct stack *stack, const char *hook_name, size_t bytes)
{
	uint64_t hash = stack->hash;
	uint64_t *entry;

	if (said.label == 0)
		return find_plain(stack, hook_name, bytes);
	uint32_t number = find_hash(hash, &entry);
	if (number != SOURCE_OTHER)
		return number;
	stack->hash = label_mix(said.label, hash);
	uint32_t head = find_plain(stack, hook_name, bytes);
	return head == SOURCE_OTHER ? SOURCE_OTHER : insert_variant(hash, entry, head);
}
