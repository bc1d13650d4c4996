// SPDX-License-Identifier: BSD-2-Clause
// new_delete: C++'s operators new and delete. The next operator is what the program would call
// without us. There are three cases. If the allocator defines it, our hook requests a tag's bytes,
// too, as the hook for malloc() does. In the second case all operators are the C++ library's, and
// no library before ours defines one. Our hook then calls the real malloc() and free() itself. The
// C++ library's operator is then called only if there is no memory. In all other cases the call is
// only passed on. The operator calls malloc(), whose hook records the block, and operator_begin()
// makes the stack begin at the operator.
//
// An operator may throw through our frames, or call a handler that throws or allocates. So no lock
// or guard of ours is held while an operator runs. An exception may leave real_thread.inside set;
// real_enter() notices that later.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "heap/real.h"
#include "base/tag.h"
#include "stacks/operator.h"
#include "hooks/record.h"
#include "hooks/hook.h"

static inline __attribute__((always_inline)) void *
call_new(uintptr_t next, enum operator_form form, size_t bytes, size_t alignment,
	const void *nothrow)
{
	switch (form) {
	case OPERATOR_NEW_NOTHROW:
	case OPERATOR_NEW_ARRAY_NOTHROW:
		return ((void *(*)(size_t, const void *))next)(bytes, nothrow);
	case OPERATOR_NEW_ALIGNED:
	case OPERATOR_NEW_ARRAY_ALIGNED:
		return ((void *(*)(size_t, size_t))next)(bytes, alignment);
	case OPERATOR_NEW_ALIGNED_NOTHROW:
	case OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW:
		return ((void *(*)(size_t, size_t, const void *))next)(bytes, alignment, nothrow);
	default:
		return ((void *(*)(size_t))next)(bytes);
	}
}

// Does what malloc() or aligned_alloc() does. Called if only our library defines the operator:
// without us, the program would have found no operator.
static __attribute__((noinline)) void *
new_without_next(size_t bytes, size_t alignment)
{
	if (is_booting())
		return boot_alloc(alignment, bytes);
	return alignment > 0 ? aligned_alloc(alignment, bytes) : malloc(bytes);
}

// Returns how many bytes C++ libraries ask malloc() for if the program wants `bytes`. With this
// number, the recorded sizes are the same on each allocator. For 0 bytes, C++ libraries ask for 1.
// They round the size up to a multiple of a given alignment. Sizes of aligned types are multiples
// already.
static inline size_t
as_libraries_ask(size_t bytes, size_t alignment)
{
	bytes += bytes == 0;
	return alignment > 0 ? (bytes + alignment - 1) & -alignment : bytes;
}

// Allocates a block whose tag is in the table, as the hook for malloc() does.
static __attribute__((noinline)) void *
allocate_large(struct hook_call call, size_t bytes)
{
	choose(&call, bytes);
	return recorded(real.malloc(bytes + tag_room(&call)), bytes, &call);
}

// Does what operator new does. If there is no memory, calls the C++ library's operator, for its
// error handling.
static inline __attribute__((always_inline)) void *
allocate(enum operator_form form, struct hook_call *call, size_t bytes, size_t alignment,
	const void *nothrow)
{
	bool on = is_call_on(call, bytes);
	bool plain = operators_are_plain && alignment == 0 && on;
	void *block;

	if (__builtin_expect(plain && tag_table_leaves(bytes), 1)) {
		sample_choose(&call->choice, bytes);
		block = real.malloc(bytes + tag_room(call));
		if (__builtin_expect(block != NULL, 1)) {
			record_alloc(block, bytes, call);
			return block;
		}
	}
	if (plain && bytes <= BLOCK_BYTES_MAX) {
		block = allocate_large(*call, as_libraries_ask(bytes, 0));
		if (block)
			return block;
	}
	uintptr_t next = operator_next(form);
	if (__builtin_expect(!next, 0))
		return new_without_next(bytes, alignment);
	if (!on || !real_owns_code(next) || bytes > BLOCK_BYTES_MAX
		|| alignment > BLOCK_BYTES_MAX - bytes) {
		block = call_new(next, form, bytes, alignment, nothrow);
		// The call must be no tail call: the stack that malloc() captures must have our frame.
		__asm__ volatile("" : "+r"(block));
		return block;
	}
	size_t asked = bytes;
	bytes = as_libraries_ask(bytes, alignment);
	choose(call, bytes);
	if (tag_room(call) > 0)
		asked = bytes + tag_room(call);
	uintptr_t outer = real_enter(call->at.frame.sp);
	block = call_new(next, form, asked, alignment, nothrow);
	if (misses(block, alignment)) {
		real.free(block);
		block = call_new(next, form, bytes + ROOM_AGAIN, alignment, nothrow);
	}
	real_leave(outer);
	return recorded(block, bytes, call);
}

// If sampling leaves the block out, allocates it. Otherwise, or if there is no memory, returns
// NULL.
static inline __attribute__((always_inline)) void *
new_left_out(enum operator_form form, size_t bytes)
{
	bool is_commonest = form == OPERATOR_NEW || form == OPERATOR_NEW_ARRAY;
	return SAMPLE_IS_ON && is_commonest && operators_are_plain && passes(bytes)
		? passed(real.malloc(bytes), &bytes) : NULL;
}

// Makes the hook for one form of operator new. The arguments are the symbol, the form, the
// alignment or 0, std::nothrow or NULL, and the parameters.
#define NEW(symbol, form, given_alignment, given_nothrow, ...) \
	static void * \
	hook_##symbol(__VA_ARGS__) \
	{ \
		void *block = new_left_out(form, bytes); \
		if (block) \
			return block; \
		struct hook_call call \
			= CALL_ALIGNED(hook_##symbol, operators_readable[form], given_alignment); \
		return allocate(form, &call, bytes, given_alignment, given_nothrow); \
	} \
	EXPORT(symbol, hook_##symbol);

NEW(_Znwm, OPERATOR_NEW, 0, NULL, size_t bytes)
NEW(_Znam, OPERATOR_NEW_ARRAY, 0, NULL, size_t bytes)
NEW(_ZnwmRKSt9nothrow_t, OPERATOR_NEW_NOTHROW, 0, nothrow,
	size_t bytes, const void *nothrow)
NEW(_ZnamRKSt9nothrow_t, OPERATOR_NEW_ARRAY_NOTHROW, 0, nothrow,
	size_t bytes, const void *nothrow)
NEW(_ZnwmSt11align_val_t, OPERATOR_NEW_ALIGNED, alignment, NULL,
	size_t bytes, size_t alignment)
NEW(_ZnamSt11align_val_t, OPERATOR_NEW_ARRAY_ALIGNED, alignment, NULL,
	size_t bytes, size_t alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, OPERATOR_NEW_ALIGNED_NOTHROW, alignment, nothrow,
	size_t bytes, size_t alignment, const void *nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW, alignment, nothrow,
	size_t bytes, size_t alignment, const void *nothrow)

static inline __attribute__((always_inline)) void
call_delete(uintptr_t next, enum operator_form form, void *block, size_t bytes, size_t alignment,
	const void *nothrow)
{
	switch (form) {
	case OPERATOR_DELETE_SIZED:
	case OPERATOR_DELETE_ARRAY_SIZED:
		((void (*)(void *, size_t))next)(block, bytes);
		return;
	case OPERATOR_DELETE_NOTHROW:
	case OPERATOR_DELETE_ARRAY_NOTHROW:
		((void (*)(void *, const void *))next)(block, nothrow);
		return;
	case OPERATOR_DELETE_ALIGNED:
	case OPERATOR_DELETE_ARRAY_ALIGNED:
		((void (*)(void *, size_t))next)(block, alignment);
		return;
	case OPERATOR_DELETE_SIZED_ALIGNED:
	case OPERATOR_DELETE_ARRAY_SIZED_ALIGNED:
		((void (*)(void *, size_t, size_t))next)(block, bytes, alignment);
		return;
	case OPERATOR_DELETE_ALIGNED_NOTHROW:
	case OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW:
		((void (*)(void *, size_t, const void *))next)(block, alignment, nothrow);
		return;
	default:
		((void (*)(void *))next)(block);
	}
}

static inline enum operator_form
unsized(enum operator_form form)
{
	switch (form) {
	case OPERATOR_DELETE_SIZED: return OPERATOR_DELETE;
	case OPERATOR_DELETE_ARRAY_SIZED: return OPERATOR_DELETE_ARRAY;
	case OPERATOR_DELETE_SIZED_ALIGNED: return OPERATOR_DELETE_ALIGNED;
	case OPERATOR_DELETE_ARRAY_SIZED_ALIGNED: return OPERATOR_DELETE_ARRAY_ALIGNED;
	default: return form;
	}
}

static inline __attribute__((always_inline)) void
release(enum operator_form form, uintptr_t caller, uintptr_t cfa, void *block, size_t bytes,
	size_t alignment, const void *nothrow)
{
	if (__builtin_expect(operators_are_plain && alignment == 0, 1)) {
		struct slot_sample *own = release_passes(block, caller);
		if (own) {
			sample_add(&own->all.frees, 1);
			real.free(block); // own->free takes an instruction more here
		} else
			hook_release(block, caller, cfa);
		return;
	}
	bool on = is_on(caller, cfa, 0);
	uintptr_t next = operator_next(form);
	struct taken taken;

	// Blocks of the boot arena (boot.h) must not be passed to the next operator.
	if (__builtin_expect(boot_owns(block), 0))
		return;
	if (__builtin_expect(!next, 0)) {
		if (block)
			free(block);
		return;
	}
	if (!on || !real_owns_code(next) || !block) {
		call_delete(next, form, block, bytes, alignment, nothrow);
		return;
	}
	record_take(block, &taken);
	record_gone(&taken, cfa);
	// The program passes its own size, but the allocator was asked for more. Allocators that
	// predict sizes accept the usable size. Other allocators, such as LLVM's scudo, may end the
	// program if the size is not exactly the requested size. So their operator delete without a
	// size is called, if there is one.
	if (taken.usable > 0)
		bytes = taken.usable;
	if (taken.usable > 0 && !size_class_is_to_be_had() && operator_next(unsized(form))) {
		form = unsized(form);
		next = operator_next(form);
	}
	uintptr_t outer = real_enter(cfa);
	call_delete(next, form, block, bytes, alignment, nothrow);
	real_leave(outer);
}

// Makes the hook for one form of operator delete. The arguments are the symbol, the form, the size,
// the alignment, std::nothrow, and the parameters after the block. A missing size or alignment is
// 0, a missing std::nothrow is NULL.
#define DELETE(symbol, form, given_bytes, given_alignment, given_nothrow, ...) \
	static void \
	hook_##symbol(void *block, ##__VA_ARGS__) \
	{ \
		release(form, (uintptr_t)__builtin_return_address(0), \
			GUARD_CFA, block, given_bytes, given_alignment, given_nothrow); \
	} \
	EXPORT(symbol, hook_##symbol);

DELETE(_ZdlPv, OPERATOR_DELETE, 0, 0, NULL)
DELETE(_ZdaPv, OPERATOR_DELETE_ARRAY, 0, 0, NULL)
DELETE(_ZdlPvm, OPERATOR_DELETE_SIZED, bytes, 0, NULL, size_t bytes)
DELETE(_ZdaPvm, OPERATOR_DELETE_ARRAY_SIZED, bytes, 0, NULL, size_t bytes)
DELETE(_ZdlPvRKSt9nothrow_t, OPERATOR_DELETE_NOTHROW, 0, 0, nothrow, const void *nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, OPERATOR_DELETE_ARRAY_NOTHROW, 0, 0, nothrow,
	const void *nothrow)
DELETE(_ZdlPvSt11align_val_t, OPERATOR_DELETE_ALIGNED, 0, alignment, NULL,
	size_t alignment)
DELETE(_ZdaPvSt11align_val_t, OPERATOR_DELETE_ARRAY_ALIGNED, 0, alignment, NULL,
	size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, OPERATOR_DELETE_SIZED_ALIGNED, bytes, alignment, NULL,
	size_t bytes, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, OPERATOR_DELETE_ARRAY_SIZED_ALIGNED, bytes, alignment, NULL,
	size_t bytes, size_t alignment)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, OPERATOR_DELETE_ALIGNED_NOTHROW,
	0, alignment, nothrow, size_t alignment, const void *nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW,
	0, alignment, nothrow, size_t alignment, const void *nothrow)
