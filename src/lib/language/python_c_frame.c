// SPDX-License-Identifier: BSD-2-Clause

#include <linux/futex.h>
#include <stddef.h>

#include "base/sys.h"
#include "base/table.h"
#include "language/interpreter.h"
#include "language/python_layout.h"
#include "language/python_c_frame.h"

enum {
	WORD = sizeof(uintptr_t),
	LOOP_WORDS = 512, // upper bound of the words of the loop's frame that are searched
	PLACES = 512,
	OFFSET_BITS = 16,
};

// For each return address in the loop: the C frame's distance from the stack pointer, in words. The
// return address is in an entry's upper bits. Atomic.
static TABLE_STATIC uint64_t places[PLACES];

// Written once, before the first frame is read.
static struct python_layout layout;

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
python_c_frame_open(const struct python_layout *of)
{
	layout = *of;
	for (size_t i = 0; i < PLACES; i++) {
		// The pages are not touched for an entry that is empty.
		if (__atomic_load_n(&places[i], __ATOMIC_RELAXED) != 0)
			__atomic_store_n(&places[i], 0, __ATOMIC_RELAXED);
	}
}

// Follows a chain of C frames outwards, from a C frame that may be at this address. Returns the
// thread state in which the chain ends, or 0 if there is no such chain.
static uintptr_t
thread_of(uintptr_t c_frame)
{
	uintptr_t previous, unused;

	while (walk_word(c_frame + layout.c_frame_frame + WORD, &previous)) {
		if (!walk_word(previous, &unused))
			return previous - layout.thread_outermost;
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

// Searches the loop's frame for the C frame, if places[] has no entry for the return address.
static uintptr_t
search(const struct unwind *loop, uintptr_t holder, uintptr_t own)
{
	uintptr_t words = (walk_frame_end(loop) - loop->sp) / WORD;

	for (uintptr_t i = 0; words <= LOOP_WORDS && i < words; i++) {
		uintptr_t at = loop->sp + i * WORD, thread = thread_of(at);
		// Stale words on the stack may look like a C frame. So the thread state must point to this
		// C frame, too.
		if (thread == 0 || (thread != holder && thread != own)
			|| !is_word(thread + layout.thread_frame, at))
			continue;
		remember(loop, at);
		return at;
	}
	return 0;
}

uintptr_t
python_c_frame_find(const struct unwind *caller, uintptr_t holder, uintptr_t own)
{
	struct unwind loop;

	if ((holder == 0 && own == 0) || !walk_to_loop(caller, &loop))
		return 0;
	uint64_t known = __atomic_load_n(place_of(loop.pc), __ATOMIC_RELAXED);
	if (known >> OFFSET_BITS != loop.pc)
		return search(&loop, holder, own);
	uintptr_t c_frame = loop.sp + (known & ((1 << OFFSET_BITS) - 1)) * WORD;
	uintptr_t thread = thread_of(c_frame);
	return thread != 0 && (thread == holder || thread == own) ? c_frame : 0;
}
