// mimalloc's own functions (mimalloc.h) but for heaps of a program's own. What they do that
// malloc() does not: they give zeros when a block grows, throw as operator new, copy texts.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"
#include "entry.h"

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

ENTRY_GIVES(mi_malloc, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), malloc(bytes));
ENTRY_GIVES(mi_zalloc, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), calloc(1, bytes));
ENTRY_GIVES(mi_calloc, (size_t count, size_t size), (count, size),
	entry_product(count, size), 0, next(1, wanted + room), calloc(count, size));
ENTRY_GIVES(mi_mallocn, (size_t count, size_t size), (count, size),
	entry_product(count, size), 0, next(1, wanted + room), malloc(wanted));

// They take no size above a limit, which our bytes may pass.
ENTRY_GIVES(mi_malloc_small, (size_t bytes), (bytes),
	bytes, 0, real.malloc(bytes + room), malloc(bytes));
ENTRY_GIVES(mi_zalloc_small, (size_t bytes), (bytes),
	bytes, 0, real.calloc(1, bytes + room), calloc(1, bytes));

ENTRY_GIVES(mi_new, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), _Znwm(bytes));
ENTRY_GIVES(mi_new_n, (size_t count, size_t size), (count, size),
	entry_product(count, size), 0, next(1, wanted + room), _Znwm(wanted));
ENTRY_GIVES(mi_new_nothrow, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), malloc(bytes));
ENTRY_GIVES(mi_new_aligned, (size_t bytes, size_t alignment), (bytes, alignment),
	bytes, alignment, next(bytes + room, alignment), _ZnwmSt11align_val_t(bytes, alignment));
ENTRY_GIVES(mi_new_aligned_nothrow, (size_t bytes, size_t alignment), (bytes, alignment),
	bytes, alignment, next(bytes + room, alignment), aligned_alloc(alignment, bytes));

ENTRY_REALLOCS(mi_realloc, (void *old, size_t bytes), (old, bytes),
	bytes, realloc(old, bytes));
ENTRY_REALLOCS(mi_reallocn, (void *old, size_t count, size_t size), (old, count, size),
	entry_product(count, size), realloc(old, wanted));
ENTRY_REALLOCS(mi_reallocarray, (void *old, size_t count, size_t size), (old, count, size),
	entry_product(count, size), reallocarray(old, count, size));

// What a block grew by is zero where that is the allocator's work; else it is nobody's.
ENTRY_RESIZES(mi_rezalloc, (void *old, size_t bytes), (old, bytes),
	bytes, 0, next(old, bytes + room), true, entry_grown(old, bytes, 0));
ENTRY_RESIZES(mi_recalloc, (void *old, size_t count, size_t size), (old, count, size),
	entry_product(count, size), 0, next(old, 1, wanted + room), true,
	entry_grown(old, wanted, 0));

ENTRY_TAKES(mi_free, (void *block), (block), unsized);
ENTRY_TAKES(mi_free_size, (void *block, size_t bytes), (block, bytes), bytes);
ENTRY_TAKES(mi_free_aligned, (void *block, size_t alignment), (block, alignment), unsized);
ENTRY_TAKES(mi_free_size_aligned, (void *block, size_t bytes, size_t alignment),
	(block, bytes, alignment), bytes);

ENTRY_MEASURES(mi_usable_size, (void *block), (block));
ENTRY_MEASURES(mi_malloc_size, (void *block), (block));
ENTRY_MEASURES(mi_malloc_usable_size, (void *block), (block));
ENTRY_FORETELLS(mi_good_size, (size_t bytes), (bytes), next(bytes + TAG_BYTES));
ENTRY_FORETELLS(mi_malloc_good_size, (size_t bytes), (bytes), next(bytes + TAG_BYTES));

// As other systems have them; malloc_size() is tcmalloc's, too.
ENTRY_MEASURES(malloc_size, (void *block), (block));
ENTRY_FORETELLS(malloc_good_size, (size_t bytes), (bytes), next(bytes + TAG_BYTES));
ENTRY_TAKES(vfree, (void *block), (block), unsized);

// In place, or not at all.
static void *
hook_mi_expand(void *block, size_t bytes)
{
	ENTRY_CALL(mi_expand, 0);
	void *(*next)(void *, size_t) = (void *(*)(void *, size_t))code;
	struct taken taken;

	if (!next || boot_owns(block))
		return block && bytes <= malloc_usable_size(block) ? block : NULL;
	if (!on || !block || bytes > BLOCK_BYTES_MAX)
		return next(block, bytes);
	entry_take(block, &taken);
	if (taken.was < TAG_MENDED)
		return next(block, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *grown = next(block, bytes + TAG_BYTES);
	real_leave(outer);
	return entry_resized(&taken, grown, bytes, &call);
}
EXPORT(mi_expand, hook_mi_expand);

// One that frees the block when it fails. BSD's libraries have reallocf(), too.
#define REALLOCF(function) \
	static void *hook_##function(void *old, size_t bytes) \
	{ \
		ENTRY_CALL(function, 0); \
		void *(*next)(void *, size_t) = (void *(*)(void *, size_t))code; \
		if (next && !on && !boot_owns(old)) \
			return next(old, bytes); \
		void *block = on ? hook_resize(old, bytes, &call) : realloc(old, bytes); \
		if (!block && old && bytes > 0) \
			free(old); \
		return block; \
	} \
	EXPORT(function, hook_##function)

REALLOCF(mi_reallocf);
REALLOCF(reallocf);

// They tell an error by their result, and take the address of the block's. NetBSD has
// reallocarr(), too.
#define REALLOCARR(function) \
	static int hook_##function(void *at, size_t count, size_t size) \
	{ \
		ENTRY_CALL(function, 0); \
		int (*next)(void *, size_t, size_t) = (int (*)(void *, size_t, size_t))code; \
		size_t bytes = entry_product(count, size); \
		void *old; \
		if (!at || (next && (!on || bytes > BLOCK_BYTES_MAX))) \
			return next ? next(at, count, size) : EINVAL; \
		memcpy(&old, at, sizeof(old)); \
		void *block = on ? hook_resize(old, bytes, &call) : realloc(old, bytes); \
		if (!block) \
			return errno; \
		memcpy(at, &block, sizeof(block)); \
		return 0; \
	} \
	EXPORT(function, hook_##function)

REALLOCARR(mi_reallocarr);
REALLOCARR(reallocarr);

// They throw where there is no memory, unless the new-handler finds some. Meanwhile the
// block is as it was, with its tag. `again` is the call that may throw.
#define NEW_REALLOC(function, parameters, arguments, wants, again) \
	static void *hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		void *(*next) parameters = (void *(*) parameters)code; \
		size_t wanted = wants; \
		struct taken taken; \
		if (!next) \
			return realloc(old, wanted); \
		if (!on || wanted > BLOCK_BYTES_MAX) \
			return next arguments; \
		void *block = hook_resize(old, wanted, &call); \
		if (block) \
			return block; \
		if (!old) \
			return next arguments; \
		entry_take(old, &taken); \
		record_stays(&taken); \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		block = again; \
		real_leave(outer); \
		return entry_resized(&taken, block, wanted, &call); \
	} \
	EXPORT(function, hook_##function)

NEW_REALLOC(mi_new_realloc, (void *old, size_t bytes), (old, bytes),
	bytes, next(old, bytes + TAG_BYTES));
NEW_REALLOC(mi_new_reallocn, (void *old, size_t count, size_t size), (old, count, size),
	entry_product(count, size), next(old, 1, wanted + TAG_BYTES));

static inline __attribute__((always_inline)) char *
copied(const char *text, size_t length, const struct call *call)
{
	char *copy = real.malloc(length + 1 + TAG_BYTES);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return entry_recorded(copy, length + 1, call);
}

static char *
hook_mi_strdup(const char *text)
{
	ENTRY_CALL(mi_strdup, 0);
	if (code && !on)
		return ((char *(*)(const char *))code)(text);
	if (!text)
		return NULL;
	return on ? copied(text, strlen(text), &call) : libc.strdup(text);
}
EXPORT(mi_strdup, hook_mi_strdup);

static char *
hook_mi_strndup(const char *text, size_t length)
{
	ENTRY_CALL(mi_strndup, 0);
	if (code && !on)
		return ((char *(*)(const char *, size_t))code)(text, length);
	if (!text)
		return NULL;
	return on ? copied(text, strnlen(text, length), &call) : libc.strndup(text, length);
}
EXPORT(mi_strndup, hook_mi_strndup);

// It calls the C library's, which calls malloc(), and copies that to a block of its own.
static char *
hook_mi_realpath(const char *path, char *resolved)
{
	ENTRY_CALL(mi_realpath, 0);
	if (code && !on)
		return ((char *(*)(const char *, char *))code)(path, resolved);
	return libc.realpath(path, resolved);
}
EXPORT(mi_realpath, hook_mi_realpath);
