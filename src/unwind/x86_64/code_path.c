// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "unwind/x86_64/instruction.h"
#include "unwind/x86_64/frame_state.h"
#include "unwind/x86_64/code_path.h"

enum {
	PAGE = 4096,
	PLACES = 512,
	STEPS_MAX = 4096, // upper bound of the instructions that a search reads
	CALL_BYTES = 5,   // a call of an address relative to the next instruction
	AT_START = -8,    // how far sp is from the cfa at a function's start
};

// The start of a stretch of code that some path leads to.
struct stretch {
	uintptr_t at;
	uintptr_t end; // where the next function begins, as far as symbols tell
	struct frame_state state;
};

// The search under way.
static TABLE_STATIC struct search {
	const struct code_path_in *in;
	uintptr_t goal; // the address to be reached; 0 if the goal is a `ret`
	uintptr_t low, high; // the function that has the goal
	uintptr_t page; // a page that is known to be there
	unsigned steps;
	unsigned count, done;
	bool failed;
	bool is_lost; // it is not known whether some path leads on to the goal
	bool reached;
	struct frame_state state; // of the path that is followed
	struct frame_state at_goal;
	struct stretch stretches[PLACES];
} search;

SYS_FORK_PAGE int32_t code_path_searcher;

// A function's symbol that begins at an address, or the next one above it.
struct function {
	uintptr_t start;
	uintptr_t end;
	uintptr_t next; // the next function's start, or the code's end
};

// Finds the last function that begins at or below an address.
static struct function
function_below(const struct code_path_in *in, uintptr_t address)
{
	struct function found = {0, 0, in->code.end};
	uint32_t count = dynsym_count(in->symbols);

	for (uint32_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = &in->symbols->table[i];
		uintptr_t start = in->symbols->base + symbol->st_value;
		if ((symbol->st_info & 15) != STT_FUNC || symbol->st_shndx == SHN_UNDEF
			|| symbol->st_size == 0)
			continue;
		if (start > address && start < found.next)
			found.next = start;
		if (start <= address && (start > found.start
				|| (start == found.start && start + symbol->st_size > found.end))) {
			found.start = start;
			found.end = start + symbol->st_size;
		}
	}
	return found;
}

static struct instruction
read_at(uintptr_t at, uintptr_t end)
{
	uintptr_t last = at + INSTRUCTION_BYTES_MAX < end ? at + INSTRUCTION_BYTES_MAX : end - 1;

	if (!segment_has(&search.in->code, at, 1) || at >= end)
		return (struct instruction){.kind = INSTRUCTION_INVALID};
	for (uintptr_t page = at & -(uintptr_t)PAGE; page <= last; page += PAGE) {
		if (page != search.page && !sys_page_is_there(page))
			return (struct instruction){.kind = INSTRUCTION_INVALID};
		search.page = page;
	}
	return instruction_read((const uint8_t *)at, (const uint8_t *)last + 1);
}

// Returns true if an exported function never returns: its code has no `ret` and no jump out.
static bool
never_returns(uintptr_t target)
{
	if (target == 0)
		return false;
	struct function function = function_below(search.in, target);
	struct instruction read;

	if (function.start != target)
		return false;
	for (uintptr_t at = target; at < function.end; at += read.bytes) {
		if (++search.steps > STEPS_MAX)
			return false;
		read = read_at(at, function.end);
		bool leaves = (read.kind == INSTRUCTION_JUMPS || read.kind == INSTRUCTION_MAY_JUMP)
			&& read.target - target >= function.end - target;
		if (leaves || read.kind == INSTRUCTION_INVALID || read.kind == INSTRUCTION_RETURNS
			|| read.kind == INSTRUCTION_JUMPS_INDIRECT)
			return false;
	}
	return true;
}

// Notes that a path leads to an address. If another path has led there, the stack must be as deep.
static void
go_to(uintptr_t at, uintptr_t end, const struct frame_state *state)
{
	for (unsigned i = 0; i < search.count; i++) {
		if (search.stretches[i].at != at)
			continue;
		search.failed = search.failed || !frame_state_is_same(search.stretches[i].state.sp, state->sp);
		return;
	}
	if (search.count == PLACES || search.failed) {
		search.failed = true;
		return;
	}
	search.stretches[search.count++] = (struct stretch){at, end, *state};
}

// A jump may lead into another function, which then returns to this one's caller.
static void
jump_to(uintptr_t target, const struct stretch *from, const struct frame_state *state)
{
	struct function function = {.next = from->end};

	// Another function does not lead to a goal in this one.
	if (search.goal != 0 && target - search.low >= search.high - search.low)
		return;
	if (!segment_has(&search.in->code, target, 1)) {
		search.failed = true;
		return;
	}
	if (target < from->at || target >= from->end)
		function = function_below(search.in, target);
	go_to(target, function.next, state);
}

static void
reach(const struct frame_state *state)
{
	if (search.reached && !frame_state_is_same(search.at_goal.sp, state->sp))
		search.failed = true;
	if (search.goal == 0 && search.reached
		&& (search.at_goal.fp_kind != state->fp_kind
			|| (state->fp_kind == FP_LOADED && !frame_state_is_same(search.at_goal.fp, state->fp))))
		search.failed = true;
	search.reached = true;
	search.at_goal = *state;
}

// Returns true if another stretch begins there, which was or will be followed.
static bool
is_followed(uintptr_t at, const struct frame_state *state)
{
	for (unsigned i = 0; i < search.count; i++) {
		if (search.stretches[i].at == at) {
			go_to(at, 0, state);
			return true;
		}
	}
	return false;
}

// Follows one path to its end, or to the start of another stretch.
static void
follow(const struct stretch *stretch)
{
	struct frame_state *state = &search.state;

	*state = stretch->state;
	for (uintptr_t at = stretch->at; !search.failed;) {
		if (at == search.goal && at != 0) {
			reach(state);
			return;
		}
		if ((at != stretch->at && is_followed(at, state)) || at >= stretch->end)
			return;
		struct instruction read = read_at(at, stretch->end);
		at += read.bytes;
		search.failed = read.kind == INSTRUCTION_INVALID || ++search.steps > STEPS_MAX;
		frame_state_apply(&read, state);
		switch (read.kind) {
		case INSTRUCTION_RETURNS:
			if (search.goal == 0)
				reach(state);
			return;
		case INSTRUCTION_CALLS:
			if (at == search.goal)
				break;
			if (never_returns(read.target))
				return;
			// A nop after a call mostly means that the function has ended.
			if (read_at(at, stretch->end).kind == INSTRUCTION_NOP) {
				search.is_lost = true;
				return;
			}
			break;
		case INSTRUCTION_MAY_JUMP: jump_to(read.target, stretch, state); break;
		case INSTRUCTION_JUMPS: jump_to(read.target, stretch, state); return;
		case INSTRUCTION_JUMPS_INDIRECT: search.is_lost = true; return;
		case INSTRUCTION_STOPS: return;
		default: break;
		}
	}
}

// Follows all paths from an address, where sp is that far from the origin. Returns true if they lead
// to the goal, and agree.
static __attribute__((noinline)) bool
follow_all(uintptr_t from, uintptr_t end, uintptr_t goal, int32_t sp)
{
	search.goal = goal;
	search.low = from;
	search.high = end;
	search.steps = search.count = search.done = 0;
	search.failed = search.is_lost = search.reached = false;
	search.state = frame_state_at(sp);
	go_to(from, end, &search.state);
	while (!search.failed && search.done < search.count)
		follow(&search.stretches[search.done++]);
	return search.reached && !search.failed;
}

// Returns true if the bytes are the call of rt_sigreturn() to which the kernel lets handlers return.
static bool
is_signal_return(uintptr_t pc)
{
	static const uint8_t long_form[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const uint8_t short_form[] = {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05};

	return segment_has(&search.in->code, pc, sizeof(long_form))
		&& sys_is_there(pc, sizeof(long_form))
		&& (memcmp((const void *)pc, long_form, sizeof(long_form)) == 0
			|| memcmp((const void *)pc, short_form, sizeof(short_form)) == 0);
}

// What the call before a return address calls.
enum callee {
	CALLEE_RETURNS, // a function that returns, or may do so
	CALLEE_EXIT,
	CALLEE_NEVER, // another function that never returns
};

// A call of a function that never returns may be its function's last instruction, and what follows
// another function.
static enum callee
callee_before(uintptr_t pc)
{
	struct instruction call = {.kind = INSTRUCTION_INVALID};

	if (segment_has(&search.in->code, pc - CALL_BYTES, CALL_BYTES))
		call = read_at(pc - CALL_BYTES, pc);
	if (call.kind != INSTRUCTION_CALLS || call.bytes != CALL_BYTES
		|| !segment_has(&search.in->code, call.target, 1))
		return CALLEE_RETURNS;
	const ElfW(Sym) *symbol = dynsym_find(search.in->symbols, "exit", DYNSYM_HASH("exit"));
	if (symbol && call.target == search.in->symbols->base + symbol->st_value)
		return CALLEE_EXIT;
	search.steps = 0;
	if (!never_returns(call.target)
		&& (follow_all(call.target, function_below(search.in, call.target).next, 0, AT_START)
			|| search.failed || search.is_lost))
		return CALLEE_RETURNS;
	return CALLEE_NEVER;
}

// sp is aligned at a call, and so is the cfa (psABI, 3.2.2). If a path ran into another function
// behind a call that never returns, the cfa mostly is not.
static bool
is_aligned(const struct frame_way *way)
{
	return way->by_fp || way->cfa_offset % 16 == 0;
}

static enum code_path_result
find(uintptr_t pc, bool interrupted, struct frame_way *way)
{
	if (is_signal_return(pc))
		return CODE_PATH_SIGNAL;
	struct function function = function_below(search.in, interrupted ? pc : pc - 1);
	bool is_exported = interrupted ? pc < function.end : pc <= function.end;
	if (is_exported && follow_all(function.start, function.end, pc, AT_START)
		&& frame_state_from_start(&search.at_goal, way))
		return CODE_PATH_FOUND;
	enum callee callee = interrupted ? CALLEE_RETURNS : callee_before(pc);
	if (callee == CALLEE_EXIT && !is_exported)
		return CODE_PATH_NEVER;
	if (callee != CALLEE_RETURNS)
		return CODE_PATH_UNKNOWN;
	if (follow_all(pc, is_exported ? function.end : function.next, 0, 0))
		return frame_state_to_end(&search.at_goal, way) && (interrupted || is_aligned(way))
			? CODE_PATH_FOUND : CODE_PATH_UNKNOWN;
	return is_exported || search.failed || search.is_lost ? CODE_PATH_UNKNOWN : CODE_PATH_NEVER;
}

// Waits for another thread's search, for at most a tenth of a second. If the searcher is another process,
// this one was forked without fork handlers, or by vfork(). Then nobody waits: that search may never end.
static bool
begin(void)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	int32_t own = (int32_t)sys_getpid();

	for (int i = 0; i < 2000; i++) {
		int32_t nobody = 0;
		if (__atomic_compare_exchange_n(
				&code_path_searcher, &nobody, own, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return true;
		if (nobody != own)
			return false;
		sys_call2(SYS_nanosleep, (long)&pause, 0);
	}
	return false;
}

enum code_path_result
code_path_find(
	const struct code_path_in *in, uintptr_t pc, bool interrupted, struct frame_way *way)
{
	enum code_path_result result = CODE_PATH_BUSY;
	// A handler that jumped out of the search would leave it under way for ever.
	uint64_t signals = sys_hold_signals();

	if (begin()) {
		search.in = in;
		search.page = 0;
		result = find(pc, interrupted, way);
		__atomic_store_n(&code_path_searcher, 0, __ATOMIC_RELEASE);
	}
	sys_let_signals(signals);
	return result;
}
