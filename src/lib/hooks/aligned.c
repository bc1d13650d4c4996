// SPDX-License-Identifier: BSD-2-Clause
// aligned: the exported functions that allocate at an alignment. Blocks from these functions are
// resized and freed by the hooks of malloc.c and free.c.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sys.h"
#include "heap/real.h"
#include "base/tag.h"
#include "heap/size_class.h"
#include "hooks/record.h"
#include "hooks/hook.h"

static int
hook_posix_memalign(void **block, size_t alignment, size_t bytes)
{
	struct hook_call call = CALL_ALIGNED(hook_posix_memalign, "posix_memalign", given(alignment));

	if (!is_derived_on(&call, bytes) && is_booting()) {
		*block = boot_alloc(alignment, bytes);
		return *block ? 0 : ENOMEM;
	}
	if (!is_derived_on(&call, bytes) || bytes > BLOCK_BYTES_MAX)
		return real.posix_memalign(block, alignment, bytes);
	choose(&call, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	int error = real.posix_memalign(block, alignment, room_for(&call, bytes));
	if (error == 0 && misses(*block, alignment)) {
		real.free(*block);
		error = real.posix_memalign(block, alignment, bytes + ROOM_AGAIN);
	}
	real_leave(outer);
	if (error == 0)
		recorded(*block, bytes, &call);
	return error;
}
EXPORT(posix_memalign, hook_posix_memalign);

static void *
hook_memalign(size_t alignment, size_t bytes)
{
	struct hook_call call = CALL_ALIGNED(hook_memalign, "memalign", given(alignment));
	if (!is_derived_on(&call, bytes))
		return is_booting() ? boot_alloc(alignment, bytes)
				    : real.memalign(alignment, bytes);
	if (bytes > BLOCK_BYTES_MAX)
		return real.memalign(alignment, bytes);
	choose(&call, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *block = real.memalign(alignment, room_for(&call, bytes));
	if (misses(block, alignment)) {
		real.free(block);
		block = real.memalign(alignment, bytes + ROOM_AGAIN);
	}
	real_leave(outer);
	return recorded(block, bytes, &call);
}
EXPORT(memalign, hook_memalign);

// Returns how many bytes to request from an allocator that accepts only multiples of the alignment.
// The program wants `bytes`; `room` is `bytes` and the tag's bytes. If `bytes` is a multiple,
// returns the next multiple, which has room for the tag. Otherwise the program itself asks for no
// multiple: returns `room`.
static size_t
next_multiple(size_t room, size_t bytes, size_t alignment)
{
	bool is_multiple = alignment > TAG_BYTES && bytes % alignment == 0;
	return is_multiple && room > bytes ? bytes + alignment : room;
}

static void *
hook_aligned_alloc(size_t alignment, size_t bytes)
{
	struct hook_call call = CALL_ALIGNED(hook_aligned_alloc, "aligned_alloc", given(alignment));
	if (!is_call_on(&call, bytes))
		return is_booting() ? boot_alloc(alignment, bytes)
				    : real.aligned_alloc(alignment, bytes);
	if (bytes > BLOCK_BYTES_MAX || alignment > BLOCK_BYTES_MAX - bytes)
		return real.aligned_alloc(alignment, bytes);
	choose(&call, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	size_t room = room_for(&call, bytes), multiple = next_multiple(room, bytes, alignment);
	// C11 lets allocators refuse a size that is no multiple of the alignment. Some allocators, such
	// as LLVM's scudo, even end the program. So `room` bytes are requested only from allocators
	// that we know: glibc's, and allocators that predict sizes. If a known allocator refuses, the
	// multiple is requested.
	bool is_lenient = real_is_glibcs() || size_class_is_to_be_had();
	int before = errno;
	void *block = real.aligned_alloc(alignment, is_lenient ? room : multiple);
	if (!block && is_lenient && multiple > room) {
		errno = before;
		block = real.aligned_alloc(alignment, multiple);
	}
	if (misses(block, alignment)) {
		real.free(block);
		block = real.aligned_alloc(alignment, bytes + ROOM_AGAIN);
	}
	real_leave(outer);
	return recorded(block, bytes, &call);
}
EXPORT(aligned_alloc, hook_aligned_alloc);

static void *
hook_valloc(size_t bytes)
{
	size_t page = sys_page_bytes();
	struct hook_call call = CALL_ALIGNED(hook_valloc, "valloc", page);
	if (!is_derived_on(&call, bytes))
		return is_booting() ? boot_alloc(page, bytes)
				    : real.valloc(bytes);
	if (bytes > BLOCK_BYTES_MAX)
		return real.valloc(bytes);
	choose(&call, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *block = real.valloc(room_for(&call, bytes));
	if (misses(block, page)) {
		real.free(block);
		block = real.valloc(bytes + ROOM_AGAIN);
	}
	real_leave(outer);
	return recorded(block, bytes, &call);
}
EXPORT(valloc, hook_valloc);

static void *
hook_pvalloc(size_t bytes)
{
	size_t page = sys_page_bytes();
	struct hook_call call = CALL_ALIGNED(hook_pvalloc, "pvalloc", page);

	if (!is_derived_on(&call, bytes))
		return is_booting() ? boot_alloc(page, (bytes + page - 1) & -page)
				    : real.pvalloc(bytes);
	// The program may use the whole last page. So the tag lies after that page.
	size_t whole = (bytes + page - 1) & -page;
	if (bytes > BLOCK_BYTES_MAX - page
		|| (size_class_is_all() && !tag_table_takes(whole, 0)))
		return real.pvalloc(bytes);
	choose_asking(&call, bytes, whole);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *block = real.pvalloc(whole + tag_room(&call));
	real_leave(outer);
	return recorded(block, bytes, &call);
}
EXPORT(pvalloc, hook_pvalloc);
