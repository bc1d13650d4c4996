// nowalk: what walk.h has, for a library built without src/unwind: no stack is found here, and
// stack.c takes each by backtrace().

#ifndef PMEM_NOWALK_H
#define PMEM_NOWALK_H

#include <stdbool.h>
#include <stdint.h>

#include "guard.h"
#include "module.h"
#include "thread.h"

enum {
	WALK_IS_BUILT = 0,
	WALK_BYTES = 0,
};

struct unwind {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t fp;
};

static inline void
walk_start(void)
{
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

static inline uint64_t
walk_hash(struct slot *slot, const struct unwind *from)
{
	(void)slot, (void)from;
	module_check_if_due();
	return 0;
}

static inline uint32_t
walk_frames(struct slot *slot, const struct unwind *from, uint64_t hash, uintptr_t *frames,
	bool *cut, bool *guessed, bool *lost)
{
	(void)slot, (void)from, (void)hash, (void)frames, (void)cut;
	*guessed = false;
	*lost = false;
	return 0;
}

static inline bool
walk_is_runtime(uintptr_t pc)
{
	(void)pc;
	return false;
}

#endif
