// SPDX-License-Identifier: BSD-2-Clause
// jemalloc: hooks for jemalloc's own functions (jemalloc(3), "Non-standard API"). A block from any
// of these functions may be passed to free(), and a block from malloc() to any of these functions.
// tcmalloc has nallocx(), too.

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

enum {
	FLAGS_LG_ALIGNMENT = 0x3f, // base 2 logarithm of the requested alignment, or 0
	FLAGS_ZERO = 0x40,
};

static size_t
alignment_of(int flags)
{
	int bits = flags & FLAGS_LG_ALIGNMENT;
	return bits > 0 ? (size_t)1 << bits : 0;
}

static __attribute__((noinline)) void *
mallocx_otherwise(size_t bytes, int flags)
{
	size_t alignment = alignment_of(flags);
	if (alignment == 0)
		return flags & FLAGS_ZERO ? calloc(1, bytes) : malloc(bytes);
	void *block = aligned_alloc(alignment, bytes);
	if (block && flags & FLAGS_ZERO)
		memset(block, 0, bytes);
	return block;
}

static void *
rallocx_otherwise(void *old, size_t bytes, int flags)
{
	return extension_grown(old, bytes, alignment_of(flags));
}

GIVES(mallocx, BYTES_FLAGS, mallocx_otherwise, alignment_of(flags))
RESIZES(rallocx, BYTES_FLAGS, rallocx_otherwise, alignment_of(flags), flags & FLAGS_ZERO)
TAKES(dallocx, FLAGS)
TAKES(sdallocx, BYTES_FLAGS)
MEASURES(sallocx, FLAGS)
FORETELLS(nallocx, BYTES_FLAGS, alignment_of(flags))

// Resizes a block in place: to `bytes`, or to at most `extra` more. Returns the block's size
// afterwards. If that size is less than `bytes`, the resize failed and nothing changed. If no
// allocator defines xallocx(), the block is left as it was.
HOOK(size_t, xallocx, void *block, size_t bytes, size_t extra, int flags)
{
	struct extension *self = NEXT(xallocx, 0, 0);
	extension_begin(self);
	size_t (*next)(void *, size_t, size_t, int)
		= (size_t (*)(void *, size_t, size_t, int))self->code;
	struct taken taken;

	if (!next || boot_owns(block))
		return malloc_usable_size(block);
	if (!extension_records(self, bytes))
		return next(block, bytes, extra, flags);
	extension_take(block, &taken);
	bool was_ours = taken.was >= TAG_MENDED;
	if (!was_ours && !SAMPLE_IS_ON)
		return next(block, bytes, extra, flags);
	// As in realloc(), sampling decides anew whether the block is recorded, whether or not it was
	// recorded before.
	choose(self->call, bytes);
	if (was_ours && tag_table_has(&taken.tag, block))
		taken.usable = taken.tag.usable = size_of_untagged(block);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	next(block, bytes + tag_room(self->call), extra, flags);
	real_leave(outer);
	// The returned size is not used: jemalloc 5.3 sometimes grows a block but returns its old size.
	size_t usable = real.malloc_usable_size(block);
	// If the block had no tag, all its usable bytes were the program's. The block may have grown to
	// `bytes`, but without room for a tag. Then the block stays without a tag.
	if (!was_ours && usable >= bytes && usable < bytes + tag_room(self->call))
		sample_leave_out(&self->call->choice);
	if (usable < bytes + tag_room(self->call) && (!was_ours || usable == taken.usable)) {
		record_stays(&taken);
		return was_ours ? taken.tag.usable : usable;
	}
	if (usable < bytes + tag_room(self->call)) {
		bytes = taken.tag.bytes;
		choose(self->call, bytes);
	}
	if (flags & FLAGS_ZERO)
		extension_zero_ours(block, &taken);
	extension_resized(&taken, block, bytes, self->call);
	if (tag_room(self->call) == 0)
		return usable;
	return extension_without_tag(usable, bytes);
}
