// SPDX-License-Identifier: BSD-2-Clause
// source: the fixed table of distinct stacks, by dense numbers.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its tables as
// they are used, never blocks: they are insert-only and lock-free. A source is written whole
// before its one-word entry in the index is published, so an insertion that never ends (a
// killed thread, a fork) costs a number and nothing else. A full table gives SOURCE_OTHER, and
// so does one that finds no memory to grow. Before that new stacks are told apart by ever fewer
// frames, so that what comes late has a source that names its function.

#ifndef PMEM_SOURCE_H
#define PMEM_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/counter.h"
#include "base/tag.h"
#include "sources/index.h"
#include "sources/stack_store.h"
#include "stacks/stack.h"
#include "base/table.h"

enum {
	SOURCE_OTHER = 0, // {other}: what has no source of its own
};

struct source {
	uint64_t id; // the same in each run and on each machine; see source_find()
	uint64_t hash; // of the stack, as it is looked for
	const struct frame *frames; // innermost first, in stack_store
	uint16_t depth;
	// The rest belongs to the one thread that writes a snapshot. What emitted.h notes of it:
	uint16_t emitted_in;                     // the number of the file in which its stack stands
	uint32_t next_told : TAG_SOURCE_BITS; // in its chain; SOURCE_OTHER: none
	uint32_t was_told : 1;                // in some file: it is in a chain
	uint32_t has_twin : 1;                // another source has its id
	// A fork's child has it from before the fork, and has not allocated from it since.
	uint32_t is_inherited : 1;
};

// The most that all tables of sources take beside the index, which is static.
#define SOURCE_BYTES_MAX \
	((uint64_t)STACK_STORE_CHUNKS * TABLE_CHUNK_BYTES \
		+ (uint64_t)PMEM_SOURCES * (sizeof(struct source) + 2 * sizeof(struct counter)) \
		+ 3 * TABLE_CHUNK_BYTES)

// The entry of the hash, also where that is not at its first place or another's is meant
// (stack_alias.h). 0: it has none.
uint64_t source_probe(uint64_t hash);

// The number of the source whose stack has this hash; SOURCE_OTHER: there is none yet.
static inline uint32_t
source_look_up(uint64_t hash)
{
	// Mostly the first place is it. An empty one has the number SOURCE_OTHER.
	uint64_t reach = __atomic_load_n(&index_reach, __ATOMIC_RELAXED);
	uint64_t word = __atomic_load_n(&index_words[hash & reach], __ATOMIC_ACQUIRE);
	if (__builtin_expect(!index_is(word, hash), 0))
		word = source_probe(hash);
	return index_number(word);
}

// The number of the stack's source, a new one at need. Its id is a hash over the frames of
// (name of the module's file, ELF address in it), and in frame 0 of the hook's name. Where the
// table fills, so that a new one would be told apart by fewer frames, the others are cut off.
uint32_t source_find(struct stack *stack, const char *hook_name, size_t bytes);

// By how many of their innermost frames new stacks are told apart, with the hook: all up to
// PMEM_FRAMES until half of the table is in use, half as many until half of the rest is, and so on.
// Below SOURCE_FRAMES_LEAST it is that many, and what has lines loses them.
// A large block is worth more, and there are few: its stack fares as if four times as much were
// left.
enum {
	SOURCE_LARGE = 4096,
	SOURCE_FRAMES_LEAST = PMEM_FRAMES < 4 ? PMEM_FRAMES : 4,
};
uint32_t source_frames(size_t bytes);

// One more than the highest number given out so far; at least 1, at most PMEM_SOURCES.
uint32_t source_count(void);

// Blocks of this source may be freed past us: some were, or its caller's free() is not ours.
// Never taken back. Any thread, at any moment.
void source_set_unseen(uint32_t number);
bool source_is_unseen(uint32_t number);

// Whether a frame of it lies in a module that is left (module_table.h).
bool source_names_left(const struct source *source);

// Puts all sources to sleep that name a module that is left: these must hold nothing.
// Their frames are bare addresses from then on, until the next allocation from that stack,
// which must be in objects that nothing tells from those that were there before. For the thread
// that writes a snapshot.
void source_sleep(void);

// SOURCE_OTHER and numbers whose insertion never ended have depth 0.
const struct source *source_get(uint32_t number);

// The same, for the one thread that writes a snapshot.
struct source *source_noted(uint32_t number);

// Two sums of its counters, now's and the last snapshot's in turn. They belong to the one thread
// that writes a snapshot, and are here since a source has no number without them.
struct counter *source_sums(uint32_t number);

#endif
