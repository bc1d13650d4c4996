// entry: what the hooks of the allocators' own functions are made of, those that they have
// beside malloc()'s family: jemalloc's mallocx(), tcmalloc's tc_malloc(), mimalloc's
// mi_malloc() and their kin.
//
// Who may call: these hooks, whose callers are those of hook.h. Nothing here allocates or
// waits but the allocator's functions, and malloc()'s family where it has none.
//
// Only blocks of the allocator beneath us bear a tag. A definition that lies elsewhere is
// called as it is. Where there is none (what was loaded at the start asks for it all the same,
// and finds ours) malloc()'s family does the same as well as it can.

#ifndef PMEM_ENTRY_H
#define PMEM_ENTRY_H

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "next.h"
#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// Whether a call is to be recorded: the next definition is the allocator's, and it does not
// come from within that.
bool entry_begin(const struct next *next, const struct call *call);

// Where a resized block is to be zero beyond what it was: what was ours in the old one was
// carried over, and the allocator took it for the program's. Call it before the new tag.
void entry_zero_ours(void *block, const struct taken *taken);

// realloc() where nobody has such a function, with zeros, and at an alignment if that is
// not 0.
void *entry_grown(void *old, size_t bytes, size_t alignment);

size_t entry_page(void);

// So that the program may use the whole of the last page: the tag goes beyond.
size_t entry_pages(size_t bytes);

// What is recorded of a block of whole pages: nothing while sizes are only foretold,
// since there is no page to foretell.
size_t entry_pages_wanted(size_t bytes);

// As record.h has them, out of line: there are many hooks.
void *entry_recorded(void *block, size_t bytes, const struct call *call);
void *entry_resized(
	const struct taken *taken, void *block, size_t bytes, const struct call *call);
void entry_take(void *block, struct taken *taken);
void entry_gone(const struct taken *taken, const struct call *call);

// entry_take() and entry_gone(). The block's size as the allocator knows it, or 0.
size_t entry_released(void *block, const struct call *call);

// More than any allocator gives when that overflows.
static inline size_t
entry_product(size_t count, size_t size)
{
	size_t bytes;
	return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

// What the program may use of a block that has `usable` bytes and was asked for `bytes`.
static inline size_t
entry_without_tag(size_t usable, size_t bytes)
{
	size_t slack = usable - TAG_BYTES - bytes;
	return usable - TAG_BYTES - (slack >= TAG_WIDE ? sizeof(uint64_t) : 0);
}

// A hook's first lines: `code` is the next definition, `on` whether the call is recorded.
#define ENTRY_CALL(function, asked_alignment) \
	static struct next entry = {.name = #function}; \
	NEXT_NOTE(function, entry); \
	struct call call = CALL_ALIGNED(hook_##function, #function, asked_alignment); \
	bool on = entry_begin(&entry, &call); \
	uintptr_t code = entry.code.start

// A function that gives a new block of `wants` bytes. `arguments` are as the program has
// them; `with_tag` is the call with `room` for what is ours, `otherwise` one for where
// nobody has such a function.
#define ENTRY_GIVES(function, parameters, arguments, wants, aligned, with_tag, otherwise) \
	static void *hook_##function parameters \
	{ \
		ENTRY_CALL(function, aligned); \
		void *(*next) parameters = (void *(*) parameters)code; \
		size_t wanted = wants; \
		if (!next) \
			return is_booting() ? boot_alloc(call.alignment, wanted) : otherwise; \
		if (!on || wanted > BLOCK_BYTES_MAX) \
			return next arguments; \
		size_t room = room_for(wanted) - wanted; \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		void *block = with_tag; \
		if (misses(block, call.alignment)) { \
			room = ROOM_AGAIN; \
			real.free(block); \
			block = with_tag; \
		} \
		real_leave(outer); \
		return entry_recorded(block, wanted, &call); \
	} \
	EXPORT(function, hook_##function)

// One that resizes the block `old` and leaves it as it was when it fails. `zeroes` says
// that what the block grows by is to be zero.
#define ENTRY_RESIZES( \
	function, parameters, arguments, wants, aligned, with_tag, zeroes, otherwise) \
	static void *hook_##function parameters \
	{ \
		ENTRY_CALL(function, aligned); \
		void *(*next) parameters = (void *(*) parameters)code; \
		size_t wanted = wants; \
		struct taken taken = {.was = TAG_NONE}; \
		if (boot_owns(old)) \
			return hook_resize(old, wanted, &call); \
		if (!next) \
			return is_booting() ? boot_alloc(call.alignment, wanted) : otherwise; \
		if (!on || wanted > BLOCK_BYTES_MAX) \
			return next arguments; \
		if (old) \
			entry_take(old, &taken); \
		bool is_new = !old; \
		size_t room = TAG_BYTES; \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		void *block = with_tag; \
		if (misses(block, call.alignment)) { \
			room = ROOM_AGAIN; \
			old = block; \
			void *again = with_tag; \
			block = again ? again : block; \
		} \
		real_leave(outer); \
		if (is_new) \
			return entry_recorded(block, wanted, &call); \
		if (block && (zeroes)) \
			entry_zero_ours(block, &taken); \
		return entry_resized(&taken, block, wanted, &call); \
	} \
	EXPORT(function, hook_##function)

// One that is realloc() by another name.
#define ENTRY_REALLOCS(function, parameters, arguments, wants, otherwise) \
	static void *hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		void *(*next) parameters = (void *(*) parameters)code; \
		size_t wanted = wants; \
		if (boot_owns(old) || (on && wanted <= BLOCK_BYTES_MAX)) \
			return hook_resize(old, wanted, &call); \
		if (!next && is_booting()) \
			return boot_alloc(0, wanted); \
		return next ? next arguments : otherwise; \
	} \
	EXPORT(function, hook_##function)

// posix_memalign() by another name.
#define ENTRY_ALIGNS(function) \
	static int hook_##function(void **block, size_t alignment, size_t bytes) \
	{ \
		ENTRY_CALL(function, alignment); \
		int (*next)(void **, size_t, size_t) = (int (*)(void **, size_t, size_t))code; \
		if (!next && is_booting()) \
			*block = boot_alloc(alignment, bytes); \
		if (!next) \
			return is_booting() ? (*block ? 0 : ENOMEM) \
					    : posix_memalign(block, alignment, bytes); \
		if (!on || bytes > BLOCK_BYTES_MAX) \
			return next(block, alignment, bytes); \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		int error = next(block, alignment, bytes + TAG_BYTES); \
		if (error == 0 && misses(*block, alignment)) { \
			real.free(*block); \
			error = next(block, alignment, bytes + ROOM_AGAIN); \
		} \
		real_leave(outer); \
		if (error == 0) \
			entry_recorded(*block, bytes, &call); \
		return error; \
	} \
	EXPORT(function, hook_##function)

// One that takes `block` back. `sized` is the parameter that says how large it is, which
// the allocator is to hear as it knows it; or `unsized`.
#define ENTRY_TAKES(function, parameters, arguments, sized) \
	static void hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		void (*next) parameters = (void (*) parameters)code; \
		size_t usable, unsized = 0; \
		(void)unsized; \
		if (!block || boot_owns(block)) \
			return; \
		if (!next) { \
			free(block); \
			return; \
		} \
		if (!on) { \
			next arguments; \
			return; \
		} \
		usable = entry_released(block, &call); \
		if (usable > 0) \
			sized = usable; \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		next arguments; \
		real_leave(outer); \
	} \
	EXPORT(function, hook_##function)

// One that says how much of `block` may be used. What the allocator asks itself is answered
// with what it knows: it may do so at any time.
#define ENTRY_MEASURES(function, parameters, arguments) \
	static size_t hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		size_t (*next) parameters = (size_t (*) parameters)code; \
		bool is_theirs = !on || real_asks(call.at.frame.pc); \
		if (!block || (next && !boot_owns(block) && is_theirs)) \
			return next ? next arguments : 0; \
		return hook_usable(block, call.at.frame.pc, call.at.frame.sp); \
	} \
	EXPORT(function, hook_##function)

// One that foretells how much could be used of a block of `bytes`. `with_tag` as above.
#define ENTRY_FORETELLS(function, parameters, arguments, with_tag) \
	static size_t hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		size_t (*next) parameters = (size_t (*) parameters)code; \
		if (!next) \
			return bytes; \
		if (!on || real_asks(call.at.frame.pc) || bytes > BLOCK_BYTES_MAX) \
			return next arguments; \
		size_t usable = with_tag; \
		return usable > 0 ? entry_without_tag(usable, bytes) : 0; \
	} \
	EXPORT(function, hook_##function)

#pragma GCC visibility pop

#endif
