// SPDX-License-Identifier: BSD-2-Clause
// nowalk: replaces walk.h in a library built without src/unwind. It finds no stack, so stack.c
// takes each stack by backtrace().

#ifndef PMEM_NOWALK_H
#define PMEM_NOWALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/guard.h"
#include "elf/module.h"
#include "elf/object.h"
#include "threads/thread.h"

enum {
	WALK_IS_BUILT = 0,
	WALK_BYTES = 0,
};

struct unwind {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t fp;
};

// What a walk returns about a stack. Here the hash is always 0, since there is no unwinder.
struct unwind_sum {
	uint64_t hash;
	uintptr_t loop;
	uint64_t hook; // 0, since nothing is kept
	uint64_t lines;
	struct counter *counter;
	uint32_t source;
};

// What a walk found out about a stack (unwind.h). Here all fields are false.
struct unwind_way {
	bool cut;     // the stack has more frames than were taken
	bool guessed; // some frame was found by a guess
	bool lost;    // the frames outwards of the last frame are not known
	bool unknown; // the stack ends at code without unwind information; then `lost` is false
	bool in_loop;
	bool interrupted;
};

static inline void
walk_start(void)
{
}

struct walk_state {
	bool none;
};

static inline struct walk_state
walk_state(void)
{
	return (struct walk_state){true};
}

static inline void
walk_go_on(struct walk_state state)
{
	(void)state;
}

static inline enum guard_sight
walk_search(uintptr_t cfa)
{
	(void)cfa;
	return GUARD_UNSEEN;
}

static inline void
walk_before_fork(void)
{
}

static inline void
walk_fork(void)
{
}

static inline bool
walk_is_ready(const struct slot *slot)
{
	(void)slot;
	return false;
}

static inline struct unwind_sum *
walk_ready_sum(struct slot *slot, const struct unwind *from)
{
	(void)slot, (void)from;
	return NULL;
}

static inline struct unwind_sum *
walk_sum(struct slot *slot, const struct unwind *from)
{
	static struct unwind_sum none;

	(void)slot, (void)from;
	module_check_if_due();
	return &none;
}

static inline uint32_t
walk_frames(struct slot *slot, const struct unwind *from, uint64_t hash, uintptr_t *frames,
	struct unwind_way *way)
{
	(void)slot, (void)from, (void)hash, (void)frames;
	*way = (struct unwind_way){0};
	return 0;
}

static inline bool
walk_is_runtime(uintptr_t pc)
{
	(void)pc;
	return false;
}

static inline bool
walk_is_signal_return(uintptr_t pc)
{
	(void)pc;
	return false;
}

static inline uintptr_t
walk_began(void)
{
	return 0;
}

static inline void
walk_ask_for_loops(bool (*asks)(const struct object *object, uintptr_t address, bool interrupted))
{
	(void)asks;
}

static inline bool
walk_to_loop(const struct unwind *caller, struct unwind *loop)
{
	*loop = *caller;
	return false;
}

static inline uintptr_t
walk_frame_end(const struct unwind *frame)
{
	(void)frame;
	return 0;
}

static inline bool
walk_is_part(uintptr_t address, uintptr_t inside)
{
	(void)address, (void)inside;
	return false;
}

static inline bool
walk_word(uintptr_t at, uintptr_t *word)
{
	(void)at;
	*word = 0;
	return false;
}

struct walk_function {
	uintptr_t start;
	uintptr_t bytes;
};

static inline bool
walk_function_at(const struct object *object, uintptr_t address, struct walk_function *function)
{
	(void)object, (void)address;
	*function = (struct walk_function){0};
	return false;
}

#endif
