// SPDX-License-Identifier: BSD-2-Clause
// mimalloc's own functions (mimalloc.h) but for heaps of a program's own. What they do that
// malloc() does not: they give zeros when a block grows, throw as operator new, copy texts.

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

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

// What does the same where nobody has mimalloc's.

static void *
zeroed(size_t bytes)
{
	return calloc(1, bytes);
}

static void *
array(size_t count, size_t size)
{
	return malloc(extension_product(count, size));
}

static void *
new_array(size_t count, size_t size)
{
	return _Znwm(extension_product(count, size));
}

static void *
realloc_array(void *old, size_t count, size_t size)
{
	return realloc(old, extension_product(count, size));
}

static void *
grown(void *old, size_t bytes)
{
	return extension_grown(old, bytes, 0);
}

static void *
grown_array(void *old, size_t count, size_t size)
{
	return extension_grown(old, extension_product(count, size), 0);
}

HOOK(void *, mi_malloc, size_t bytes)
{
	return extension_gives(NEXT(mi_malloc, malloc, 0), WORDS(bytes));
}

HOOK(void *, mi_zalloc, size_t bytes)
{
	return extension_gives(NEXT(mi_zalloc, zeroed, 0), WORDS(bytes));
}

HOOK(void *, mi_calloc, size_t count, size_t size)
{
	return extension_gives(NEXT(mi_calloc, calloc, 0), WORDS_COUNTED(count, size));
}

HOOK(void *, mi_mallocn, size_t count, size_t size)
{
	return extension_gives(NEXT(mi_mallocn, array, 0), WORDS_COUNTED(count, size));
}

// They take no size above a limit, which our bytes may pass.

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
	struct extension *self = NEXT(mi_zalloc_small, zeroed, 0);
	extension_begin(self);
	if (!extension_records(self, bytes))
		return extension_give(self, WORDS(bytes));
	self->code = (uintptr_t)real.calloc;
	return extension_give(self, WORDS_COUNTED(1, bytes));
}

HOOK(void *, mi_new, size_t bytes)
{
	return extension_gives(NEXT(mi_new, _Znwm, 0), WORDS(bytes));
}

HOOK(void *, mi_new_n, size_t count, size_t size)
{
	return extension_gives(NEXT(mi_new_n, new_array, 0), WORDS_COUNTED(count, size));
}

HOOK(void *, mi_new_nothrow, size_t bytes)
{
	return extension_gives(NEXT(mi_new_nothrow, malloc, 0), WORDS(bytes));
}

HOOK(void *, mi_new_aligned, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(mi_new_aligned, _ZnwmSt11align_val_t, alignment),
		WORDS(bytes, alignment));
}

HOOK(void *, mi_new_aligned_nothrow, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(mi_new_aligned_nothrow, extension_aligned, alignment),
		WORDS(bytes, alignment));
}

HOOK(void *, mi_realloc, void *old, size_t bytes)
{
	return extension_reallocs(NEXT(mi_realloc, realloc, 0), old, WORDS(bytes));
}

HOOK(void *, mi_reallocn, void *old, size_t count, size_t size)
{
	return extension_reallocs(NEXT(mi_reallocn, realloc_array, 0),
		old, WORDS_COUNTED(count, size));
}

HOOK(void *, mi_reallocarray, void *old, size_t count, size_t size)
{
	return extension_reallocs(NEXT(mi_reallocarray, reallocarray, 0),
		old, WORDS_COUNTED(count, size));
}

// What a block grew by is zero where that is the allocator's work; else it is nobody's.
HOOK(void *, mi_rezalloc, void *old, size_t bytes)
{
	return extension_resizes(NEXT(mi_rezalloc, grown, 0), old, WORDS(bytes), true);
}

HOOK(void *, mi_recalloc, void *old, size_t count, size_t size)
{
	return extension_resizes(NEXT(mi_recalloc, grown_array, 0),
		old, WORDS_COUNTED(count, size), true);
}

HOOK(void, mi_free, void *block)
{
	extension_takes(NEXT(mi_free, 0, 0), block, WORDS_UNSIZED());
}

HOOK(void, mi_free_size, void *block, size_t bytes)
{
	extension_takes(NEXT(mi_free_size, 0, 0), block, WORDS(bytes));
}

HOOK(void, mi_free_aligned, void *block, size_t alignment)
{
	extension_takes(NEXT(mi_free_aligned, 0, 0), block, WORDS_UNSIZED(alignment));
}

HOOK(void, mi_free_size_aligned, void *block, size_t bytes, size_t alignment)
{
	extension_takes(NEXT(mi_free_size_aligned, 0, 0), block, WORDS(bytes, alignment));
}

HOOK(size_t, mi_usable_size, void *block)
{
	return extension_measures(NEXT(mi_usable_size, 0, 0), block, WORDS_UNSIZED());
}

HOOK(size_t, mi_malloc_size, void *block)
{
	return extension_measures(NEXT(mi_malloc_size, 0, 0), block, WORDS_UNSIZED());
}

HOOK(size_t, mi_malloc_usable_size, void *block)
{
	return extension_measures(NEXT(mi_malloc_usable_size, 0, 0),
		block, WORDS_UNSIZED());
}

HOOK(size_t, mi_good_size, size_t bytes)
{
	return extension_foretells(NEXT(mi_good_size, 0, 0), WORDS(bytes));
}

HOOK(size_t, mi_malloc_good_size, size_t bytes)
{
	return extension_foretells(NEXT(mi_malloc_good_size, 0, 0), WORDS(bytes));
}

// As other systems have them; malloc_size() is tcmalloc's, too.
HOOK(size_t, malloc_size, void *block)
{
	return extension_measures(NEXT(malloc_size, 0, 0), block, WORDS_UNSIZED());
}

HOOK(size_t, malloc_good_size, size_t bytes)
{
	return extension_foretells(NEXT(malloc_good_size, 0, 0), WORDS(bytes));
}

HOOK(void, vfree, void *block)
{
	extension_takes(NEXT(vfree, 0, 0), block, WORDS_UNSIZED());
}

// In place, or not at all.
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

// Frees the block when it fails.
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

// Tells an error by its result, and takes the address of the block's.
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

// Throws where there is no memory, unless the new-handler finds some. Meanwhile the block is as it
// was, with its tag.
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

// It calls the C library's, which calls malloc(), and copies that to a block of its own.
HOOK(char *, mi_realpath, const char *path, char *resolved)
{
	struct extension *self = NEXT(mi_realpath, 0, 0);
	extension_begin(self);
	if (self->code && !self->on)
		return ((char *(*)(const char *, char *))self->code)(path, resolved);
	return libc.realpath(path, resolved);
}
