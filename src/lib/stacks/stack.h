// SPDX-License-Identifier: BSD-2-Clause
// stack: the calling stack of a hook.
//
// Who may call: a thread that holds the guard. Takes no lock of ours.
//
// A stack is taken by our own unwinder, as far as that knows the way; on machines for which
// there is none, by backtrace(); where that is not to be had (before stack_start() it may load
// libraries, which is not safe in the middle of the loader's work), it is the calling frame
// alone. Stacks that end too early are counted.

#ifndef PMEM_STACK_H
#define PMEM_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/hash.h"
#include "elf/module.h"
#include "threads/thread.h"
#ifdef PMEM_UNWIND
#include "unwind/walk.h"
#else
#include "stacks/nowalk.h"
#endif

_Static_assert(PMEM_FRAMES >= 2 && PMEM_FRAMES <= 256,
	"PMEM_FRAMES must be from 2 to 256: a stack of that many frames is on the thread's stack");
_Static_assert(PMEM_ORACLE == 0 || PMEM_ORACLE == 1, "PMEM_ORACLE must be 0 or 1");

// A call of a hook.
struct stack_call {
	uintptr_t hook;      // its entry
	struct unwind frame; // the caller's: where the hook returns to, and sp and fp there
};

struct stack {
	// Of all frames in order, of what objects they lie in, and of the thread's label.
	uint64_t hash;
	uint32_t depth;
	bool cut; // deeper than PMEM_FRAMES: the outer end is missing
	bool unknown; // likewise, since nothing describes the outermost frame's code
	bool in_loop; // it ends in an interpreter's loop: language.h has what is outwards of it
	// frames[0] is the entry of the hook, the others return addresses, innermost first; behind them
	// there may be lines (script_line.h).
	uintptr_t frames[PMEM_FRAMES];
};

// Makes ready what captures need. Called once by the constructor, inside the guard: it may
// load a library.
void stack_start(void);

// Before a fork, and in its child: there the C++ runtime's lock may be held for ever, and then the
// runtime is not asked.
void stack_before_fork(void);
void stack_fork(void);

// The hash of its first frames alone, as many as that: that of a stack which ends there, too,
// without a label.
uint64_t stack_hash_of(const struct stack *stack, uint32_t depth);

// With the hash that stack_capture() would find, for a fraction of its price. False: not to be had
// that way, and it is 0.
static inline bool
stack_sum(struct slot *slot, const struct stack_call *call, struct unwind_sum *sum)
{
	*sum = walk_sum(slot, &call->frame);
	if (__builtin_expect(sum->hash == 0, 0))
		return false;
	sum->hash = hash_step(sum->hash, call->hook);
	return true;
}

// Always gives at least the hook and its caller. Right after stack_sum() gave a hash, the
// stack is that one.
void stack_capture(
	struct stack *stack, struct slot *slot, const struct stack_call *call, uint64_t hash);

// The same of a call that another hook's has led to, maybe in the middle of its capture, which then goes
// on as it was.
void stack_capture_inside(struct stack *stack, const struct stack_call *call);

// Leaves so many of a stack's innermost frames, and makes its hash theirs. One that has lines keeps its
// hook and the innermost line, which tell more. False: it has no more than that.
bool stack_shorten(struct stack *stack, uint32_t depth);

// Copies its innermost frames, but no lines, at most so many. How many that is.
uint32_t stack_innermost(const struct stack *stack, uintptr_t *frames, uint32_t most);

// Leaves no more than these, which stood innermost before it was shortened: no lines, since those of a
// program have no number that is known, and an interpreter's functions have. False: it has no more.
bool stack_become(struct stack *stack, const uintptr_t *frames, uint32_t count);

#endif
