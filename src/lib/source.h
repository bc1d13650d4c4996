// source: the fixed table of distinct stacks, by dense numbers.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks: the table
// is static, insert-only and lock-free. A source is written whole before its one-word entry
// in the index is published, so an insertion that never ends (a killed thread, a fork)
// costs a number and nothing else. A full table gives SOURCE_OTHER.

#ifndef PMEM_SOURCE_H
#define PMEM_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "tag.h"
#include "stack.h"

enum {
	SOURCE_OTHER = 0, // {other}: what has no source of its own
};

// A program counter and the number of the module it lies in.
struct frame {
	uint64_t pc : 48;
	uint64_t module : 16;
};

struct source {
	uint64_t id; // the same in each run and on each machine; see source_find()
	const struct frame *frames;
	uint32_t depth;
};

enum {
	SOURCE_NUMBER_MASK = (1 << TAG_SOURCE_BITS) - 1,
	// The first sources go into a small index, so that few of them touch few pages: into the
	// cache line of their hash, until it is full.
	SOURCE_LINE = 8,
	SOURCE_FIRST
	= PMEM_SOURCES > 8192 ? 8192 : PMEM_SOURCES > SOURCE_LINE ? PMEM_SOURCES : SOURCE_LINE,
	SOURCE_INDEX = PMEM_SOURCES * 2, // at most half full
};

// Entries are 0: empty, for good or until one compare-and-swap. Else the upper 44 bits of the
// stack's hash, and the source's number in the lower 20. They never change again.
extern uint64_t source_first[SOURCE_FIRST];

static inline bool
source_is(uint64_t word, uint64_t hash)
{
	return ((word ^ hash) & ~(uint64_t)SOURCE_NUMBER_MASK) == 0;
}

// The entry of the hash, or the empty one where it would be, and what is in it.
uint64_t *source_probe(uint64_t hash, uint64_t *word);

// The number of the source whose stack has this hash; SOURCE_OTHER: there is none yet.
static inline uint32_t
source_look_up(uint64_t hash)
{
	// Mostly the first place is it. An empty one has the number SOURCE_OTHER.
	uint64_t word = __atomic_load_n(&source_first[hash & (SOURCE_FIRST - 1)], __ATOMIC_ACQUIRE);
	if (__builtin_expect(!source_is(word, hash), 0))
		source_probe(hash, &word);
	return (uint32_t)(word & SOURCE_NUMBER_MASK);
}

// The number of the stack's source, a new one at need. Its id is a hash over the frames of
// (name of the module's file, ELF address in it), and in frame 0 of the hook's name.
uint32_t source_find(const struct stack *stack, const char *hook_name);

// One more than the highest number given out so far; at least 1, at most PMEM_SOURCES.
uint32_t source_count(void);

// SOURCE_OTHER and numbers whose insertion never ended have depth 0.
const struct source *source_get(uint32_t number);

#endif
