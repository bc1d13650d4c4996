// backtrace: the calling stack as the C library finds it, for machines without an unwinder of
// ours, and for the tests of that one.
//
// Who may call: a thread that holds the guard. Takes no lock of ours, but perhaps the C++
// runtime's and the loader's.

#ifndef PMEM_BACKTRACE_H
#define PMEM_BACKTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum {
	BACKTRACE_FRAMES = PMEM_FRAMES - 1, // of a stack, without the hook's own
};

// Called once by the constructor, inside the guard: it may load a library.
void backtrace_start(void);

// Whether backtrace_start() was there: earlier, a stack could load libraries in the middle of
// the loader's work.
bool backtrace_is_ready(void);

// The frames from the return address `pc` outwards; `fp` is the frame pointer there. Their
// number; 0 when there is no such frame. `cut`: there are more.
uint32_t backtrace_take(
	uintptr_t frames[BACKTRACE_FRAMES], uintptr_t pc, uintptr_t fp, bool *cut);

#endif
