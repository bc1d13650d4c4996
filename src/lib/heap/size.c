// SPDX-License-Identifier: BSD-2-Clause

#include "base/guard.h"
#include "heap/real.h"
#include "heap/interposer.h"
#include "heap/size.h"
#include "heap/tag_table.h"

size_t size_of_none;

typedef size_t (*ask_function)(void *block);

static struct {
	int (*owns)(const void *); // tcmalloc's MallocExtension_GetOwnership(), or NULL
	ask_function ask; // for size_of_given(), with allocators other than glibc's; atomic
	// True once begin_as_allocated() found that no wrapper puts a header before a block. Atomic.
	bool begins;
} state;

// Calls tcmalloc's malloc_usable_size() only for a block that tcmalloc owns. For any other block,
// malloc_usable_size() would end the program, with another message than tcmalloc's free().
static __attribute__((noinline)) size_t
ask_if_owned(void *block)
{
	enum { OWNED = 1 };
	uintptr_t outer = real_enter(GUARD_CFA);
	size_t bytes = state.owns(block) == OWNED ? real.malloc_usable_size(block) : 0;
	real_leave(outer);
	return bytes;
}

static ask_function
how_to_ask(void)
{
	return state.owns ? ask_if_owned : real.malloc_usable_size;
}

void
size_start(uintptr_t owns)
{
	glibc_chunk_layout.is_known = real_is_glibcs();
	if (real_is_glibcs())
		size_of_none = GLIBC_CHUNK_MIN_BYTES - sizeof(size_t);
	else if (size_class_is_to_be_had())
		size_of_none = size_class_bytes(1);
	tag_table_start(real_is_glibcs());
	state.owns = (int (*)(const void *))owns;
	state.ask = size_class_is_all() ? size_class_size_with_tag : how_to_ask();
}

size_t
size_of_given(void *block)
{
	if (!__atomic_load_n(&glibc_chunk_layout.is_known, __ATOMIC_RELAXED))
		return __atomic_load_n(&state.ask, __ATOMIC_RELAXED)(block);
	return glibc_chunk_is_plausible(block) ? real.malloc_usable_size(block) : 0;
}

// Asks glibc for a new block's usable size. Returns 0 if the block cannot hold a tag.
static size_t
ask_glibc(void *block, size_t bytes)
{
	if (interposer_is_between() && !glibc_chunk_bears_header(block))
		return 0;
	size_t usable = real.malloc_usable_size(block);
	if (usable >= bytes && !interposer_is_between())
		glibc_chunk_learn(block, usable);
	return usable;
}

// On the first call of malloc_usable_size(), tcmalloc creates an object, with the program's
// operator new if there is one. The guard is taken so that we do not record that allocation: asking
// for its size would create another object.
__attribute__((noinline)) size_t
size_of_untagged(void *block)
{
	uintptr_t outer = real_enter(GUARD_CFA);
	uintptr_t holder = guard_begin(GUARD_INTERNAL);
	size_t bytes = real.malloc_usable_size(block);
	guard_end(holder);
	real_leave(outer);
	return bytes;
}

// Returns true if a wrapper gives blocks as the allocator made them. If the wrapper puts a header
// before each block, a block has fewer bytes than the allocator says. A tag would then be written
// beyond the block's end. The function requests two blocks: one of nearly a page, and one of nearly
// half a page. A block of these sizes begins at a multiple of the largest power of two that divides
// its usable size. A block behind a header does not, since the header is smaller than that power of
// two.
static bool
begin_as_allocated(void)
{
	static const size_t nearly[] = {1900, 3900};
	for (size_t i = 0; i < sizeof(nearly) / sizeof(*nearly); i++) {
		void *block = real.malloc(nearly[i]);
		if (!block)
			return true;
		size_t usable = size_of_untagged(block);
		if (usable == 0 && size_class.nallocx)
			usable = size_class_bytes(nearly[i]);
		bool begins = usable > 0 && (uintptr_t)block % (usable & -usable) == 0;
		real.free(block);
		if (!begins)
			return false;
	}
	return true;
}

// Asks an allocator other than glibc for a new block's usable size. Returns 0 if a wrapper puts a
// header before each block. The block then has fewer bytes than the allocator says.
static size_t
ask_other(void *block, size_t bytes, size_t alignment)
{
	// If a wrapper is between us and the allocator, no thread tags a block before state.begins is
	// set. Several threads may come here at once.
	if (interposer_is_between() && !__atomic_load_n(&state.begins, __ATOMIC_ACQUIRE)) {
		uintptr_t holder = guard_begin(GUARD_INTERNAL);
		bool known = begin_as_allocated();
		guard_end(holder);
		if (!known)
			return 0;
		__atomic_store_n(&state.begins, true, __ATOMIC_RELEASE);
	}
	if (!size_class_is_all())
		return real.malloc_usable_size(block);
	size_t usable = size_of_untagged(block);
	if (usable == 0)
		return size_class_aligned_bytes(bytes, alignment);
	__atomic_store_n(&state.ask, how_to_ask(), __ATOMIC_RELAXED);
	size_class_ends(bytes, usable);
	return usable;
}

// Ends all recording.
static void
refuse(enum real_refusal refusal)
{
	void (*tell)(void) = __atomic_load_n(&real_refused, __ATOMIC_ACQUIRE);

	__atomic_store_n(&real.refusal, refusal, __ATOMIC_RELEASE);
	__atomic_store_n(&real.state, REAL_OFF, __ATOMIC_RELEASE);
	if (tell)
		tell();
}

__attribute__((noinline)) size_t
size_ask(void *block, size_t bytes, size_t alignment)
{
	size_t usable = real_is_glibcs() ? ask_glibc(block, bytes) : ask_other(block, bytes, alignment);

	if (__builtin_expect(usable < bytes, 0)) {
		refuse(REAL_TELLS_NO_SIZES);
		usable = bytes;
	}
	if (alignment == 0 && !size_class_is_sample(block))
		size_class_learn(bytes, usable);
	return usable;
}
