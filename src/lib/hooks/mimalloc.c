// SPDX-License-Identifier: BSD-2-Clause
// mimalloc: hooks for mimalloc's own functions (mimalloc.h), except those for a program's own heaps
// (mimalloc_heap.c). Some of these functions do what malloc()'s family does not. They zero the
// bytes by which a block grows, throw as operator new does, or copy strings.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heap/real.h"
#include "base/tag.h"
#include "hooks/record.h"
#include "hooks/hook.h"
#include "hooks/extension.h"
#include "hooks/extension_row.h"

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

// The next functions are called if no library defines mimalloc's functions. If the program wants
// not the block but the byte at an offset to be aligned, they fail. No function of malloc()'s
// family can do that.

static void *
aligned_at(size_t bytes, size_t alignment, size_t offset)
{
	return offset ? NULL : aligned_alloc(alignment, bytes);
}

static __attribute__((noinline)) void *
zeroed_at(size_t bytes, size_t alignment, size_t offset)
{
	void *block = aligned_at(bytes, alignment, offset);
	return block ? memset(block, 0, malloc_usable_size(block)) : NULL;
}

static void *
grown_at(void *old, size_t bytes, size_t alignment, size_t offset)
{
	return offset ? NULL : extension_grown(old, bytes, alignment);
}

// The block is counted under the name of reallocarray(), since the call below reaches that
// function's hook.
static void *
array_of_bytes(void *old, size_t bytes)
{
	return reallocarray(old, bytes, 1);
}

GIVES(mi_malloc, BYTES, malloc, 0)
GIVES(mi_zalloc, BYTES, extension_zeroed, 0)
GIVES(mi_calloc, COUNT_SIZE, extension_zeroed, 0)
GIVES(mi_mallocn, COUNT_SIZE, malloc, 0)
GIVES(mi_new, BYTES, _Znwm, 0)
GIVES(mi_new_n, COUNT_SIZE, _Znwm, 0)
GIVES(mi_new_nothrow, BYTES, malloc, 0)
GIVES(mi_new_aligned, BYTES_ALIGNMENT, _ZnwmSt11align_val_t, alignment)
GIVES(mi_new_aligned_nothrow, BYTES_ALIGNMENT, extension_aligned, alignment)

// The functions down to mi_calloc_aligned_at() align the block, or the byte at `offset` in the
// block.
GIVES(mi_malloc_aligned, BYTES_ALIGNMENT, aligned_at, given(alignment))
GIVES(mi_malloc_aligned_at, BYTES_ALIGNMENT_OFFSET, aligned_at, 0)
GIVES(mi_zalloc_aligned, BYTES_ALIGNMENT, zeroed_at, given(alignment))
GIVES(mi_zalloc_aligned_at, BYTES_ALIGNMENT_OFFSET, zeroed_at, 0)
GIVES(mi_calloc_aligned, COUNT_SIZE_ALIGNMENT, zeroed_at, given(alignment))
GIVES(mi_calloc_aligned_at, COUNT_SIZE_ALIGNMENT_OFFSET, zeroed_at, 0)
GIVES(mi_memalign, ALIGNMENT_BYTES, aligned_alloc, given(alignment))
GIVES(mi_aligned_alloc, ALIGNMENT_BYTES, aligned_alloc, given(alignment))
GIVES(mi_valloc, BYTES, valloc, extension_page())
GIVES_PAGES(mi_pvalloc)
ALIGNS(mi_posix_memalign, given(alignment))

REALLOCS(mi_realloc, BYTES, realloc)
REALLOCS(mi_reallocn, COUNT_SIZE, realloc)
REALLOCS(mi_reallocarray, COUNT_SIZE, array_of_bytes)

// The last column says whether the allocator zeroes the bytes by which a block grows.
RESIZES(mi_rezalloc, BYTES, grown_at, 0, true)
RESIZES(mi_recalloc, COUNT_SIZE, grown_at, 0, true)
RESIZES(mi_realloc_aligned, BYTES_ALIGNMENT, grown_at, given(alignment), false)
RESIZES(mi_realloc_aligned_at, BYTES_ALIGNMENT_OFFSET, grown_at, 0, false)
RESIZES(mi_rezalloc_aligned, BYTES_ALIGNMENT, grown_at, given(alignment), true)
RESIZES(mi_rezalloc_aligned_at, BYTES_ALIGNMENT_OFFSET, grown_at, 0, true)
RESIZES(mi_recalloc_aligned, COUNT_SIZE_ALIGNMENT, grown_at, given(alignment), true)
RESIZES(mi_recalloc_aligned_at, COUNT_SIZE_ALIGNMENT_OFFSET, grown_at, 0, true)

TAKES(mi_free, NOTHING)
TAKES(mi_free_size, BYTES)
TAKES(mi_free_aligned, ALIGNMENT)
TAKES(mi_free_size_aligned, BYTES_ALIGNMENT)
MEASURES(mi_usable_size, NOTHING)
MEASURES(mi_malloc_size, NOTHING)
MEASURES(mi_malloc_usable_size, NOTHING)
FORETELLS(mi_good_size, BYTES, 0)
FORETELLS(mi_malloc_good_size, BYTES, 0)

// mimalloc also defines these functions, which other systems have. tcmalloc defines malloc_size(),
// too.
MEASURES(malloc_size, NOTHING)
FORETELLS(malloc_good_size, BYTES, 0)
TAKES(vfree, NOTHING)

// The next two functions accept no size above a limit. A size plus a tag's bytes may exceed that
// limit. So a recorded call is passed to malloc() or calloc() instead.

HOOK(void *, mi_malloc_small, size_t bytes)
{
	struct extension *self = NEXT(mi_malloc_small, malloc, 0);
	extension_begin(self);
	if (extension_records(self, bytes))
		self->code = (uintptr_t)real.malloc;
	return extension_give(self, WORDS(bytes));
}

HOOK(void *, mi_zalloc_small, size_t bytes)
{
	struct extension *self = NEXT(mi_zalloc_small, extension_zeroed, 0);
	extension_begin(self);
	if (!extension_records(self, bytes))
		return extension_give(self, WORDS(bytes));
	self->code = (uintptr_t)real.calloc;
	return extension_give(self, WORDS_COUNTED(1, bytes));
}

// Resizes a block in place. Returns NULL if that is not possible.
HOOK(void *, mi_expand, void *block, size_t bytes)
{
	struct extension *self = NEXT(mi_expand, 0, 0);
	extension_begin(self);
	void *(*next)(void *, size_t) = (void *(*)(void *, size_t))self->code;
	struct taken taken;

	if (!next || boot_owns(block))
		return block && bytes <= malloc_usable_size(block) ? block : NULL;
	if (!block || !extension_records(self, bytes))
		return next(block, bytes);
	extension_take(block, &taken);
	if (taken.was < TAG_MENDED && !SAMPLE_IS_ON)
		return next(block, bytes);
	choose(self->call, bytes);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	void *expanded = next(block, bytes + tag_room(self->call));
	real_leave(outer);
	return extension_resized(&taken, expanded, bytes, self->call);
}

// Does what realloc() does, but frees the old block on failure.
INLINE void *
reallocs_or_frees(struct extension *self, void *old, size_t bytes)
{
	extension_begin(self);
	if (self->code && !self->on && !boot_owns(old))
		return ((void *(*)(void *, size_t))self->code)(old, bytes);
	void *block = self->on ? hook_resize(old, bytes, self->call) : realloc(old, bytes);
	if (!block && old && bytes > 0)
		free(old);
	return block;
}

// BSD's libraries have reallocf(), too.
HOOK(void *, mi_reallocf, void *old, size_t bytes)
{
	return reallocs_or_frees(NEXT(mi_reallocf, 0, 0), old, bytes);
}

HOOK(void *, reallocf, void *old, size_t bytes)
{
	return reallocs_or_frees(NEXT(reallocf, 0, 0), old, bytes);
}

// Does what reallocarray() does, but returns an error number or 0. `at` is the address of the
// pointer to the block.
INLINE int
reallocs_at(struct extension *self, void *at, size_t count, size_t size)
{
	extension_begin(self);
	int (*next)(void *, size_t, size_t) = (int (*)(void *, size_t, size_t))self->code;
	size_t bytes = extension_product(count, size);
	void *old;

	if (!at || (next && !extension_records(self, bytes)))
		return next ? next(at, count, size) : EINVAL;
	memcpy(&old, at, sizeof(old));
	void *block = self->on ? hook_resize(old, bytes, self->call) : realloc(old, bytes);
	if (!block)
		return errno;
	memcpy(at, &block, sizeof(block));
	return 0;
}

// NetBSD has reallocarr(), too.
HOOK(int, mi_reallocarr, void *at, size_t count, size_t size)
{
	return reallocs_at(NEXT(mi_reallocarr, 0, 0), at, count, size);
}

HOOK(int, reallocarr, void *at, size_t count, size_t size)
{
	return reallocs_at(NEXT(reallocarr, 0, 0), at, count, size);
}

// Does what realloc() does, but throws if there is no memory. Before it throws, the allocator calls
// the C++ new-handler, which may free some memory. During that call the old block still has its
// tag.
INLINE void *
reallocs_or_throws(struct extension *self, void *old, struct words others)
{
	size_t wanted = extension_wanted(others);
	struct words words = extension_behind(old, others);
	struct taken taken;

	extension_begin(self);
	if (!self->code)
		return realloc(old, wanted);
	if (!extension_records(self, wanted))
		return (void *)extension_call(self->code, words);
	void *block = hook_resize(old, wanted, self->call);
	if (block)
		return block;
	if (!old)
		return (void *)extension_call(self->code, words);
	extension_take(old, &taken);
	record_stays(&taken);
	choose(self->call, wanted);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	block = (void *)extension_call(
		self->code, extension_asking(words, wanted + tag_room(self->call)));
	real_leave(outer);
	return extension_resized(&taken, block, wanted, self->call);
}

HOOK(void *, mi_new_realloc, void *old, size_t bytes)
{
	return reallocs_or_throws(NEXT(mi_new_realloc, 0, 0), old, WORDS(bytes));
}

HOOK(void *, mi_new_reallocn, void *old, size_t count, size_t size)
{
	return reallocs_or_throws(NEXT(mi_new_reallocn, 0, 0), old, WORDS_COUNTED(count, size));
}

INLINE char *
copied(const char *text, size_t length, struct hook_call *call)
{
	choose(call, length + 1);
	char *copy = real.malloc(length + 1 + tag_room(call));
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return extension_recorded(copy, length + 1, call);
}

HOOK(char *, mi_strdup, const char *text)
{
	struct extension *self = NEXT(mi_strdup, 0, 0);
	extension_begin(self);
	if (self->code && !self->on)
		return ((char *(*)(const char *))self->code)(text);
	if (!text)
		return NULL;
	return self->on ? copied(text, strlen(text), self->call) : libc.strdup(text);
}

HOOK(char *, mi_strndup, const char *text, size_t length)
{
	struct extension *self = NEXT(mi_strndup, 0, 0);
	extension_begin(self);
	if (self->code && !self->on)
		return ((char *(*)(const char *, size_t))self->code)(text, length);
	if (!text)
		return NULL;
	return self->on ? copied(text, strnlen(text, length), self->call)
			: libc.strndup(text, length);
}

// mimalloc's function calls the C library's realpath(), and copies the result into a block of its
// own. We call the C library's realpath() directly. It calls malloc(), so our hook records the
// block.
HOOK(char *, mi_realpath, const char *path, char *resolved)
{
	struct extension *self = NEXT(mi_realpath, 0, 0);
	extension_begin(self);
	if (self->code && !self->on)
		return ((char *(*)(const char *, char *))self->code)(path, resolved);
	return libc.realpath(path, resolved);
}
