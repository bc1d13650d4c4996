// SPDX-License-Identifier: BSD-2-Clause
// interposer: other mallocs than the allocator's and ours. One may stand before us: the program's calls
// come to it first, and to us come only those that it hands on. Others, wrappers, may stand between
// us and the allocator, another preload's, say; they may call the public functions, which are ours.
//
// Who may call: allocator.c, before any of the real functions is called; from then on hooks, at
// any moment. Never allocates, never blocks, no state but what allocator.c had noted.
//
// A wrapper's malloc() may call the public calloc(): then the same request comes to us twice. The
// second time it is only handed on, so that the block is counted once, for what the program called.
// When a wrapper asks for less than it was asked for, that is for itself, and counted as always.

#ifndef PMEM_INTERPOSER_H
#define PMEM_INTERPOSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/real.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// The hook at this address stands for a function that one before us defines, too.
void interposer_add_before(uintptr_t hook);

// Whether a call of that hook was handed on by it.
bool interposer_hands_on(uintptr_t hook);

// The object is one of a wrapper's, between us and the allocator.
void interposer_add_between(struct code_range object);

// Puts functions of ours before those of real's that lie in such objects.
void interposer_enclose(void);

// Whether there are any; and whether one stands before us.
bool interposer_is_between(void);
bool interposer_is_before(void);

// Whether a hook with this cfa was called by the allocator, or by a wrapper for what that was
// asked for, in the course of such a call: as real_inside tells, and not by a handler
// (std::new_handler, a signal's) or by who comes after an exception. `bytes` are asked for; 0:
// none.
bool interposer_calls(uintptr_t caller, uintptr_t cfa, size_t bytes);

#pragma GCC visibility pop

#endif
