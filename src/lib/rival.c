#include "rival.h"

enum {
	MANY = 16, // more functions than that there are not
	// An allocator's own functions do not take more of the stack than this.
	INSIDE_BYTES_MAX = 64 << 10,
};

// Written once, before the real functions are called.
static struct {
	uintptr_t before[MANY]; // hooks of ours that a rival's function stands before
	unsigned before_count;
	struct code_range between[MANY]; // objects
	unsigned between_count;
	struct real next; // the functions that are enclosed
} state;

// Bytes that the enclosed call under way was asked for; SIZE_MAX: it gives no block.
static __thread size_t asked;

// Around such a call. The jump out of one that never ends is seen by real_enter().
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

#define ENTER(bytes) enter((uintptr_t)__builtin_dwarf_cfa(), bytes)

// A function that gives a block of `bytes`, or an error.
#define ENCLOSED(type, function, parameters, arguments, bytes) \
	static type enclosed_##function parameters \
	{ \
		struct entered entered = ENTER(bytes); \
		type result = state.next.function arguments; \
		leave(entered); \
		return result; \
	}

ENCLOSED(void *, malloc, (size_t bytes), (bytes), bytes)
ENCLOSED(void *, calloc, (size_t count, size_t size), (count, size), count *size)
ENCLOSED(void *, realloc, (void *old, size_t bytes), (old, bytes), bytes)
ENCLOSED(void *, memalign, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ENCLOSED(void *, aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ENCLOSED(void *, valloc, (size_t bytes), (bytes), bytes)
ENCLOSED(void *, pvalloc, (size_t bytes), (bytes), bytes)
ENCLOSED(int, posix_memalign, (void **block, size_t alignment, size_t bytes),
	(block, alignment, bytes), bytes)

static void
enclosed_free(void *block)
{
	struct entered entered = ENTER(SIZE_MAX);
	state.next.free(block);
	leave(entered);
}

void
rival_add_before(uintptr_t hook)
{
	if (state.before_count < MANY)
		state.before[state.before_count++] = hook;
}

bool
rival_hands_on(uintptr_t hook)
{
	for (unsigned i = 0; i < state.before_count; i++) {
		if (state.before[i] == hook)
			return true;
	}
	return false;
}

void
rival_add_between(struct code_range object)
{
	for (unsigned i = 0; i < state.between_count; i++) {
		if (state.between[i].start == object.start)
			return;
	}
	if (state.between_count < MANY)
		state.between[state.between_count++] = object;
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

// reallocarray() is called only where nothing is recorded.
void
rival_enclose(void)
{
#define ENCLOSE(function) \
	if (is_wrappers((uintptr_t)real.function)) \
	real.function = enclosed_##function

	if (state.between_count == 0)
		return;
	state.next = real;
	ENCLOSE(malloc);
	ENCLOSE(calloc);
	ENCLOSE(realloc);
	ENCLOSE(free);
	ENCLOSE(posix_memalign);
	ENCLOSE(memalign);
	ENCLOSE(aligned_alloc);
	ENCLOSE(valloc);
	ENCLOSE(pvalloc);
#undef ENCLOSE
}

bool
rival_is_between(void)
{
	return state.between_count > 0;
}

bool
rival_calls(uintptr_t caller, uintptr_t cfa, size_t bytes)
{
	// Where a function ends in a jump to another, the caller is our own hook.
	return real_inside - cfa < INSIDE_BYTES_MAX
		&& (real_asks(caller) || (is_wrappers(caller) && bytes >= asked));
}
