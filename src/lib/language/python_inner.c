#include <linux/futex.h>

#include "sys.h"
#include "interpreter.h"
#include "python_layout.h"
#include "python_inner.h"

enum {
	// Include/cpython/pystate.h of 3.11: the outermost C frame of a thread is in itself.
	THREAD_OUTERMOST = 336,
	C_FRAME_PREVIOUS = 16,
	LOOKED_AT = 16 * 1024, // bytes of the stack: the loop's frame is near its inner end
};

// Where the chain leads that a C frame here would begin: off the stack. 0: nowhere, and it is none.
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

// Whether this half of a word is there: the kernel compares it, wakes nobody and waits for nothing. A
// sandbox that Python runs in has futexes: its lock is made of them.
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

bool
python_inner_runs_here(uintptr_t thread, uintptr_t first)
{
	uintptr_t from = (uintptr_t)__builtin_frame_address(0) & -sizeof(from), unused;

	for (uintptr_t at = from; at - from < LOOKED_AT && walk_word(at, &unused); at += sizeof(at)) {
		uintptr_t end = end_of_chain(at);
		if (end == first + THREAD_OUTERMOST)
			return false;
		if (end == thread + THREAD_OUTERMOST && is_word(thread + python_3_11.thread_frame, at))
			return true;
	}
	return false;
}
