// SPDX-License-Identifier: BSD-2-Clause
// walk: takes a thread's stacks by our own unwinder, mostly from the thread's memo.
//
// Who may call: a thread that holds the guard. Never blocks. A thread's first call maps its memo.
// If the caller of a frame is not found, the stack ends at that frame.

#ifndef PMEM_WALK_H
#define PMEM_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/guard.h"
#include "elf/module.h"
#include "elf/object.h"
#include "unwind/unwind.h"
#include "unwind/memo.h"
#include "threads/thread.h"

enum {
	WALK_IS_BUILT = 1,
	WALK_BYTES = sizeof(struct memo), // size of one thread's memo
	WALK_FRAMES = PMEM_FRAMES - 1, // upper bound of a stack's frames, without the hook's
};

// Finds out whether the C++ runtime is loaded. Called once, by the constructor.
void walk_start(void);

// Decide whether walks in a fork's child may ask the C++ runtime. walk_before_fork() is called
// before the fork, walk_fork() in the child.
void walk_before_fork(void);
void walk_fork(void);

// Makes the slot's memo valid for the calling thread and for the objects that are loaded now.
// Returns false if the slot can have no memo.
bool walk_renew(struct slot *slot);

// Returns true if the slot's memo is valid for the calling thread and for the objects that are loaded
// now. Then walk_ready_sum() does what walk_sum() does.
static inline bool
walk_is_ready(const struct slot *slot)
{
	return __builtin_expect(slot->memo_news == module_news_now(), 1);
}

static inline struct unwind_sum *
walk_ready_sum(struct slot *slot, const struct unwind *from)
{
	return memo_take(slot->memo, from->pc, from->sp, from->fp);
}

// The result of walk_sum() for a slot without a memo: its hash is 0.
extern struct unwind_sum walk_no_sum;

// Returns the sum of the stack's frames from `from` outwards (memo_take()), with their hash (see
// hash_append()). `from` must be a hook's caller: the hook's own frame is right below from->sp.
static inline struct unwind_sum *
walk_sum(struct slot *slot, const struct unwind *from)
{
	if (!walk_is_ready(slot) && !walk_renew(slot))
		return &walk_no_sum;
	return walk_ready_sum(slot, from);
}

// Writes the stack's return addresses to `frames`, innermost first. `hash` is the hash that
// walk_sum() has just returned for the same stack. Returns the number of frames, or 0 if there are
// none.
uint32_t walk_frames(struct slot *slot, const struct unwind *from, uint64_t hash,
	uintptr_t frames[WALK_FRAMES], struct unwind_way *way);

// The state of the calling thread's walk, if one is under way. A walk that interrupts another walk
// calls walk_state() first, and walk_go_on() at its end.
struct walk_state {
	struct unwind_range known;
	uintptr_t began;
	unsigned met;
	uintptr_t step;
};

struct walk_state walk_state(void);
void walk_go_on(struct walk_state state);

// Returns what the thread's stack shows of the hook whose frame has this cfa (guard_search() in
// guard.h). Called in another hook, which finds the guard held by the hook with this cfa. A signal
// handler may have interrupted that hook, perhaps in the middle of a walk.
enum guard_sight walk_search(uintptr_t cfa);

// Returns true if a call that returns to `pc` was made by the C++ runtime. The runtime may then
// hold the lock for which its unwinder waits. The call may also free memory that the runtime
// allocated when we asked it for call frame information.
bool walk_is_runtime(uintptr_t pc);

// Returns true if a signal handler returns to `pc`. A signal interrupted the next frame outwards.
static inline bool
walk_is_signal_return(uintptr_t pc)
{
	return rule_kind(rule_for(pc)) == RULE_SIGNAL;
}

// Returns the return address at which the calling thread's walk began: that of the hook. Returns 0 in
// walk_search().
static inline uintptr_t
walk_began(void)
{
	return rule_walk_began;
}

// Makes stacks end where `asks` finds an interpreter's loop (rule.h). Called once.
void walk_ask_for_loops(
	bool (*asks)(const struct object *object, uintptr_t address, bool interrupted));

// Walks from a hook's caller to the frame where the stack ends in an interpreter's loop. Returns
// false if there is no such frame on the thread's own stack. Also returns false if some step was a
// guess or crossed a signal.
bool walk_to_loop(const struct unwind *caller, struct unwind *loop);

// Returns the end of a frame that was found by walk_to_loop(). This is the frame's cfa, by the call
// frame information of its code. Returns 0 if the cfa is not known.
uintptr_t walk_frame_end(const struct unwind *frame);

// Returns true if the code at an address may be a part of a function that has code at `inside`. A
// compiler may put such a part elsewhere in the object (.cold). The part's frame is whole at its
// first instruction, and as large as the function's. Another function's part may have an equal frame.
bool walk_is_part(uintptr_t address, uintptr_t inside);

// Reads the word at `at` on the thread's own stack. The thread's last walk must have been on that
// stack. Returns false if the word is not known to be on that stack.
static inline bool
walk_word(uintptr_t at, uintptr_t *word)
{
	if (at % sizeof(*word) != 0 || !unwind_is_known(at))
		return false;
	memcpy(word, (const void *)at, sizeof(*word));
	return true;
}

struct walk_function {
	uintptr_t start;
	uintptr_t bytes;
};

// Finds the function that contains the address, by the call frame information of the address's
// object. Returns false if that information does not cover the address, or is damaged.
bool walk_function_at(
	const struct object *object, uintptr_t address, struct walk_function *function);

#endif
