// SPDX-License-Identifier: BSD-2-Clause
// interposer: handles malloc() functions other than ours and the allocator's. Such a function may
// precede us: it gets the program's calls first, and passes some of them on to us. Or such a
// function may be a wrapper between us and the allocator, like another preload's. A wrapper may
// call the public functions, which are our hooks.
//
// Who may call: allocator.c, before any of the real functions is called; afterwards hooks, at
// any moment. Never allocates, never blocks. Its only state is what allocator.c has noted.
//
// A wrapper's malloc() may call the public calloc(): then the same request reaches us twice. The
// second call is only passed on. So the block is counted once, under the function that the program
// called. If a wrapper requests fewer bytes than the program asked for, the block is for the
// wrapper itself. That block is counted like any other.

#ifndef PMEM_INTERPOSER_H
#define PMEM_INTERPOSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/real.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// Records that a module before us on the loader's list also defines the function of the hook at
// this address.
void interposer_add_before(uintptr_t hook);

// Returns true if calls of that hook come through a function that precedes us.
bool interposer_hands_on(uintptr_t hook);

// Records that the object is a wrapper's, between us and the allocator.
void interposer_add_between(struct code_range object);

// Replaces each function in `real` that is a wrapper's by a function of ours. Our function calls
// the wrapper's. During that call it keeps the requested size for interposer_calls().
void interposer_enclose(void);

// Does the same for the allocator's malloc(). Called if the allocator is not one that we know. Its malloc()
// may call another of its public functions, such as aligned_alloc().
void interposer_enclose_malloc(void);

// interposer_is_between() returns true if a wrapper is between us and the allocator.
// interposer_is_before() returns true if another module's function precedes one of our hooks.
bool interposer_is_between(void);
bool interposer_is_before(void);

// Returns true if the hook with this cfa was called by the allocator or by a wrapper. `caller` is
// the hook's return address. `bytes` is the requested size, or 0 if the call requests no block. A
// wrapper's call must request at least as many bytes as the wrapper was asked for. Returns false if
// real_thread.inside is 0: no real function is running. Also returns false for a call by a handler
// (std::new_handler, a signal's), or after an exception.
bool interposer_calls(uintptr_t caller, uintptr_t cfa, size_t bytes);

#pragma GCC visibility pop

#endif
