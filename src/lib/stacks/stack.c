// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/guard.h"
#include "heap/real.h"
#include "base/loss.h"
#include "base/hash.h"
#include "elf/module.h"
#include "stacks/script_line.h"
#include "threads/thread.h"
#include "threads/label.h"
#include "base/thread_state.h"
#include "stacks/stack.h"

// True once backtrace() may be called. backtrace() is for machines without our unwinder, and for
// tests of our unwinder. backtrace() takes no lock of ours, but perhaps the C++ runtime's and the
// loader's. The first call of backtrace() may load a library, which is not safe in the middle of
// the loader's work. So the constructor makes the first call, and then sets backtrace_ready with
// release.
static bool backtrace_ready;

enum {
	BACKTRACE_FRAMES = PMEM_FRAMES - 1, // upper bound of a stack's frames, without the hook's
	// Upper bound of our own frames between backtrace() and the hook's caller.
	OWN_FRAMES = 10,
};

// Makes the first call of backtrace(), inside the guard, since that call may load a library. Makes
// no call if another library's malloc() comes before ours. The loader would then allocate from that
// malloc(), and another free() might free the memory. In that case backtrace() is never called, and
// each stack is short.
static void
start_backtrace(void)
{
	void *frames[2];
	if (real.before)
		return;
	libc.backtrace(frames, 2);
	__atomic_store_n(&backtrace_ready, true, __ATOMIC_RELEASE);
}

// Takes the frames from the return address `pc` outwards, by backtrace(). Returns their number, or
// 0 if no frame has this pc. Sets `cut` if there are more frames than fit.
static __attribute__((noinline)) SYS_ALIGNS_STACK uint32_t
take_backtrace(uintptr_t frames[BACKTRACE_FRAMES], uintptr_t pc, bool *cut)
{
	void *taken[BACKTRACE_FRAMES + 1 + OWN_FRAMES];
	int kept = errno;
	// Asks for one frame more than wanted, to see whether the stack has more frames.
	uint32_t depth = (uint32_t)libc.backtrace(taken, BACKTRACE_FRAMES + 1 + OWN_FRAMES);
	errno = kept;

	uint32_t first = 0;
	while (first < OWN_FRAMES && first < depth && (uintptr_t)taken[first] != pc)
		first++;
	if (first == OWN_FRAMES || first == depth)
		return 0;
	depth -= first;
	*cut = depth > BACKTRACE_FRAMES;
	if (depth > BACKTRACE_FRAMES)
		depth = BACKTRACE_FRAMES;
	memcpy(frames, taken + first, depth * sizeof(*frames));
	return depth;
}

void
stack_start(void)
{
	if (!WALK_IS_BUILT || PMEM_ORACLE)
		start_backtrace();
	walk_start();
	if (WALK_IS_BUILT)
		__atomic_store_n(&guard_search, walk_search, __ATOMIC_RELEASE);
}

void
stack_before_fork(void)
{
	walk_before_fork();
}

void
stack_fork(void)
{
	walk_fork();
}

uint64_t
stack_hash_of(const struct stack *stack, uint32_t depth)
{
	uint64_t hash = 0;
	for (uint32_t i = depth; i-- > 1;) {
		uintptr_t pc = stack->frames[i];
		hash = hash_append(hash, script_line_is(pc) ? pc : pc ^ module_salt(pc));
	}
	return hash_step(hash, stack->frames[0]);
}

static uint64_t
hash_frames(const struct stack *stack)
{
	return label_mix(thread_state.label, stack_hash_of(stack, stack->depth));
}

static bool
may_backtrace(const struct stack_call *call)
{
	return __atomic_load_n(&backtrace_ready, __ATOMIC_ACQUIRE) && !walk_is_runtime(call->frame.pc);
}

// Takes the same stack with backtrace(), and counts whether frames and hash are equal.
static void
ask_oracle(const struct stack *stack, const struct stack_call *call, const struct unwind_way *way)
{
	struct stack oracle = {.frames = {call->hook}};
	const uintptr_t *a = stack->frames + 1;
	const uintptr_t *b = oracle.frames + 1;

	if (!may_backtrace(call))
		return;
	oracle.depth = 1 + take_backtrace(oracle.frames + 1, call->frame.pc, &oracle.cut);
	// backtrace() has the interrupted instruction's own address (rule_return_address()).
	for (uint32_t i = 2; i < oracle.depth; i++)
		oracle.frames[i] += walk_is_signal_return(oracle.frames[i - 1]);
	uint32_t both = oracle.depth < stack->depth ? oracle.depth : stack->depth;
	bool same = memcmp(a, b, (both - 1) * sizeof(*a)) == 0;
	if (same && way->in_loop && both == stack->depth)
		loss_count(LOSS_ORACLE_EQUAL);
	else if (same && oracle.depth == stack->depth && oracle.cut == stack->cut
		&& stack->hash == hash_frames(&oracle))
		loss_count(LOSS_ORACLE_EQUAL);
	else if (same && oracle.depth <= stack->depth && !oracle.cut && way->guessed
		&& stack->hash == hash_frames(stack))
		loss_count(LOSS_ORACLE_FURTHER);
	else
		loss_count(LOSS_ORACLE_DIFFERS);
}

void
stack_capture(
	struct stack *stack, struct slot *slot, const struct stack_call *call, uint64_t hash)
{
	struct unwind_way way;

	stack->frames[0] = call->hook;
	uint32_t depth = walk_frames(slot, &call->frame, hash, stack->frames + 1, &way);
	stack->cut = way.cut;
	stack->unknown = way.unknown;
	stack->in_loop = way.in_loop && !way.interrupted;
	stack->in_import = false;
	stack->depth = depth + 1;
	stack->hash = hash ? hash : hash_frames(stack);
	if (PMEM_ORACLE && depth > 0 && !way.lost)
		ask_oracle(stack, call, &way);
	// backtrace() checks nothing: it aborts at damaged call frame information. A wrong return
	// address, or a stack that does not end, makes it fault. So only machines without our unwinder
	// use it, and it never continues where our unwinder was lost.
	if (!WALK_IS_BUILT && may_backtrace(call))
		depth = take_backtrace(stack->frames + 1, call->frame.pc, &stack->cut);
	if (depth == 0) {
		stack->frames[1] = call->frame.pc;
		depth = 1;
		way.lost = true;
	}
	if (way.lost)
		loss_count(LOSS_STACKS_SHORT);
	stack->depth = depth + 1;
	if (!hash)
		stack->hash = hash_frames(stack);
}

void
stack_capture_inside(struct stack *stack, const struct stack_call *call)
{
	struct walk_state outer = walk_state();

	stack_capture(stack, &thread_shared, call, 0);
	walk_go_on(outer);
}

// Returns the number of frames before the script lines.
static uint32_t
frames_before_lines(const struct stack *stack)
{
	uint32_t frames = stack->depth;
	while (frames > 0 && script_line_is(stack->frames[frames - 1]))
		frames--;
	return frames;
}

static uint32_t
at_most(uint32_t count, uint32_t most)
{
	return count < most ? count : most;
}

// Sets the stack's depth and hash after frames were dropped. `cut` is true if callers were dropped.
// Returns true, so that callers can return the result.
static bool
became(struct stack *stack, uint32_t depth, bool cut)
{
	stack->depth = depth;
	stack->hash = stack_hash_of(stack, depth);
	stack->cut = stack->cut || cut;
	return true;
}

bool
stack_shorten(struct stack *stack, uint32_t depth, uint32_t lines)
{
	uint32_t frames = frames_before_lines(stack);
	uint32_t all_lines = stack->depth - frames;
	uint32_t kept = at_most(frames, all_lines > 0 ? 1 : depth);
	uint32_t kept_lines = at_most(all_lines, lines);

	if (frames == kept && all_lines == kept_lines)
		return false;
	uint32_t from = stack->in_import ? stack->depth - kept_lines : frames;
	memmove(stack->frames + kept, stack->frames + from, kept_lines * sizeof(*stack->frames));
	bool cut = all_lines == 0 || (kept_lines < all_lines && !stack->in_import);
	return became(stack, kept + kept_lines, cut);
}

uint32_t
stack_innermost(const struct stack *stack, uintptr_t *frames, uint32_t most)
{
	uint32_t count = at_most(frames_before_lines(stack), most);
	memcpy(frames, stack->frames, count * sizeof(*frames));
	return count;
}

bool
stack_become(struct stack *stack, const uintptr_t *frames, uint32_t count)
{
	size_t bytes = count * sizeof(*frames);

	if (stack->depth == count && memcmp(stack->frames, frames, bytes) == 0)
		return false;
	memcpy(stack->frames, frames, bytes);
	return became(stack, count, true);
}
