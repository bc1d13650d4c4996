// SPDX-License-Identifier: BSD-2-Clause
// source: the table of distinct stacks, the sources. Its size is fixed. Sources are numbered from 1
// on; 0 is SOURCE_OTHER.
//
// Who may call: any thread that holds the guard. Never allocates, except that it maps its tables
// when used. Never blocks: the tables are insert-only and lock-free. A source is written whole
// before its one-word entry in the index is published. So an insertion that never ends (a killed
// thread, a fork) costs a number and nothing else. If the table is full, or has no memory to grow,
// new stacks get SOURCE_OTHER. As the table fills, fewer and fewer frames of a new stack are kept.
// So a late stack still has a source that names its function.

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
	SOURCE_OTHER = 0, // {other}: allocations without a source of their own
};

struct source {
	// Identifies the stack, the same in each run and on each machine; see source_find().
	uint64_t id;
	uint64_t hash; // hash of the stack; the key of the index
	const struct frame *frames; // innermost first, in stack_store
	uint16_t depth;
	// The fields from here on belong to the one thread that writes a snapshot. emitted.h uses the
	// next four to know which stacks the log has. Sources with the same id are in the same chain.
	uint16_t emitted_in;                     // number of the last log file with the source's stack
	uint32_t next_told : TAG_SOURCE_BITS; // next source in the chain; SOURCE_OTHER if none
	// true if some log file has the source's stack; then the source is in a chain
	uint32_t was_told : 1;
	uint32_t has_twin : 1;                // true if another source has the same id
	// True in a fork's child that has not allocated from this source since the fork.
	uint32_t is_inherited : 1;
};

// Upper bound of the memory of all tables of sources, the index included.
#define SOURCE_BYTES_MAX \
	((uint64_t)STACK_STORE_CHUNKS * TABLE_CHUNK_BYTES \
		+ (uint64_t)PMEM_SOURCES * (sizeof(struct source) + 2 * sizeof(struct counter)) \
		+ INDEX_BYTES_MAX + 3 * TABLE_CHUNK_BYTES)

// Returns the content of the hash's entry in the index, or 0 if there is none. Unlike
// source_look_up(), searches all of the index, and the aliases (stack_alias.h).
uint64_t source_probe(uint64_t hash);

// Returns the number of the source whose stack has this hash, or SOURCE_OTHER if there is none
// yet.
static inline uint32_t
source_look_up(uint64_t hash)
{
	// Mostly the first entry that a search visits is the right one. An empty entry has the number
	// 0, which is SOURCE_OTHER.
	uint64_t word = __atomic_load_n(index_first(hash), __ATOMIC_ACQUIRE);
	if (__builtin_expect(!index_is(word, hash), 0))
		word = source_probe(hash);
	return index_number(word);
}

// Returns the number of the stack's source. Makes a new source if there is none. A source's id is a
// hash over the frames, each as (name of the module's file, ELF address in it). Frame 0 is hashed
// as the hook's name. As the table fills, a new stack is shortened, as source_step() says. `bytes`
// is the size of the block that the stack allocates.
uint32_t source_find(struct stack *stack, const char *hook_name, size_t bytes);

// Returns how much of a new stack is kept, in steps as the table fills:
// 0  everything
// 1  from three eighths of the table on: a stack with script lines keeps the hook and its lines
// 2  from half of the table on: half as many frames, or one line
// 3  from three quarters on: a quarter of the frames, or one line; then ever fewer frames
// 6  in the last 32nd: SOURCE_FRAMES_LEAST frames and no lines, since a program may have any number
//    of lines
//
// From an eighth of the table on, a stack of an import keeps only the hook and one line.
//
// `bytes` is the size of the block that the stack allocates. Blocks of SOURCE_LARGE bytes or more
// matter more and are few. Their stacks are treated as if four times as many numbers were left.
enum {
	SOURCE_LARGE = 4096,
	SOURCE_FRAMES_LEAST = PMEM_FRAMES < 4 ? PMEM_FRAMES : 4,
	SOURCE_CUTS = 2, // the first step (source_step()) at which stacks lose callers
	SOURCE_LAST_STEP = 6,
};
uint32_t source_step(size_t bytes);

// source_frames() returns how many innermost frames, the hook included, a stack without script
// lines keeps at a step. source_lines() returns how many innermost lines a stack with script lines
// keeps.
uint32_t source_frames(uint32_t step);
uint32_t source_lines(uint32_t step);

// Returns one more than the highest number given out so far: from 1 to PMEM_SOURCES.
uint32_t source_count(void);

// source_set_unseen() marks a source if blocks of it were freed, or may be freed, without our
// seeing that. This happens if the program calls a free() that is not our hook. The mark is never
// cleared. May be called by any thread, at any moment.
void source_set_unseen(uint32_t number);
bool source_is_unseen(uint32_t number);

// Returns true if one of the source's frames lies in a module that is unloaded and marked as left
// (module_table.h).
bool source_names_left(const struct source *source);

// Puts to sleep all sources that have frames in a module marked as left. These sources must have no
// live blocks. The module's frames become bare addresses. The next allocation from the same stack
// wakes the source, if the objects then loaded look the same as before. For the thread that writes
// a snapshot.
void source_sleep(void);

// Returns a source. SOURCE_OTHER, and numbers whose insertion never ended, have depth 0.
const struct source *source_get(uint32_t number);

// Returns the same as source_get(), for the one thread that writes a snapshot: that thread may
// write the source's fields.
struct source *source_noted(uint32_t number);

// Returns an array of two sums of the source's counters, one for this snapshot and one for the
// last. The two elements take turns: each snapshot overwrites the older sum. The array belongs to
// the one thread that writes a snapshot. The array is kept here, so that a source gets a number
// only if there is memory for its sums.
struct counter *source_sums(uint32_t number);

#endif
