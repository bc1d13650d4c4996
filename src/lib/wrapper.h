// wrapper: functions of malloc()'s family that stand between us and the allocator, another
// preload's behind us, say, and may call the public ones in turn, which are ours.
//
// Who may call: real.c, before any of these functions is called; hooks, at any moment. Never
// allocates, never blocks, no state but what wrapper_enclose() leaves.
//
// A malloc() that is a calloc() of a public name comes back to us with the same request. What
// is asked for then is handed on, unseen: the block is counted once, as what the program asked
// for. What a wrapper asks for itself meanwhile, less than that, is counted like any call.

#ifndef PMEM_WRAPPER_H
#define PMEM_WRAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "real.h"

// The object is one of a wrapper's.
void wrapper_add(struct real_range object);

// Puts functions of ours before those of real's that lie in such objects. Whether there are any.
bool wrapper_enclose(void);

// Whether a hook with this cfa was called by the allocator, or by a wrapper for what that was
// asked for, in the course of such a call: as real_inside tells, and not by a handler
// (std::new_handler, a signal's) or by who comes after an exception. `bytes` are asked for; 0:
// none.
bool wrapper_calls(uintptr_t caller, uintptr_t cfa, size_t bytes);

#endif
