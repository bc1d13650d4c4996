// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "hooks/extension.h"

bool
extension_is_on(const struct next_symbol *next, const struct hook_call *call)
{
	bool on = is_call_on(call, SIZE_MAX);
	if (!next_symbol_is_ready())
		next_symbol_start();
	return on && real_owns_code(next->code.start);
}

// Returns a copy of the call. If its alignment is 0, the copy has SIZE_TO_ASK instead: the
// allocator must then be asked for the block's size. Sizes may be predicted only for malloc():
// other functions may give blocks of other sizes.
static struct hook_call
asking(const struct hook_call *call)
{
	struct hook_call copy = *call;
	if (copy.alignment == 0)
		copy.alignment = SIZE_TO_ASK;
	return copy;
}

void *
extension_recorded(void *block, size_t bytes, const struct hook_call *call)
{
	struct hook_call copy = asking(call);
	return recorded(block, bytes, &copy);
}

void *
extension_resized(
	const struct taken *taken, void *block, size_t bytes, const struct hook_call *call)
{
	struct hook_call copy = asking(call);
	return record_resized(taken, block, bytes, &copy);
}

void
extension_take(void *block, struct taken *taken)
{
	record_take(block, taken);
}

void
extension_gone(const struct taken *taken, const struct hook_call *call)
{
	record_gone(taken, call->at.frame.sp);
}

size_t
extension_released(void *block, const struct hook_call *call)
{
	struct taken taken;
	record_take(block, &taken);
	record_gone(&taken, call->at.frame.sp);
	bool in_table = taken.was >= TAG_MENDED && tag_table_has(&taken.tag, block);
	return in_table ? size_of_untagged(block) : taken.usable;
}

void
extension_zero_ours(void *block, const struct taken *taken)
{
	size_t usable = real.malloc_usable_size(block);
	size_t end = taken->usable < usable ? taken->usable : usable;

	if (taken->was >= TAG_MENDED && taken->tag.usable < end)
		memset((char *)block + taken->tag.usable, 0, end - taken->tag.usable);
}

void *
extension_grown(void *old, size_t bytes, size_t alignment)
{
	size_t had = malloc_usable_size(old);
	void *block = realloc(old, bytes);

	// Zeroes all usable bytes beyond the old usable ones, also those beyond `bytes`. Otherwise
	// bytes of the old tag would remain if the block grew in place by less than TAG_BYTES.
	size_t has = malloc_usable_size(block);
	if (has > had)
		memset((char *)block + had, 0, has - had);
	if (!block || alignment == 0 || (uintptr_t)block % alignment == 0)
		return block;
	void *aligned = aligned_alloc(alignment, bytes);
	if (aligned)
		memcpy(aligned, block, bytes);
	free(block);
	return aligned;
}

void *
extension_aligned(size_t bytes, size_t alignment)
{
	return aligned_alloc(alignment, bytes);
}

void *
extension_zeroed(size_t bytes)
{
	return calloc(1, bytes);
}

size_t
extension_page(void)
{
	return sys_page_bytes();
}
