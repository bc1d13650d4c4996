// hook: what a hook is made of, for hooks.c and hooks_aligned.c.
//
// A hook is valid at any moment: before our constructor, after our destructor, in a handler
// that interrupted another hook. It returns what the real function returned, with the errno
// that one left; what we do after it leaves errno alone.

#ifndef PMEM_HOOK_H
#define PMEM_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "real.h"
#include "tag.h"
#include "record.h"

// The functions are hidden under names of their own, so that &hook_malloc is our address
// whatever the program calls malloc.
#define EXPORT(function, hook) \
	extern __typeof__(hook) function \
		__attribute__((alias(#hook), visibility("default"), used))

// In the hook itself.
#define CALL(function, hook_name) \
	((struct call){ \
		{(uintptr_t)(function), \
			{(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa(), \
				*(const uintptr_t *)__builtin_frame_address(0)}}, \
		hook_name})

enum {
	// Sizes beyond are the real allocator's to refuse, as they are.
	BLOCK_BYTES_MAX = PTRDIFF_MAX - 2 * TAG_BYTES - 65536,
};

static inline bool
is_on(void)
{
	enum real_state now = real_state();
	if (__builtin_expect(now == REAL_ON, 1))
		return true;
	if (now == REAL_NEW)
		real_start();
	return real_state() == REAL_ON;
}

// While the real functions are being looked up there is only the arena.
static inline bool
is_booting(void)
{
	return real_state() <= REAL_RESOLVING;
}

#endif
