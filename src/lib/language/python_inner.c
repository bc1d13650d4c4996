// SPDX-License-Identifier: BSD-2-Clause

#include <linux/futex.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/table.h"
#include "language/interpreter.h"
#include "language/python_layout.h"
#include "language/python_inner.h"

enum {
	// In 3.11 the outermost C frame is in the thread state itself, at this offset
	// (Include/cpython/pystate.h).
	THREAD_OUTERMOST = 336,
	C_FRAME_PREVIOUS = 16,
	WORD = sizeof(uintptr_t),
	// Words of the stack that are searched: the loop's frame, and some outwards of it.
	LOOP_WORDS = 512,
	// Upper bound of the words that the loop pushes for a call. From call to call the C frame's
	// distance from the stack pointer differs by at most this.
	PUSHED_WORDS = 8,
	PLACES = 512,
	OFFSET_BITS = 16,
};

// For each return address in the loop: the C frame's distance from the stack pointer, in words. The
// return address is in an entry's upper bits. Atomic.
static TABLE_STATIC uint64_t places[PLACES];
// The C frame's distance from the stack pointer, as in places[], at one return address in the loop.
// The distance was learnt with a thread state that was surely the calling thread's. 0 if not known.
// Atomic.
static uint64_t sure_offset;

static uint64_t *
place_of(uintptr_t pc)
{
	return &places[hash_step(HASH_SEED, pc) % PLACES];
}

static void
remember(const struct unwind *loop, uintptr_t c_frame)
{
	uint64_t offset = (c_frame - loop->sp) / WORD;
	__atomic_store_n(place_of(loop->pc), loop->pc << OFFSET_BITS | offset, __ATOMIC_RELAXED);
}

void
python_inner_forget(void)
{
	// sure_offset is learnt before any entry of places[]. If it is 0, places[] is empty, and its
	// pages need not be touched.
	if (__atomic_exchange_n(&sure_offset, 0, __ATOMIC_RELAXED) == 0)
		return;
	for (size_t i = 0; i < PLACES; i++)
		__atomic_store_n(&places[i], 0, __ATOMIC_RELAXED);
}

void
python_inner_learn(const struct unwind *caller, uintptr_t thread)
{
	uintptr_t c_frame = word_at(thread, python_3_11.thread_frame);
	struct unwind loop;

	if (__atomic_load_n(&sure_offset, __ATOMIC_RELAXED) != 0 || !walk_to_loop(caller, &loop)
		|| c_frame - loop.sp >= LOOP_WORDS * WORD)
		return;
	__atomic_store_n(&sure_offset, (c_frame - loop.sp) / WORD, __ATOMIC_RELAXED);
}

// Follows a chain of C frames outwards, from a C frame that may be at this address. Returns the
// first address in the chain that is not on the stack. Returns 0 if there is no such chain.
static uintptr_t
end_of_chain(uintptr_t c_frame)
{
	uintptr_t previous, unused;

	while (walk_word(c_frame + C_FRAME_PREVIOUS, &previous)) {
		if (!walk_word(previous, &unused))
			return previous;
		if (previous <= c_frame)
			return 0;
		c_frame = previous;
	}
	return 0;
}

// Returns true if the four bytes at an address have this value. We ask the kernel to compare them,
// since the memory may be freed at any moment. This futex() call wakes no thread and does not wait.
// A sandbox that lets Python run allows futex(), since Python's lock needs it.
static bool
is_half(uintptr_t address, uint32_t half)
{
	uint32_t unused = 0;
	return sys_call6(SYS_futex, (long)address, FUTEX_CMP_REQUEUE_PRIVATE, 0, 0, (long)&unused, half) == 0;
}

static bool
is_word(uintptr_t address, uintptr_t word)
{
	return is_half(address, (uint32_t)word) && is_half(address + sizeof(uint32_t), (uint32_t)(word >> 32));
}

// Searches the stack for the C frame, if places[] has no entry for the return address. The
// innermost loop may run a thread state that is neither `thread` nor `first`. Then an outer loop's
// C frame may be found. So a distance that differs much from sure_offset is not remembered.
static uintptr_t
find_c_frame(const struct unwind *loop, uintptr_t thread, uintptr_t first)
{
	uint64_t sure = __atomic_load_n(&sure_offset, __ATOMIC_RELAXED);

	for (uint64_t i = 0; i < LOOP_WORDS; i++) {
		uintptr_t at = loop->sp + i * WORD, end = end_of_chain(at);
		if (end == first + THREAD_OUTERMOST)
			return 0;
		// Stale words on the stack may look like a C frame. So the thread state must point to this
		// C frame, too.
		if (end != thread + THREAD_OUTERMOST || !is_word(thread + python_3_11.thread_frame, at))
			continue;
		if (sure != 0 && i + PUSHED_WORDS - sure <= 2 * PUSHED_WORDS)
			remember(loop, at);
		return at;
	}
	return 0;
}

uintptr_t
python_inner_c_frame(const struct unwind *caller, uintptr_t thread, uintptr_t first)
{
	struct unwind loop;

	if (!walk_to_loop(caller, &loop))
		return 0;
	uint64_t known = __atomic_load_n(place_of(loop.pc), __ATOMIC_RELAXED);
	if (known >> OFFSET_BITS != loop.pc)
		return find_c_frame(&loop, thread, first);
	uintptr_t c_frame = loop.sp + (known & ((1 << OFFSET_BITS) - 1)) * WORD;
	return end_of_chain(c_frame) == thread + THREAD_OUTERMOST ? c_frame : 0;
}
