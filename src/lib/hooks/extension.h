// SPDX-License-Identifier: BSD-2-Clause
// extension: the parts from which hooks are made for an allocator's functions beside malloc()'s
// family. Such are jemalloc's mallocx(), tcmalloc's tc_malloc() and mimalloc's mi_malloc().
//
// Who may call: these hooks, which work at any moment, as hook.h says. Nothing here allocates or
// waits, except the allocator's function, or a function called instead.
//
// A hook calls the next definition of its name: the function that the program's call would reach
// without us. If the allocator has this function, the block is recorded. If another library has it,
// the call is only passed on. If nobody has it, the hook calls a function of malloc()'s family. A
// hook without a next definition is called only if an object loaded at the start refers to it.

#ifndef PMEM_EXTENSION_H
#define PMEM_EXTENSION_H

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heap/next_symbol.h"
#include "heap/boot.h"
#include "heap/real.h"
#include "base/tag.h"
#include "heap/sample.h"
#include "hooks/record.h"
#include "hooks/hook.h"

// Hooks may run before our relocations are done. Hidden names are reached without relocations.
#pragma GCC visibility push(hidden)

#define INLINE static inline __attribute__((always_inline))

// The head of a hook for an allocator's function. The hook is exported under that function's name.
#define HOOK(type, function, ...) \
	static NEXT_NAME_NOTED const struct next_name next_##function = NEXT_NAME(#function); \
	static type hook_##function(__VA_ARGS__); \
	EXPORT(function, hook_##function); \
	static type hook_##function(__VA_ARGS__)

// One call of a HOOK().
struct extension {
	struct hook_call *call;
	const struct next_symbol *next;
	uintptr_t code;      // address of the next definition, or 0
	uintptr_t otherwise; // address of a function to call if `code` is 0; or 0
	bool on;        // true if the call must be recorded
};

// Makes a struct extension for the call of a HOOK(). Must be used in the hook itself, like CALL().
#define NEXT(function, function_otherwise, asked_alignment) \
	(&(struct extension){ \
		.call = &CALL_ALIGNED(hook_##function, #function, asked_alignment), \
		.next = next_symbol_of(&next_##function), \
		.otherwise = (uintptr_t)(function_otherwise)})

// The arguments of an allocator's function, without the block that is freed or resized. All are
// machine words: sizes, flags and addresses.
struct words {
	unsigned count;
	int size; // index of the word that is a block's size, or -1
	bool is_counted; // the word before the size is a count: the block has count * size bytes
	uintptr_t at[6];
};

#define WORDS_OF(size_at, with_count, ...) \
	((struct words){sizeof((uintptr_t[]){__VA_ARGS__}) / sizeof(uintptr_t), \
		size_at, with_count, {__VA_ARGS__}})

// The block's size is the first argument in WORDS(), and the second in WORDS_SIZE_LAST(). In
// WORDS_COUNTED() a count comes first, then the size. WORDS_UNSIZED() has no size.
#define WORDS(...) WORDS_OF(0, false, __VA_ARGS__)
#define WORDS_SIZE_LAST(...) WORDS_OF(1, false, __VA_ARGS__)
#define WORDS_COUNTED(...) WORDS_OF(1, true, __VA_ARGS__)
#define WORDS_UNSIZED(...) WORDS_OF(-1, false, __VA_ARGS__)

// Returns true if the call must be recorded. The next four functions do what functions of record.h
// with similar names do. They are not inlined: there are many hooks, and the code would be large.
bool extension_is_on(const struct next_symbol *next, const struct hook_call *call);
void *extension_recorded(void *block, size_t bytes, const struct hook_call *call);
void *extension_resized(
	const struct taken *taken, void *block, size_t bytes, const struct hook_call *call);
void extension_take(void *block, struct taken *taken);
void extension_gone(const struct taken *taken, const struct hook_call *call);

// Calls extension_take() and extension_gone(). Returns the block's usable size, or 0 if unknown.
size_t extension_released(void *block, const struct hook_call *call);

// Called for a resized block that must be zero beyond its old size. Zeroes the old tag's bytes,
// which the allocator took for the program's. Must precede the new tag.
void extension_zero_ours(void *block, const struct taken *taken);

// Does what realloc() does, but zeroes the bytes by which the block grows. Also aligns the block,
// unless `alignment` is 0. Called if no library defines the function that the program called.
void *extension_grown(void *old, size_t bytes, size_t alignment);

// Does what aligned_alloc() does, with the size before the alignment.
void *extension_aligned(size_t bytes, size_t alignment);

void *extension_zeroed(size_t bytes);

size_t extension_page(void);

// Returns the product. If it overflows, returns SIZE_MAX, a size that no allocator gives.
INLINE size_t
extension_product(size_t count, size_t size)
{
	size_t bytes;
	return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

// A tagged block has `usable` bytes. The program asked for `bytes`. Returns how many it may use.
INLINE size_t
extension_without_tag(size_t usable, size_t bytes)
{
	return tag_leaves(usable - TAG_BYTES, usable - TAG_BYTES - bytes);
}

// Fills in `on` and `code`. Each function below that does a hook's work calls this first.
INLINE void
extension_begin(struct extension *self)
{
	self->on = extension_is_on(self->next, self->call);
	self->code = self->next->code.start;
}

// Returns true if a call that requests `wanted` bytes must be recorded.
INLINE bool
extension_records(const struct extension *self, size_t wanted)
{
	return self->on && wanted <= BLOCK_BYTES_MAX;
}

typedef uintptr_t (*of_none)(void);
typedef uintptr_t (*of_one)(uintptr_t);
typedef uintptr_t (*of_two)(uintptr_t, uintptr_t);
typedef uintptr_t (*of_three)(uintptr_t, uintptr_t, uintptr_t);
typedef uintptr_t (*of_four)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef uintptr_t (*of_five)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef uintptr_t (*of_six)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

INLINE uintptr_t
extension_call(uintptr_t code, struct words words)
{
	const uintptr_t *at = words.at;

	switch (words.count) {
	case 0: return ((of_none)code)();
	case 1: return ((of_one)code)(at[0]);
	case 2: return ((of_two)code)(at[0], at[1]);
	case 3: return ((of_three)code)(at[0], at[1], at[2]);
	case 4: return ((of_four)code)(at[0], at[1], at[2], at[3]);
	case 5: return ((of_five)code)(at[0], at[1], at[2], at[3], at[4]);
	default: return ((of_six)code)(at[0], at[1], at[2], at[3], at[4], at[5]);
	}
}

// Returns the arguments with `block` as the first, before `words`.
INLINE struct words
extension_behind(const void *block, struct words words)
{
	return (struct words){words.count + 1, words.size + (words.size >= 0), words.is_counted,
		{(uintptr_t)block, words.at[0], words.at[1], words.at[2], words.at[3], words.at[4]}};
}

INLINE size_t
extension_wanted(struct words words)
{
	return words.is_counted ? extension_product(words.at[words.size - 1], words.at[words.size])
				: words.at[words.size];
}

// Called if there is no next definition: calls self->otherwise. That function gets a product
// instead of a count and a size, and 0 for missing arguments.
INLINE void *
extension_otherwise(const struct extension *self, struct words words)
{
	uintptr_t *at = words.at;

	if (words.is_counted) {
		at[words.size - 1] = extension_wanted(words);
		memmove(&at[words.size], &at[words.size + 1], 3 * sizeof(*at));
	}
	return (void *)((of_four)self->otherwise)(at[0], at[1], at[2], at[3]);
}

// Returns the arguments with `bytes` as the size, and 1 as the count if there is one.
INLINE struct words
extension_asking(struct words words, size_t bytes)
{
	if (words.is_counted)
		words.at[words.size - 1] = 1;
	words.at[words.size] = bytes;
	return words;
}

// Gives a new block of `wanted` bytes. Asks for `asked` bytes, and for a tag's bytes if needed.
INLINE void *
extension_give_for(
	const struct extension *self, size_t wanted, size_t asked, struct words words)
{
	choose_asking(self->call, wanted, asked);
	size_t room = room_for(self->call, wanted) - wanted;
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	void *block = (void *)extension_call(self->code, extension_asking(words, asked + room));
	if (misses(block, self->call->alignment)) {
		real.free(block);
		block = (void *)extension_call(
			self->code, extension_asking(words, asked + ROOM_AGAIN));
	}
	real_leave(outer);
	return extension_recorded(block, wanted, self->call);
}

// Gives a new block. Called after extension_begin().
INLINE void *
extension_give(const struct extension *self, struct words words)
{
	size_t wanted = extension_wanted(words);
	if (__builtin_expect(!self->code, 0))
		return is_booting() ? boot_alloc(self->call->alignment, wanted)
				    : extension_otherwise(self, words);
	if (!extension_records(self, wanted))
		return (void *)extension_call(self->code, words);
	return extension_give_for(self, wanted, wanted, words);
}

INLINE void *
extension_gives(struct extension *self, struct words words)
{
	extension_begin(self);
	return extension_give(self, words);
}

// Does a hook's work for a function that gives whole pages. The program may use the whole last
// page, so the tag comes after that page. The block's size cannot be predicted. So while sizes are
// only predicted (size_class_is_all()), it is recorded only if its tag is in the table.
INLINE void *
extension_gives_pages(struct extension *self, size_t bytes)
{
	size_t page = extension_page();
	size_t whole = (bytes + page - 1) & -page;
	extension_begin(self);
	if (bytes > BLOCK_BYTES_MAX - page
		|| (size_class_is_all() && !tag_table_takes(whole, 0)))
		self->on = false;
	if (!self->on)
		return extension_give(self, WORDS(bytes));
	self->call->alignment = page;
	return extension_give_for(self, bytes, whole, WORDS(bytes));
}

// Does a hook's work for a function that resizes a block, and leaves the block as it was on
// failure. If `zeroes`, the bytes by which the block grows must be zero.
INLINE void *
extension_resizes(struct extension *self, void *old, struct words others, bool zeroes)
{
	size_t wanted = extension_wanted(others);
	struct words words = extension_behind(old, others);
	struct taken taken = {.was = TAG_NONE};

	extension_begin(self);
	if (boot_owns(old))
		return hook_resize(old, wanted, self->call);
	if (__builtin_expect(!self->code, 0))
		return is_booting() ? boot_alloc(self->call->alignment, wanted)
				    : extension_otherwise(self, words);
	if (!extension_records(self, wanted))
		return (void *)extension_call(self->code, words);
	choose(self->call, wanted);
	if (old)
		extension_take(old, &taken);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	void *block = (void *)extension_call(
		self->code, extension_asking(words, wanted + tag_room(self->call)));
	if (misses(block, self->call->alignment)) {
		words.at[0] = (uintptr_t)block;
		void *again = (void *)extension_call(
			self->code, extension_asking(words, wanted + ROOM_AGAIN));
		block = again ? again : block;
	}
	real_leave(outer);
	if (!old)
		return extension_recorded(block, wanted, self->call);
	if (block && zeroes)
		extension_zero_ours(block, &taken);
	return extension_resized(&taken, block, wanted, self->call);
}

INLINE void *
extension_reallocs(struct extension *self, void *old, struct words words)
{
	size_t wanted = extension_wanted(words);

	extension_begin(self);
	if (boot_owns(old) || extension_records(self, wanted))
		return hook_resize(old, wanted, self->call);
	if (self->code)
		return (void *)extension_call(self->code, extension_behind(old, words));
	return is_booting() ? boot_alloc(0, wanted)
			    : extension_otherwise(self, extension_behind(old, words));
}

INLINE int
extension_aligns(struct extension *self, void **block, size_t alignment, size_t bytes)
{
	extension_begin(self);
	int (*next)(void **, size_t, size_t) = (int (*)(void **, size_t, size_t))self->code;

	if (!next && is_booting()) {
		*block = boot_alloc(alignment, bytes);
		return *block ? 0 : ENOMEM;
	}
	if (!next)
		return posix_memalign(block, alignment, bytes);
	if (!extension_records(self, bytes))
		return next(block, alignment, bytes);
	choose(self->call, bytes);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	int error = next(block, alignment, bytes + tag_room(self->call));
	if (error == 0 && misses(*block, alignment)) {
		real.free(*block);
		error = next(block, alignment, bytes + ROOM_AGAIN);
	}
	real_leave(outer);
	if (error == 0)
		extension_recorded(*block, bytes, self->call);
	return error;
}

// Does a hook's work for a function that frees a block. If the block's size is an argument, the
// allocator gets the usable size instead of the program's size.
INLINE void
extension_takes(struct extension *self, void *block, struct words words)
{
	extension_begin(self);
	if (!block || boot_owns(block))
		return;
	if (__builtin_expect(!self->code, 0)) {
		free(block);
		return;
	}
	if (!self->on) {
		extension_call(self->code, extension_behind(block, words));
		return;
	}
	size_t usable = extension_released(block, self->call);
	if (words.size >= 0 && usable > 0)
		words = extension_asking(words, usable);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	extension_call(self->code, extension_behind(block, words));
	real_leave(outer);
}

// Does a hook's work for a function that returns the usable size of a block. `words` include the
// block. A call by the allocator itself is only passed on.
INLINE size_t
extension_measures_by(struct extension *self, void *block, struct words words)
{
	extension_begin(self);
	bool is_theirs = !self->on || real_asks(self->call->at.frame.pc);
	if (!block || (self->code && !boot_owns(block) && is_theirs))
		return self->code ? extension_call(self->code, words) : 0;
	return hook_usable(block, self->call->at.frame.pc, self->call->at.frame.sp);
}

// Like extension_measures_by(), but `words` do not include the block, the first argument.
INLINE size_t
extension_measures(struct extension *self, void *block, struct words words)
{
	return extension_measures_by(self, block, extension_behind(block, words));
}

// Does a hook's work for a function that predicts the usable size of a block that is not allocated
// yet.
INLINE size_t
extension_foretells(struct extension *self, struct words words)
{
	size_t bytes = extension_wanted(words);

	extension_begin(self);
	if (!self->code)
		return bytes;
	if (!extension_records(self, bytes) || real_asks(self->call->at.frame.pc)
		|| tag_table_takes(bytes, self->call->alignment))
		return extension_call(self->code, words);
	size_t usable = extension_call(self->code, extension_asking(words, bytes + TAG_BYTES));
	size_t with_tag = usable > 0 ? extension_without_tag(usable, bytes) : 0;
	// It is not known yet whether the block will have a tag. The program may use the smaller of the
	// two sizes in either case. So the smaller size is returned.
	size_t without = SAMPLE_IS_ON ? extension_call(self->code, words) : SIZE_MAX;
	return with_tag < without ? with_tag : without;
}

#pragma GCC visibility pop

#endif
