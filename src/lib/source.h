// source: the fixed table of distinct stacks, by dense numbers.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks: the table
// is static, insert-only and lock-free. A source is written whole before its one-word entry
// in the index is published, so an insertion that never ends (a killed thread, a fork)
// costs a number and nothing else. A full table gives SOURCE_OTHER.

#ifndef PMEM_SOURCE_H
#define PMEM_SOURCE_H

#include <stdint.h>

#include "config.h"
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

// The number of the stack's source, a new one at need. Its id is a hash over the frames of
// (name of the module's file, ELF address in it), and in frame 0 of the hook's name.
uint32_t source_find(const struct stack *stack, const char *hook_name);

// One more than the highest number given out so far; at least 1, at most PMEM_SOURCES.
uint32_t source_count(void);

// SOURCE_OTHER and numbers whose insertion never ended have depth 0.
const struct source *source_get(uint32_t number);

#endif
