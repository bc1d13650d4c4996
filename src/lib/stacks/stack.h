// SPDX-License-Identifier: BSD-2-Clause
// stack: the calling stack of a hook.
//
// Who may call: a thread that holds the guard. Takes no lock of ours.
//
// Our own unwinder takes the stack, up to the last frame that it finds. On machines without our
// unwinder, backtrace() takes the stack. On those machines, before stack_start(), a stack has only
// the calling frame. backtrace() may load libraries at its first call, which is not safe in the
// middle of the loader's work. Stacks that end too early are counted.

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
	uintptr_t hook;      // the hook's entry
	// The frame of the hook's caller: the hook's return address, and sp and fp at that address.
	struct unwind frame;
};

struct stack {
	// Hash of all frames in order, with the objects that they lie in and the thread's label.
	uint64_t hash;
	uint32_t depth;
	// True if outer frames are missing: there were more than PMEM_FRAMES, or the stack was
	// shortened.
	bool cut;
	// True if the stack's outer end is missing, since the outermost frame found is in code without
	// unwind information.
	bool unknown;
	// True if the stack ends in an interpreter's loop: language.h then adds the interpreter's
	// lines.
	bool in_loop;
	// True if the lines belong to a module that is being imported (interpreter.h).
	bool in_import;
	// frames[0] is the entry of the hook. The others are return addresses, innermost first. Script
	// lines may follow them (script_line.h).
	uintptr_t frames[PMEM_FRAMES];
};

// Prepares captures. Called once by the constructor, inside the guard: it may load a library.
void stack_start(void);

// Called before a fork, and in its child. Another thread may hold the C++ runtime's lock during the
// fork. In the child that lock is then held for ever. So if the parent may have had other threads,
// walks in the child do not ask the runtime.
void stack_before_fork(void);
void stack_fork(void);

// Returns the hash of a stack that has just the first `depth` frames of this stack, and no label.
uint64_t stack_hash_of(const struct stack *stack, uint32_t depth);

// Returns the hash that stack_capture() would find, at a fraction of the cost. Returns 0 if walk_sum() has
// not found it. `sum` is what walk_sum() has just returned for the same call.
static inline uint64_t
stack_hash(const struct unwind_sum *sum, const struct stack_call *call)
{
	return sum->hash == 0 ? 0 : hash_step(sum->hash, call->hook);
}

// Captures the stack, with at least the hook and its caller. `hash` is what stack_hash() has just
// returned for the same call, or 0.
void stack_capture(
	struct stack *stack, struct slot *slot, const struct stack_call *call, uint64_t hash);

// Does the same as stack_capture(), for a hook that is called inside another hook's call. The outer
// hook may be in the middle of its capture, which then continues undisturbed.
void stack_capture_inside(struct stack *stack, const struct stack_call *call);

// Cuts a stack to `depth` innermost frames, and updates its hash. If the stack has script lines,
// keeps the hook and `lines` innermost lines, which say more than native frames. For an import,
// keeps the outermost lines instead: the last of them is the module's own line. Returns false if
// there was nothing to cut.
bool stack_shorten(struct stack *stack, uint32_t depth, uint32_t lines);

// Copies the innermost frames that are not script lines, at most `most` of them. Returns how many
// it has copied.
uint32_t stack_innermost(const struct stack *stack, uintptr_t *frames, uint32_t most);

// Reduces a stack to these frames, which stack_innermost() copied before the stack was shortened.
// Script lines are dropped, so that few stacks differ. A program may have any number of lines, but
// an interpreter has a limited number of functions. Returns false if the stack has just these
// frames already.
bool stack_become(struct stack *stack, const uintptr_t *frames, uint32_t count);

#endif
