// SPDX-License-Identifier: BSD-2-Clause
// walk: a thread's stacks by our own unwinder, each mostly out of the thread's memo.
//
// Who may call: a thread that holds the guard. Never blocks; maps a memo of its own on a
// thread's first call. Where it loses its way the stack ends.

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
	WALK_BYTES = sizeof(struct memo), // of memory, for a thread
	WALK_FRAMES = PMEM_FRAMES - 1, // of a stack, without the hook's own
};

// Once, by the constructor.
void walk_start(void);

// Before a fork, and in its child.
void walk_before_fork(void);
void walk_fork(void);

// Makes the slot's memo that of the calling thread, as things are now. False: it has none.
bool walk_renew(struct slot *slot);

// The hash (see hash_append()) of the stack's frames from `from` outwards, which must be a
// hook's caller: the hook's own frame is below its stack pointer.
static inline struct unwind_sum
walk_sum(struct slot *slot, const struct unwind *from)
{
	if (__builtin_expect(slot->memo_news != module_news_now(), 0) && !walk_renew(slot))
		return (struct unwind_sum){0};
	return memo_take(slot->memo, from->pc, from->sp, from->fp);
}

// The frames themselves, innermost first. `hash` is what walk_sum() gave right before. Their
// number, 0: none.
uint32_t walk_frames(struct slot *slot, const struct unwind *from, uint64_t hash,
	uintptr_t frames[WALK_FRAMES], struct unwind_way *way);

// Where the calling thread's walk is, if one is under way. Another may come in between, and then it
// goes on.
struct walk_state {
	struct unwind_range known;
	uintptr_t began;
	unsigned met;
};

struct walk_state walk_state(void);
void walk_go_on(struct walk_state state);

// As guard_search: for a hook that a handler may have called in the middle of another hook, and
// of its walk.
enum guard_sight walk_search(uintptr_t cfa);

// Whether a call that returns to `pc` is the C++ runtime's: it may hold the lock that its unwinder
// waits for, and frees what that allocated on our behalf.
bool walk_is_runtime(uintptr_t pc);

// From now on stacks end where `asks` says that they are in an interpreter's loop (rule.h). Once.
void walk_ask_for_loops(
	bool (*asks)(const struct object *object, uintptr_t address, bool interrupted));

// From a hook's caller to the frame that a stack ends in, where that is in an interpreter's loop. False:
// it is not, on the thread's own stack, or not surely so.
bool walk_to_loop(const struct unwind *caller, struct unwind *loop);

// A word of the thread's own stack, on which its last walk was. False: it is none.
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

// The function that an address is in, by its object's call frame information. False: it has none.
bool walk_function_at(
	const struct object *object, uintptr_t address, struct walk_function *function);

#endif
