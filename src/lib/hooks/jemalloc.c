// jemalloc's own functions (jemalloc(3), "Non-standard API"). A block of any of them may be
// given to free(), and one of malloc()'s to them. tcmalloc has nallocx(), too.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"
#include "entry.h"

enum {
	FLAGS_LG_ALIGNMENT = 0x3f, // its base 2 logarithm; 0: none asked for
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

ENTRY_GIVES(mallocx, (size_t bytes, int flags), (bytes, flags),
	bytes, alignment_of(flags), next(bytes + room, flags), mallocx_otherwise(bytes, flags));

ENTRY_RESIZES(rallocx, (void *old, size_t bytes, int flags), (old, bytes, flags),
	bytes, alignment_of(flags), next(old, bytes + room, flags), flags & FLAGS_ZERO,
	entry_grown(old, bytes, alignment_of(flags)));

ENTRY_TAKES(dallocx, (void *block, int flags), (block, flags), unsized);

ENTRY_TAKES(sdallocx, (void *block, size_t bytes, int flags), (block, bytes, flags), bytes);

ENTRY_MEASURES(sallocx, (void *block, int flags), (block, flags));

ENTRY_FORETELLS(nallocx, (size_t bytes, int flags), (bytes, flags),
	next(bytes + TAG_BYTES, flags));

// Resizes in place, to `bytes` or up to `extra` more, and says how large the block is
// then: less than `bytes` when that could not be done, and nothing was. One of nobody's
// is left so.
static size_t
hook_xallocx(void *block, size_t bytes, size_t extra, int flags)
{
	ENTRY_CALL(xallocx, 0);
	size_t (*next)(void *, size_t, size_t, int)
		= (size_t (*)(void *, size_t, size_t, int))code;
	struct taken taken;

	if (!next || boot_owns(block))
		return malloc_usable_size(block);
	if (!on || bytes > BLOCK_BYTES_MAX)
		return next(block, bytes, extra, flags);
	entry_take(block, &taken);
	if (taken.was < TAG_MENDED)
		return next(block, bytes, extra, flags);
	uintptr_t outer = real_enter(call.at.frame.sp);
	next(block, bytes + TAG_BYTES, extra, flags);
	real_leave(outer);
	// Not what it returned: jemalloc 5.3 sometimes grows a block and says that it did not.
	size_t usable = real.malloc_usable_size(block);
	if (usable < bytes + TAG_BYTES && usable == taken.usable) {
		record_stays(&taken);
		return taken.tag.usable;
	}
	if (usable < bytes + TAG_BYTES)
		bytes = taken.tag.bytes;
	if (flags & FLAGS_ZERO)
		entry_zero_ours(block, &taken);
	entry_resized(&taken, block, bytes, &call);
	return entry_without_tag(usable, bytes);
}
EXPORT(xallocx, hook_xallocx);
