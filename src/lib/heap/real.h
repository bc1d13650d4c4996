// SPDX-License-Identifier: BSD-2-Clause
// real: the functions of the allocator beneath us, and whether what comes to our hooks is recorded.
//
// Who may call: any thread, at any moment. Never allocates, never blocks. The functions are found
// on the first call of any hook, before constructors if need be (allocator.h); what comes in until
// then is served by boot.h. Where the next library lacks a function of malloc()'s family, another
// of its functions serves; these pointers are never NULL once the state is past REAL_RESOLVING.
//
// The allocator must not notice us. What it is we know by the names that it exports, and by the
// blocks that it gives to the program, which are looked at as they come (size.h). The first block
// that has no sure place for a tag ends all recording, before a tag is written.

#ifndef PMEM_REAL_H
#define PMEM_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/next_symbol.h"

// See libc.h.
#pragma GCC visibility push(hidden)

enum real_state {
	REAL_NEW,       // -> REAL_RESOLVING, by the first hook called
	REAL_RESOLVING, // -> one of the next three, by the same call
	REAL_OFF,       // for good: hooks only forward. A program with raised rights (AT_SECURE),
			// or blocks that are not what a tag needs
	REAL_ON,        // glibc's malloc, its blocks as we know them
	REAL_ON_OTHER,  // another one, which may call itself through our hooks, or one that is not
			// known yet -> REAL_ON, REAL_OFF
};

// Why nothing is recorded.
enum real_refusal {
	REAL_NOT_REFUSED,
	REAL_TELLS_NO_SIZES, // of blocks, or wrong ones
	REAL_CHECKS_BLOCKS,  // libc_malloc_debug.so: what it guards begins where the program's ends
};

struct real {
	enum real_state state; // written with release, once the pointers are set
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*reallocarray)(void *, size_t, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	size_t (*malloc_usable_size)(void *);
	struct code_range home; // the object that knows the sizes of blocks: the allocator's
	struct code_range self; // our library
	struct code_range libc; // glibc; empty where the C library is another
	struct code_range calls_itself; // home, of allocators that may call themselves by public names
	enum real_refusal refusal; // why we are REAL_OFF; atomic
	uintptr_t before;  // the malloc() that the program's calls reach, if that is not ours; or 0
	uintptr_t beneath; // the next one behind ours
};

extern struct real real;

// The cfa of the hook that is now calling the allocator, where that may call its own functions by
// their public names, which are our hooks; 0: none. jemalloc's operator delete calls free() so.
extern __thread uintptr_t real_inside;

// Called when a block shows that recording must end, on the thread that got it, with the guard
// held. Set once, by the constructor; atomic.
extern void (*real_refused)(void);

static inline enum real_state
real_state(void)
{
	return __atomic_load_n(&real.state, __ATOMIC_ACQUIRE);
}

static inline bool
real_is_on(void)
{
	return __builtin_expect(real_state() >= REAL_ON, 1);
}

// Whether blocks are glibc's own.
static inline bool
real_is_glibcs(void)
{
	return real.home.start == real.libc.start;
}

// Whether a function is the allocator's own, so that its blocks are.
static inline bool
real_owns_code(uintptr_t pc)
{
	return code_range_has(&real.home, pc);
}

// Whether a call from `pc` is the allocator's own, or ours.
static inline bool
real_asks(uintptr_t pc)
{
	return code_range_has(&real.calls_itself, pc) || code_range_has(&real.self, pc);
}

// Around a call of a real function which may call us in turn. Returns what real_leave() is to be
// given: the hook that was there before, or 0 where that was left by an exception or siglongjmp().
static inline uintptr_t
real_enter(uintptr_t cfa)
{
	uintptr_t outer = real_inside;
	real_inside = cfa;
	return outer > cfa ? outer : 0;
}

static inline void
real_leave(uintptr_t outer)
{
	real_inside = outer;
}

#pragma GCC visibility pop

#endif
