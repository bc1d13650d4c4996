// stack: the calling stack of a hook.
//
// Who may call: a thread that holds the guard. Takes no lock of ours. Before stack_start()
// has run, a stack is the calling frame alone: finding more may load libraries, which is
// not safe in the middle of the loader's work.

#ifndef PMEM_STACK_H
#define PMEM_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

_Static_assert(PMEM_FRAMES >= 2 && PMEM_FRAMES <= 256,
	"PMEM_FRAMES must be from 2 to 256: a stack of that many frames is on the thread's stack");

struct stack {
	uint64_t hash; // of all frames in order, and of what objects they lie in
	uint32_t depth;
	bool cut; // deeper than PMEM_FRAMES: the outer end is missing
	// frames[0] is the entry of the hook, the others return addresses, innermost first.
	uintptr_t frames[PMEM_FRAMES];
};

// Makes ready what captures need. Called once by the constructor, inside the guard: it may
// load a library.
void stack_start(void);

// `hook` is the entry of the hook, `caller` the address it returns to. Always gives at
// least these two.
void stack_capture(struct stack *stack, uintptr_t hook, uintptr_t caller);

#endif
