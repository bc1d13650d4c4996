// SPDX-License-Identifier: BSD-2-Clause

#include "base/guard.h"
#include "heap/interposer.h"

enum {
	MANY = 16, // more than malloc()'s family has functions
	// Upper bound of the stack bytes that an allocator's own functions take.
	INSIDE_BYTES_MAX = 64 << 10,
};

// Written once, before the real functions are called.
static struct {
	// The addresses of our hooks whose names are also defined by a module before us on the loader's
	// list.
	uintptr_t before[MANY];
	unsigned before_count;
	// The objects of wrappers: other mallocs, between us and the allocator.
	struct code_range between[MANY];
	unsigned between_count;
	struct real next; // a copy of `real`, made before interposer_enclose() replaces its functions
} state;

// While this thread is in a call of a wrapper: how many bytes the call requests. SIZE_MAX if the
// call gives no block.
static __thread size_t asked;

// What enter() saves for leave(). If an exception or siglongjmp() leaves the wrapper's function,
// leave() is not called: real_enter() notices that later.
struct entered {
	uintptr_t outer;
	size_t outer_asked;
};

static inline struct entered
enter(uintptr_t cfa, size_t bytes)
{
	struct entered entered = {.outer_asked = asked};
	asked = bytes;
	entered.outer = real_enter(cfa);
	return entered;
}

static inline void
leave(struct entered entered)
{
	real_leave(entered.outer);
	asked = entered.outer_asked;
}

#define ENTER(bytes) enter(GUARD_CFA, bytes)

// Each of these functions calls the wrapper's function of the same name. While that runs, `asked`
// has the requested bytes.

static void *
enclosed_malloc(size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.malloc(bytes);
	leave(entered);
	return block;
}

static void *
enclosed_calloc(size_t count, size_t size)
{
	struct entered entered = ENTER(count * size);
	void *block = state.next.calloc(count, size);
	leave(entered);
	return block;
}

static void *
enclosed_realloc(void *old, size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.realloc(old, bytes);
	leave(entered);
	return block;
}

static void *
enclosed_memalign(size_t alignment, size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.memalign(alignment, bytes);
	leave(entered);
	return block;
}

static void *
enclosed_aligned_alloc(size_t alignment, size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.aligned_alloc(alignment, bytes);
	leave(entered);
	return block;
}

static void *
enclosed_valloc(size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.valloc(bytes);
	leave(entered);
	return block;
}

static void *
enclosed_pvalloc(size_t bytes)
{
	struct entered entered = ENTER(bytes);
	void *block = state.next.pvalloc(bytes);
	leave(entered);
	return block;
}

static int
enclosed_posix_memalign(void **block, size_t alignment, size_t bytes)
{
	struct entered entered = ENTER(bytes);
	int error = state.next.posix_memalign(block, alignment, bytes);
	leave(entered);
	return error;
}

static void
enclosed_free(void *block)
{
	struct entered entered = ENTER(SIZE_MAX);
	state.next.free(block);
	leave(entered);
}

void
interposer_add_before(uintptr_t hook)
{
	if (state.before_count < MANY)
		state.before[state.before_count++] = hook;
}

bool
interposer_hands_on(uintptr_t hook)
{
	for (unsigned i = 0; i < state.before_count; i++) {
		if (state.before[i] == hook)
			return true;
	}
	return false;
}

void
interposer_add_between(struct code_range object)
{
	for (unsigned i = 0; i < state.between_count; i++) {
		if (state.between[i].start == object.start)
			return;
	}
	if (state.between_count < MANY)
		state.between[state.between_count++] = object;
}

bool
interposer_is_before(void)
{
	return state.before_count > 0;
}

static bool
is_wrappers(uintptr_t code)
{
	for (unsigned i = 0; i < state.between_count; i++) {
		if (code_range_has(&state.between[i], code))
			return true;
	}
	return false;
}

// real.reallocarray is not replaced: our hook calls it only for requests that are not recorded.
void
interposer_enclose(void)
{
	if (state.between_count == 0)
		return;
	state.next = real;
	if (is_wrappers((uintptr_t)real.malloc))
		real.malloc = enclosed_malloc;
	if (is_wrappers((uintptr_t)real.calloc))
		real.calloc = enclosed_calloc;
	if (is_wrappers((uintptr_t)real.realloc))
		real.realloc = enclosed_realloc;
	if (is_wrappers((uintptr_t)real.free))
		real.free = enclosed_free;
	if (is_wrappers((uintptr_t)real.posix_memalign))
		real.posix_memalign = enclosed_posix_memalign;
	if (is_wrappers((uintptr_t)real.memalign))
		real.memalign = enclosed_memalign;
	if (is_wrappers((uintptr_t)real.aligned_alloc))
		real.aligned_alloc = enclosed_aligned_alloc;
	if (is_wrappers((uintptr_t)real.valloc))
		real.valloc = enclosed_valloc;
	if (is_wrappers((uintptr_t)real.pvalloc))
		real.pvalloc = enclosed_pvalloc;
}

void
interposer_enclose_malloc(void)
{
	if (real.malloc == enclosed_malloc)
		return;
	state.next.malloc = real.malloc;
	real.malloc = enclosed_malloc;
}

bool
interposer_is_between(void)
{
	return state.between_count > 0;
}

bool
interposer_calls(uintptr_t caller, uintptr_t cfa, size_t bytes)
{
	// real_asks() is also true for a caller in our own library. An allocator's function may end in
	// a jump to a public name, which is our hook. That hook then returns to the code of ours that
	// called the allocator.
	return real_thread.inside - cfa < INSIDE_BYTES_MAX
		&& (real_asks(caller) || (is_wrappers(caller) && bytes >= asked));
}
