// SPDX-License-Identifier: BSD-2-Clause

#include "base/hash.h"
#include "base/sys.h"
#include "elf/module.h"
#include "unwind/ehframe.h"
#include "unwind/runtime.h"
#include "unwind/rule.h"
#include "unwind/step.h"
#include "unwind/unwind.h"
#include "unwind/memo.h"
#include "threads/thread.h"
#include "threads/label.h"
#include "base/thread_state.h"
#include "unwind/walk.h"

struct unwind_sum walk_no_sum;

void
walk_start(void)
{
	runtime_start();
}

void
walk_before_fork(void)
{
	runtime_before_fork();
}

void
walk_fork(void)
{
	runtime_fork();
	rule_word_fork();
}

bool
walk_is_runtime(uintptr_t pc)
{
	return runtime_has(pc);
}

void
walk_ask_for_loops(bool (*asks)(const struct object *object, uintptr_t address, bool interrupted))
{
	__atomic_store_n(&rule_asks_loop, asks, __ATOMIC_RELEASE);
}

bool
walk_function_at(const struct object *object, uintptr_t address, struct walk_function *function)
{
	struct cfa_program program;

	if (ehframe_find(&object->unwind, address, &program) != EHFRAME_FOUND)
		return false;
	*function = (struct walk_function){program.start, program.end - program.start};
	return true;
}

// Not inlined, since it is rarely called. The slot then has no memo yet or another thread's, or an
// object may have been unloaded.
__attribute__((noinline)) bool
walk_renew(struct slot *slot)
{
	static uint64_t rules_of;

	module_check_if_due();
	uint32_t looked = __atomic_load_n(&module_looked, __ATOMIC_ACQUIRE);
	uint64_t now = module_news_now() & ~MODULE_FREES;
	if (__atomic_load_n(&rules_of, __ATOMIC_ACQUIRE) != now) {
		rule_forget();
		__atomic_store_n(&rules_of, now, __ATOMIC_RELEASE);
	}
	// During a pause all allocations have one source, so no stack is taken.
	if (thread_state.pauses > 0)
		return false;
	// Several threads use the shared slot, so it has no memo.
	if (slot == &thread_shared || (!slot->memo && !(slot->memo = memo_new())))
		return false;
	if ((slot->memo_news & ~MODULE_FREES) != now)
		memo_forget(slot->memo);
	slot->memo->salt = label_salt(thread_state.label);
	if (slot->memo->mark != slot->mark && slot->memo->mark != 0)
		slot->memo->tails.are_inherited = true;
	slot->memo->mark = slot->mark;
	// If no thread could check for unloaded objects, `looked` is older than the loader's latest
	// frees. Then memo_news differs from module_news_now(), and the next walk_sum() calls this
	// function again.
	slot->memo_news = now | looked;
	return true;
}

// Walks without the memo, until a step finds no caller or WALK_FRAMES frames are taken.
static uint32_t
take_steps(struct unwind frame, uintptr_t *frames, struct unwind_way *way)
{
	enum unwind_result result = UNWIND_CALLER;
	struct unwind_step step;
	uint32_t depth = 0;

	unwind_begin(&frame);
	while (result == UNWIND_CALLER && depth < WALK_FRAMES) {
		frames[depth++] = rule_return_address(frame.pc);
		result = unwind_outwards(&frame, &step);
	}
	way->interrupted = rule_walk_met & RULE_WALK_SIGNAL;
	if (rule_walk_met)
		unwind_end_odd();
	way->cut = result == UNWIND_CALLER;
	way->lost = result == UNWIND_LOST;
	way->unknown = result == UNWIND_END && unwind_is_unknown(step.rule, frame.fp);
	way->in_loop = result == UNWIND_END && rule_is_loop(step.rule);
	return depth;
}

uint32_t
walk_frames(struct slot *slot, const struct unwind *from, uint64_t hash,
	uintptr_t frames[WALK_FRAMES], struct unwind_way *way)
{
	*way = (struct unwind_way){0};
	if (hash)
		return memo_frames(slot->memo, from, frames, way);
	return take_steps(*from, frames, way);
}

bool
walk_to_loop(const struct unwind *caller, struct unwind *loop)
{
	enum unwind_result result = UNWIND_CALLER;
	struct unwind frame = *caller;
	struct unwind_step step;
	bool guessed = false;

	unwind_begin(&frame);
	for (int i = 0; i < WALK_FRAMES && result == UNWIND_CALLER; i++) {
		result = unwind_outwards(&frame, &step);
		guessed = guessed || (result == UNWIND_CALLER && rule_kind(step.rule) == RULE_GUESS);
	}
	*loop = frame;
	if (rule_walk_met) {
		unwind_end_odd();
		return false;
	}
	return !guessed && result == UNWIND_END && rule_is_loop(step.rule);
}

// Finds the row of call frame information for an address. With `at_start`, finds the row of the
// first address of the same FDE.
static bool
find_row(uintptr_t address, bool at_start, struct cfa_row *row)
{
	struct object object;
	struct cfa_program program;

	return object_at(address, &object)
		&& ehframe_find(&object.unwind, address, &program) == EHFRAME_FOUND
		&& cfa_run(&program, at_start ? program.start : address, row);
}

SYS_ALIGNS_STACK uintptr_t
walk_frame_end(const struct unwind *frame)
{
	struct cfa_row row;

	if (!find_row(frame->pc - 1, false, &row))
		return 0;
	return row.cfa.base == VALUE_SP ? frame->sp + (uintptr_t)row.cfa.offset
		: row.cfa.base == VALUE_FP ? frame->fp + (uintptr_t)row.cfa.offset : 0;
}

SYS_ALIGNS_STACK bool
walk_is_part(uintptr_t address, uintptr_t inside)
{
	struct cfa_row part, whole;

	return find_row(address, true, &part) && part.cfa.offset != REGISTERS_CFA_AT_ENTRY
		&& find_row(inside, false, &whole) && part.cfa.base == whole.cfa.base
		&& part.cfa.offset == whole.cfa.offset;
}

struct walk_state
walk_state(void)
{
	return (struct walk_state){unwind_known, rule_walk_began, rule_walk_met, step_state()};
}

void
walk_go_on(struct walk_state state)
{
	unwind_restore(state.known);
	rule_walk_began = state.began;
	rule_walk_met = state.met;
	step_go_on(state.step);
}

enum {
	SEARCHED_FRAMES = 4096,
};

// Returns true if the step certainly led to the caller, on the same stack. A guess may be wrong. A
// step across a signal may lead to another stack.
static bool
is_sure(const struct unwind_step *step)
{
	return rule_is_plain(step->rule) || rule_kind(step->rule) == RULE_SPECIAL;
}

static enum guard_sight
search_outwards(struct unwind frame, uintptr_t cfa)
{
	bool interrupted = false;
	struct unwind_step step;

	for (int i = 0; i < SEARCHED_FRAMES; i++) {
		uintptr_t sp = frame.sp;
		if (unwind_outwards(&frame, &step) != UNWIND_CALLER)
			break;
		interrupted = interrupted || rule_kind(step.rule) == RULE_SIGNAL;
		if (interrupted && is_sure(&step) && frame.sp == cfa)
			return GUARD_ALIVE;
		if (is_sure(&step) && sp < cfa && cfa < frame.sp)
			return GUARD_GONE;
	}
	return GUARD_UNSEEN;
}

__attribute__((noinline)) enum guard_sight
walk_search(uintptr_t cfa)
{
	struct unwind from = {(uintptr_t)__builtin_return_address(0),
		GUARD_CFA, *(const uintptr_t *)__builtin_frame_address(0)};
	struct walk_state outer = walk_state();

	unwind_begin(&from);
	rule_walk_began = 0;
	enum guard_sight seen = search_outwards(from, cfa);
	walk_go_on(outer);
	// The hook that was interrupted will never continue, and neither will its walk. So the state of
	// that walk, which walk_go_on() has just restored, is dropped.
	if (seen == GUARD_GONE)
		unwind_end_odd();
	return seen;
}
