// The exported malloc family; memalign()'s half of it is in hooks_aligned.c. Reading starts
// here: a hook calls the real allocator, takes the guard, captures the stack, finds its
// source, tags the block, adds churn, and now and then writes a snapshot.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "guard.h"
#include "loss.h"
#include "real.h"
#include "tag.h"
#include "module.h"
#include "source.h"
#include "record.h"
#include "hook.h"

static void *
hook_malloc(size_t bytes)
{
	struct call call = CALL(hook_malloc, "malloc");
	if (!is_on())
		return is_booting() ? real_boot_alloc(0, bytes) : real.malloc(bytes);
	if (bytes > BLOCK_BYTES_MAX)
		return real.malloc(bytes);
	return recorded(real.malloc(bytes + TAG_BYTES), bytes, &call);
}
EXPORT(malloc, hook_malloc);

static void *
hook_calloc(size_t count, size_t size)
{
	struct call call = CALL(hook_calloc, "calloc");
	size_t bytes;
	bool overflows = __builtin_mul_overflow(count, size, &bytes) || bytes > BLOCK_BYTES_MAX;

	if (!is_on())
		return is_booting() ? real_boot_alloc(0, overflows ? SIZE_MAX : bytes)
				    : real.calloc(count, size);
	if (overflows)
		return real.calloc(count, size);
	return recorded(real.calloc(1, bytes + TAG_BYTES), bytes, &call);
}
EXPORT(calloc, hook_calloc);

// A block of the boot arena moves out of it and is left behind.
static inline __attribute__((always_inline)) void *
resize_boot_block(void *old, size_t bytes, const struct call *call)
{
	if (is_booting() || bytes > BLOCK_BYTES_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	bool on = is_on();
	size_t had = real_boot_bytes(old);
	void *block = real.malloc(on ? bytes + TAG_BYTES : bytes);
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return on ? recorded(block, bytes, call) : block;
}

// The block realloc(old, 0) may return is as small as its maker pleases: without room for
// a tag it is nobody's.
static inline __attribute__((always_inline)) void *
resize_to_nothing(void *old, const struct call *call)
{
	void *block = real.realloc(old, 0);
	if (block && real.malloc_usable_size(block) >= TAG_BYTES)
		record_alloc(block, 0, call);
	return block;
}

// What a block's tag is worth. Out of line what is rare: a block that was never ours, or
// that the program wrote past the end of.
static __attribute__((noinline)) enum tag_state
judge(void *block, size_t usable, struct tag *tag)
{
	return tag_judge(block, usable, source_count(), tag);
}

static inline __attribute__((always_inline)) enum tag_state
state_of(void *block, size_t usable, struct tag *tag)
{
	return __builtin_expect(tag_read(block, usable, tag), 1) ? TAG_WHOLE
								  : judge(block, usable, tag);
}

// Such a block is on its way back.
static __attribute__((noinline)) void
count_loss(enum tag_state was)
{
	if (was != TAG_NONE)
		loss_count(LOSS_DAMAGED);
	else if (!guard_is_internal())
		loss_count(LOSS_UNTRACKED_FREES);
}

// realloc() but for overflow. The old block's tag is wiped before, since the block may be
// another's after, and put back when nothing came of it.
static inline __attribute__((always_inline)) void *
resize(void *old, size_t bytes, const struct call *call)
{
	struct tag tag = {0};
	void *block;

	if (real_boot_owns(old))
		return resize_boot_block(old, bytes, call);
	if (bytes > BLOCK_BYTES_MAX)
		return real.realloc(old, bytes);
	if (!old)
		return recorded(real.realloc(NULL, bytes + TAG_BYTES), bytes, call);

	enum tag_state was = state_of(old, real_block_bytes(old), &tag);
	bool ours = was >= TAG_MENDED;
	if (ours)
		tag_wipe(&tag);
	if (bytes > 0)
		block = recorded(real.realloc(old, bytes + TAG_BYTES), bytes, call);
	else
		block = resize_to_nothing(old, call);
	if (!block && bytes > 0) {
		if (ours)
			tag_restore(&tag);
		return NULL;
	}
	if (ours)
		record_free(&tag, call->at.frame.sp);
	if (was != TAG_WHOLE)
		count_loss(was);
	return block;
}

static void *
hook_realloc(void *old, size_t bytes)
{
	struct call call = CALL(hook_realloc, "realloc");
	if (is_on() || real_boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : real_boot_alloc(0, bytes);
	return real.realloc(old, bytes);
}
EXPORT(realloc, hook_realloc);

static void *
hook_reallocarray(void *old, size_t count, size_t size)
{
	struct call call = CALL(hook_reallocarray, "reallocarray");
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_on() || real_boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : real_boot_alloc(0, bytes);
	return real.reallocarray(old, count, size);
}
EXPORT(reallocarray, hook_reallocarray);

// A block that bears no tag is not ours to judge: the real free() reports what is wrong.
static inline __attribute__((always_inline)) void
release(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct tag tag;

	if (__builtin_expect(!block || real_boot_owns(block), 0))
		return;
	if (__builtin_expect(!is_on(), 0)) {
		if (!is_booting())
			real.free(block);
		return;
	}
	if (module_loader_calls(caller))
		__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELEASE);
	enum tag_state was = state_of(block, real_block_bytes(block), &tag);
	if (was >= TAG_MENDED) {
		tag_wipe(&tag);
		record_free(&tag, cfa);
	}
	if (__builtin_expect(was != TAG_WHOLE, 0))
		count_loss(was);
	real.free(block);
}

static void
hook_free(void *block)
{
	release(block, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa());
}
EXPORT(free, hook_free);
EXPORT(cfree, hook_free);

// C23, 7.24.3.4 and 7.24.3.5. The real allocator knows another size than the program.
static void
hook_free_sized(void *block, size_t bytes)
{
	(void)bytes;
	release(block, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa());
}
EXPORT(free_sized, hook_free_sized);

static void
hook_free_aligned_sized(void *block, size_t alignment, size_t bytes)
{
	(void)alignment, (void)bytes;
	release(block, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa());
}
EXPORT(free_aligned_sized, hook_free_aligned_sized);

// What is the tag's is not the program's to write to.
static size_t
hook_malloc_usable_size(void *block)
{
	struct tag tag;

	if (block && real_boot_owns(block))
		return real_boot_bytes(block);
	if (!block || !is_on())
		return is_booting() ? 0 : real.malloc_usable_size(block);
	size_t usable = real_block_bytes(block);
	if (state_of(block, usable, &tag) != TAG_NONE)
		return tag.usable;
	return usable ? usable : real.malloc_usable_size(block);
}
EXPORT(malloc_usable_size, hook_malloc_usable_size);
