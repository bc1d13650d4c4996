// SPDX-License-Identifier: BSD-2-Clause
// real: the functions of the allocator beneath us, and whether the calls of our hooks are
// recorded.
//
// Who may call: any thread, at any moment. Never allocates, never blocks. The functions are found
// on the first call of any hook, before constructors if need be (allocator.h). Requests before that
// are served by boot.h. If the allocator lacks a function of malloc()'s family, another of its
// functions is used instead. The pointers to these functions are never NULL once the state is past
// REAL_RESOLVING.
//
// The allocator must not notice us. We recognize it by the names that it exports, and by the
// blocks that it gives to the program. The blocks are checked as they come (size.h). At the first
// block that has no safe place for a tag, all recording ends, before a tag is written.

#ifndef PMEM_REAL_H
#define PMEM_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/next_symbol.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

enum real_state {
	REAL_NEW,       // -> REAL_RESOLVING, by the first hook called
	REAL_RESOLVING, // -> one of the next three, or REAL_NEW again, by the same call
	// Final: hooks only forward. The program has raised rights (AT_SECURE), or is not to be
	// recorded, or its blocks cannot hold tags.
	REAL_OFF,
	REAL_ON, // recording; the blocks are glibc's, with the layout that we know
	// Recording. The allocator is not known yet, or it is not glibc's and may call itself through
	// our hooks. -> REAL_ON, REAL_OFF
	REAL_ON_OTHER,
};

// Why nothing is recorded.
enum real_refusal {
	REAL_NOT_REFUSED,
	REAL_TELLS_NO_SIZES, // the allocator reports no sizes of blocks, or wrong ones
	REAL_CHECKS_BLOCKS,  // libc_malloc_debug.so: its guard bytes are where a tag would be
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
	struct code_range home; // the allocator's object, which has malloc_usable_size()
	struct code_range self; // our library
	struct code_range libc; // glibc; empty if the C library is another
	struct code_range musl; // musl; empty if the C library is another
	// equal to `home` if the allocator may call its own public names; else empty
	struct code_range calls_itself;
	enum real_refusal refusal; // the reason for REAL_OFF; atomic
	uintptr_t before;  // the malloc() that the program's calls reach first, or 0 if that is ours
	// True if blocks are musl's, and a malloc() or aligned_alloc() comes before ours. musl's calloc()
	// calls the first malloc(). Its posix_memalign() and memalign() call the first aligned_alloc().
	bool asks_first;
	uintptr_t beneath; // the next malloc() behind ours
};

extern struct real real;

#ifdef __aarch64__
#define REAL_THREAD_AT_ONCE(own) __asm__("" : "+r"(own))
#else
#define REAL_THREAD_AT_ONCE(own) ((void)0)
#endif

// What hooks need of their thread. It is one struct, since each thread-local address takes instructions.
extern __thread struct real_thread {
	// The cfa of the hook that is now calling the allocator, or 0. Set only if the allocator may call
	// its own functions by their public names, which are our hooks. For instance, jemalloc's operator
	// delete calls free().
	uintptr_t inside;
	struct slot_sample *sample; // sample_sums()
} real_thread;

// Returns the calling thread's real_thread. On aarch64 gcc would compute the address again for each member.
static inline struct real_thread
real_thread_own(void)
{
	struct real_thread *own = &real_thread;
	REAL_THREAD_AT_ONCE(own);
	return *own;
}

// Called when a block shows that recording must end, on the thread that got the block, with the
// guard held. Set once, by the constructor; atomic.
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

// Returns true if blocks are glibc's own.
static inline bool
real_is_glibcs(void)
{
	return real.home.start == real.libc.start;
}

// Returns true if a function is the allocator's own. The blocks that it gives are then the
// allocator's, too.
static inline bool
real_owns_code(uintptr_t pc)
{
	return code_range_has(&real.home, pc);
}

// Returns true if blocks are musl's own. If a block is another allocator's, musl's functions for it end the
// program.
static inline bool
real_is_musls(void)
{
	return real.musl.start != 0 && real.home.start == real.musl.start;
}

// Returns true if a pc is in the C library.
static inline bool
real_is_in_libc(uintptr_t pc)
{
	return code_range_has(&real.libc, pc) || code_range_has(&real.musl, pc);
}

// Returns true if a call from `pc` comes from the allocator or from our library.
static inline bool
real_asks(uintptr_t pc)
{
	return code_range_has(&real.calls_itself, pc) || code_range_has(&real.self, pc);
}

// Called before a real function that may call our hooks; real_leave() is called after it. Returns
// the argument for real_leave(). It is the cfa of the outer hook in which the calling hook runs, or
// 0 if there is none. Also returns 0 if an exception or siglongjmp() has left the outer hook. The
// outer hook's cfa is then not above the calling hook's.
static inline uintptr_t
real_enter(uintptr_t cfa)
{
	uintptr_t outer = real_thread.inside;
	real_thread.inside = cfa;
	return outer > cfa ? outer : 0;
}

static inline void
real_leave(uintptr_t outer)
{
	real_thread.inside = outer;
}

#pragma GCC visibility pop

#endif
