// The exported malloc family. Reading starts here: a hook calls the real allocator, takes
// the guard, captures the stack, finds its source, tags the block, adds churn, and now and
// then writes a snapshot.
//
// Any hook is valid at any moment: before our constructor, after our destructor, in a
// handler that interrupted another hook. It returns what the real function returned, with
// the errno that one left; what we do after it leaves errno alone.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"
#include "loss.h"
#include "real.h"
#include "tag.h"
#include "module.h"
#include "thread.h"
#include "stack.h"
#include "source.h"
#include "churn.h"
#include "snapshot.h"

// The functions are hidden under names of their own, so that &hook_malloc is our address
// whatever the program calls malloc.
#define EXPORT(function, hook) \
	extern __typeof__(hook) function \
		__attribute__((alias(#hook), visibility("default"), used))

struct call {
	struct stack_call at;
	const char *name; // of the hook
};

// In the hook itself.
#define CALL(function, hook_name) \
	((struct call){ \
		{(uintptr_t)(function), \
			{(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa(), \
				*(const uintptr_t *)__builtin_frame_address(0)}}, \
		hook_name})

enum {
	// Sizes beyond are the real allocator's to refuse, as they are.
	BLOCK_BYTES_MAX = PTRDIFF_MAX - 2 * TAG_BYTES - 65536,
};

static bool
is_on(void)
{
	enum real_state now = real_state();
	if (__builtin_expect(now == REAL_ON, 1))
		return true;
	if (now == REAL_NEW)
		real_start();
	return real_state() == REAL_ON;
}

// While the real functions are being looked up there is only the arena.
static bool
is_booting(void)
{
	return real_state() <= REAL_RESOLVING;
}

static void
take_if_due(enum churn_due due)
{
	if (__builtin_expect(due != CHURN_NOT_DUE, 0))
		snapshot_take(due == CHURN_DUE_SIGNAL ? SNAPSHOT_SIGNAL : SNAPSHOT_CHURN);
}

// Out of line: a stack's worth of stack is used here alone.
static __attribute__((noinline)) uint32_t
new_source_of(struct slot *slot, const struct call *call, uint64_t hash)
{
	struct stack stack;
	stack_capture(&stack, slot, &call->at, hash);
	return source_find(&stack, call->name);
}

// The call is copied for the rare case, so that it need not lie in memory in the others.
static inline __attribute__((always_inline)) uint32_t
source_of(struct slot *slot, const struct call *call)
{
	uint64_t hash = 0;
	if (__builtin_expect(stack_hash(slot, &call->at, &hash) && !PMEM_ORACLE, 1)) {
		uint32_t source = source_look_up(hash);
		if (__builtin_expect(source != SOURCE_OTHER, 1))
			return source;
	}
	struct call copy = *call;
	return new_source_of(slot, &copy, hash);
}

// In a handler that interrupted a hook: counted, but with nobody's stack.
static __attribute__((noinline)) void
record_nested_alloc(void *block, size_t bytes)
{
	if (guard_is_internal()) {
		__atomic_store_n(&real.reached, true, __ATOMIC_RELAXED);
		return;
	}
	loss_count(LOSS_NESTED);
	tag_write(block, real_usable(block), SOURCE_OTHER, bytes);
	thread_count_alloc(&thread_shared, SOURCE_OTHER, bytes);
}

// Tags a new block of at least bytes + TAG_BYTES, and counts it to who asked for it.
static inline __attribute__((always_inline)) void
record_alloc(void *block, size_t bytes, const struct call *call)
{
	if (!guard_enter(call->at.frame.sp)) {
		record_nested_alloc(block, bytes);
		return;
	}
	struct slot *slot = thread_own();
	uint32_t source = source_of(slot, call);
	tag_write(block, real_usable(block), source, bytes);
	thread_count_alloc(slot, source, bytes);
	take_if_due(churn_add(slot, bytes));
	guard_leave();
}

static inline __attribute__((always_inline)) void
record_free(const struct tag *tag, uintptr_t cfa)
{
	if (!guard_enter(cfa)) {
		thread_count_free(&thread_shared, tag->source, tag->bytes);
		return;
	}
	struct slot *slot = thread_own();
	thread_count_free(slot, tag->source, tag->bytes);
	take_if_due(churn_add(slot, tag->bytes));
	guard_leave();
}

static inline __attribute__((always_inline)) void *
recorded(void *block, size_t bytes, const struct call *call)
{
	if (__builtin_expect(block != NULL, 1))
		record_alloc(block, bytes, call);
	return block;
}

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

	bool ours = tag_read(old, real_block_bytes(old), &tag);
	if (ours)
		tag_wipe(&tag);
	if (bytes > 0)
		block = recorded(real.realloc(old, bytes + TAG_BYTES), bytes, call);
	else
		block = resize_to_nothing(old, call);
	if (!block && bytes > 0) {
		if (ours)
			tag_restore(&tag);
	} else if (ours) {
		record_free(&tag, call->at.frame.sp);
	} else if (!guard_is_internal()) {
		loss_count(LOSS_UNTRACKED_FREES);
	}
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
	if (tag_read(block, real_block_bytes(block), &tag)) {
		tag_wipe(&tag);
		record_free(&tag, cfa);
	} else if (!guard_is_internal()) {
		loss_count(LOSS_UNTRACKED_FREES);
	}
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

static int
hook_posix_memalign(void **block, size_t alignment, size_t bytes)
{
	struct call call = CALL(hook_posix_memalign, "posix_memalign");

	if (is_booting() && !is_on() && is_booting()) {
		*block = real_boot_alloc(alignment, bytes);
		return *block ? 0 : ENOMEM;
	}
	if (!is_on() || bytes > BLOCK_BYTES_MAX)
		return real.posix_memalign(block, alignment, bytes);
	int error = real.posix_memalign(block, alignment, bytes + TAG_BYTES);
	if (error == 0)
		recorded(*block, bytes, &call);
	return error;
}
EXPORT(posix_memalign, hook_posix_memalign);

static void *
hook_memalign(size_t alignment, size_t bytes)
{
	struct call call = CALL(hook_memalign, "memalign");
	if (!is_on())
		return is_booting() ? real_boot_alloc(alignment, bytes)
				    : real.memalign(alignment, bytes);
	if (bytes > BLOCK_BYTES_MAX)
		return real.memalign(alignment, bytes);
	return recorded(real.memalign(alignment, bytes + TAG_BYTES), bytes, &call);
}
EXPORT(memalign, hook_memalign);

static void *
hook_aligned_alloc(size_t alignment, size_t bytes)
{
	struct call call = CALL(hook_aligned_alloc, "aligned_alloc");
	if (!is_on())
		return is_booting() ? real_boot_alloc(alignment, bytes)
				    : real.aligned_alloc(alignment, bytes);
	if (bytes > BLOCK_BYTES_MAX || alignment > BLOCK_BYTES_MAX - bytes)
		return real.aligned_alloc(alignment, bytes);
	void *block = real.aligned_alloc(alignment, bytes + TAG_BYTES);
	// Some refuse a size that is no multiple of the alignment, as C11 let them.
	if (!block && alignment > TAG_BYTES && bytes % alignment == 0)
		block = real.aligned_alloc(alignment, bytes + alignment);
	return recorded(block, bytes, &call);
}
EXPORT(aligned_alloc, hook_aligned_alloc);

static void *
hook_valloc(size_t bytes)
{
	struct call call = CALL(hook_valloc, "valloc");
	if (!is_on())
		return is_booting() ? real_boot_alloc((size_t)sysconf(_SC_PAGESIZE), bytes)
				    : real.valloc(bytes);
	if (bytes > BLOCK_BYTES_MAX)
		return real.valloc(bytes);
	return recorded(real.valloc(bytes + TAG_BYTES), bytes, &call);
}
EXPORT(valloc, hook_valloc);

static void *
hook_pvalloc(size_t bytes)
{
	struct call call = CALL(hook_pvalloc, "pvalloc");
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!is_on())
		return is_booting() ? real_boot_alloc(page, (bytes + page - 1) & -page)
				    : real.pvalloc(bytes);
	if (bytes > BLOCK_BYTES_MAX - page)
		return real.pvalloc(bytes);
	// The program may use the whole of the last page: the tag goes beyond.
	size_t whole = (bytes + page - 1) & -page;
	return recorded(real.pvalloc(whole + TAG_BYTES), bytes, &call);
}
EXPORT(pvalloc, hook_pvalloc);

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
	if (tag_read(block, usable, &tag))
		return tag.usable;
	return usable ? usable : real.malloc_usable_size(block);
}
EXPORT(malloc_usable_size, hook_malloc_usable_size);
