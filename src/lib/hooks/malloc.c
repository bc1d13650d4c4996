// The exported malloc family; memalign()'s half of it is in aligned.c, C++'s operators are in
// new_delete.c, and what allocators have beside these in files of their names.
// Reading starts here: a hook calls the real allocator, takes the guard, captures the stack,
// finds its source, tags the block, adds churn, and now and then writes a snapshot.

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
#include "size.h"
#include "record.h"
#include "hook.h"

// More bytes than there are, which is the real malloc()'s to say, or none.
static __attribute__((noinline)) void *
malloc_odd(size_t bytes, struct hook_call call)
{
	if (bytes > BLOCK_BYTES_MAX)
		return real.malloc(bytes);
	call.alignment = SIZE_TO_ASK;
	sample_choose(&call.choice, 0);
	return recorded(real.malloc(room_for(&call, 0)), 0, &call);
}

// All but what is seen at a glance to be left out; out of line, where most is.
static inline __attribute__((always_inline)) void *
malloc_at_length(size_t bytes, struct hook_call call)
{
	if (!is_call_on(&call, bytes))
		return is_booting() ? boot_alloc(0, bytes) : real.malloc(bytes);
	// Also where it is 0.
	if (__builtin_expect(bytes - 1 >= BLOCK_BYTES_MAX, 0))
		return malloc_odd(bytes, call);
	sample_choose(&call.choice, bytes);
	return recorded(real.malloc(bytes + tag_room(&call)), bytes, &call);
}

static __attribute__((noinline)) void *
malloc_out_of_line(size_t bytes, struct hook_call call)
{
	return malloc_at_length(bytes, call);
}

static void *
hook_malloc(size_t bytes)
{
	struct slot *slot = passes(bytes);
	if (slot)
		return counted(slot, real.malloc(bytes), bytes);
	struct hook_call call = CALL(hook_malloc, "malloc");
	return SAMPLE_IS_ON ? malloc_out_of_line(bytes, call) : malloc_at_length(bytes, call);
}
EXPORT(malloc, hook_malloc);

static inline __attribute__((always_inline)) void *
calloc_left_out(struct slot *slot, size_t count, size_t size, uintptr_t cfa)
{
	uintptr_t outer = real_enter(cfa);
	void *block = real.calloc(count, size);
	real_leave(outer);
	return counted(slot, block, count * size);
}

static void *
hook_calloc(size_t count, size_t size)
{
	size_t bytes;
	bool overflows = __builtin_mul_overflow(count, size, &bytes) || bytes > BLOCK_BYTES_MAX;

	struct slot *slot = overflows ? NULL : passes(bytes);
	if (slot)
		return calloc_left_out(slot, count, size, (uintptr_t)__builtin_dwarf_cfa());
	struct hook_call call = CALL(hook_calloc, "calloc");
	if (!is_call_on(&call, overflows ? SIZE_MAX : bytes))
		return is_booting() ? boot_alloc(0, overflows ? SIZE_MAX : bytes)
				    : real.calloc(count, size);
	if (overflows)
		return real.calloc(count, size);
	if (bytes == 0)
		call.alignment = SIZE_TO_ASK;
	sample_choose(&call.choice, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *block = real.calloc(1, room_for(&call, bytes));
	real_leave(outer);
	return recorded(block, bytes, &call);
}
EXPORT(calloc, hook_calloc);

// A block of the boot arena moves out of it, if there is somewhere else by now, and is left
// behind.
static inline __attribute__((always_inline)) void *
resize_boot_block(void *old, size_t bytes, struct hook_call *call)
{
	if (bytes > BLOCK_BYTES_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	bool on = is_call_on(call, bytes);
	if (on)
		sample_choose(&call->choice, bytes);
	size_t had = boot_bytes(old);
	void *block = is_booting() ? boot_alloc(0, bytes)
				   : real.malloc(on ? bytes + tag_room(call) : bytes);
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return on ? recorded(block, bytes, call) : block;
}

// While sizes are foretold only those of new blocks are known, not of blocks that grow.
static __attribute__((noinline)) void *
move_foretold(void *old, const struct taken *taken, size_t bytes, size_t room)
{
	void *block = real.malloc(bytes + room);
	if (!block)
		return NULL;
	memcpy(block, old, taken->tag.bytes < bytes ? taken->tag.bytes : bytes);
	real.free(old);
	return block;
}

// realloc() but for overflow; the call is one with SIZE_TO_ASK. The old block's tag is wiped
// before the real call, since the block may be another's after it, and put back when that failed.
static inline __attribute__((always_inline)) void *
resize(void *old, size_t bytes, struct hook_call *call)
{
	struct taken taken;
	void *block;

	if (boot_owns(old))
		return resize_boot_block(old, bytes, call);
	if (bytes > BLOCK_BYTES_MAX)
		return real.realloc(old, bytes);
	sample_choose(&call->choice, bytes);
	if (!old) {
		uintptr_t outer = real_enter(call->at.frame.sp);
		block = real.realloc(NULL, room_for(call, bytes));
		real_leave(outer);
		return recorded(block, bytes, call);
	}
	record_take(old, &taken);
	if (foretold_is_all() && taken.was < TAG_MENDED)
		sample_leave_out(&call->choice);
	uintptr_t outer = real_enter(call->at.frame.sp);
	if (bytes == 0) {
		block = real.realloc(old, 0);
		real_leave(outer);
		// What it may return is as small as its maker pleases: without room for a tag it is
		// nobody's. No block is the success of this call.
		if (block && real.malloc_usable_size(block) >= tag_room(call))
			record_alloc(block, 0, call);
		record_gone(&taken, call->at.frame.sp);
		return block;
	}
	block = __builtin_expect(taken.was >= TAG_MENDED && foretold_is_all(), 0)
		? move_foretold(old, &taken, bytes, tag_room(call))
		: real.realloc(old, bytes + tag_room(call));
	real_leave(outer);
	return record_resized(&taken, block, bytes, call);
}

void *
hook_resize(void *old, size_t bytes, const struct hook_call *call)
{
	struct hook_call copy = *call;
	copy.alignment = SIZE_TO_ASK;
	return resize(old, bytes, &copy);
}

// Neither was the old one recorded, nor is the new one.
static inline __attribute__((always_inline)) void *
resize_left_out(struct slot *slot, void *old, size_t bytes, uintptr_t cfa)
{
	uintptr_t outer = real_enter(cfa);
	void *block = real.realloc(old, bytes);
	real_leave(outer);
	if (block && old)
		sample_count_free();
	return counted(slot, block, bytes);
}

static __attribute__((noinline)) void *
realloc_at_length(void *old, size_t bytes, struct hook_call call)
{
	if (is_call_on(&call, bytes) || boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : boot_alloc(0, bytes);
	return real.realloc(old, bytes);
}

static void *
hook_realloc(void *old, size_t bytes)
{
	if (SAMPLE_IS_ON) {
		bool is_plain = sample_left_out(old) && !boot_owns(old) && !foretold_is_all();
		struct slot *slot = is_plain ? passes(bytes) : NULL;
		if (slot)
			return resize_left_out(slot, old, bytes, (uintptr_t)__builtin_dwarf_cfa());
		return realloc_at_length(old, bytes, CALL_ALIGNED(hook_realloc, "realloc", SIZE_TO_ASK));
	}
	struct hook_call call = CALL_ALIGNED(hook_realloc, "realloc", SIZE_TO_ASK);
	if (is_call_on(&call, bytes) || boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : boot_alloc(0, bytes);
	return real.realloc(old, bytes);
}
EXPORT(realloc, hook_realloc);

static void *
hook_reallocarray(void *old, size_t count, size_t size)
{
	struct hook_call call = CALL_ALIGNED(hook_reallocarray, "reallocarray", SIZE_TO_ASK);
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_call_on(&call, bytes) || boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : boot_alloc(0, bytes);
	return real.reallocarray(old, count, size);
}
EXPORT(reallocarray, hook_reallocarray);

// A block that bears no tag is not ours to judge: the real free() reports what is wrong.
// Here, too, are blocks whose size must be asked for, and what the allocator frees by itself.
static __attribute__((noinline)) void
release_odd(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct taken taken;

	if (is_on(caller, cfa, 0)) {
		record_take(block, &taken);
		// The runtime's without a tag: it was asked for on our behalf.
		if (taken.was != TAG_NONE || !walk_is_runtime(caller))
			record_gone(&taken, cfa);
	}
	if (!is_booting())
		real.free(block);
}

// Frees a block of so many usable bytes. False: no whole tag stands at their end, and nothing
// was done.
static inline __attribute__((always_inline)) bool
released(void *block, size_t usable, uintptr_t cfa)
{
	struct tag tag;

	if (__builtin_expect(!tag_read(block, usable, &tag), 0))
		return false;
	record_wipe(block, &tag);
	sample_count_free();
	record_free(&tag, cfa);
	real.free(block);
	return true;
}

// Frees a block that was not recorded.
static inline __attribute__((always_inline)) void
release_left_out(void *block)
{
	sample_count_free();
	real.free(block);
}

static __attribute__((noinline)) void
release_to_glibc(void *block, uintptr_t caller, uintptr_t cfa)
{
	if (!released(block, chunk_glance(block), cfa))
		release_odd(block, caller, cfa);
}

static __attribute__((noinline)) void
release_to_other(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct slot *slot = thread_slot;
	size_t usable = __builtin_expect(slot != NULL, 1) ? size_guess(slot, block) : 0;

	if (!released(block, usable, cfa))
		release_odd(block, caller, cfa);
}

// Each way is a function of its own so that none saves registers for another.
static inline __attribute__((always_inline)) void
release(void *block, uintptr_t caller, uintptr_t cfa)
{
	enum real_state now = real_state();

	if (__builtin_expect(!block || boot_owns(block), 0))
		return;
	if (module_loader_calls(caller))
		__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELEASE);
	if (sample_left_out(block) && (now == REAL_ON || is_on(caller, cfa, 0)))
		release_left_out(block);
	else if (__builtin_expect(now == REAL_ON, 1))
		release_to_glibc(block, caller, cfa);
	else if (__builtin_expect(now == REAL_ON_OTHER, 1))
		release_to_other(block, caller, cfa);
	else if (now == REAL_OFF)
		real.free(block); // as by its caller
	else
		release_odd(block, caller, cfa);
}

void
hook_release(void *block, uintptr_t caller, uintptr_t cfa)
{
	release(block, caller, cfa);
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
size_t
hook_usable(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct tag tag;

	if (block && boot_owns(block))
		return boot_bytes(block);
	if (!block || !is_on(caller, cfa, SIZE_MAX) || sample_left_out(block))
		return is_booting() ? 0 : real.malloc_usable_size(block);
	size_t usable;
	enum tag_state was = record_find(block, &usable, &tag);
	if (was >= TAG_MENDED && tag.bytes == 0 && tag.usable > size_of_none)
		return size_of_none;
	if (was != TAG_NONE)
		return tag.usable;
	return usable ? usable : real.malloc_usable_size(block);
}

// Programs that keep their own books ask at each call (redis): a whole tag where it is guessed to
// stand says all.
static size_t
hook_malloc_usable_size(void *block)
{
	enum real_state now = real_state();
	struct slot *slot = thread_slot;
	struct tag tag;
	size_t usable = 0;

	if (__builtin_expect(now == REAL_ON && block != NULL, 1))
		usable = chunk_glance(block);
	else if (now == REAL_ON_OTHER && slot && real_inside == 0)
		usable = size_guess(slot, block);
	if (__builtin_expect(!sample_left_out(block) && tag_read(block, usable, &tag) && tag.bytes > 0, 1))
		return tag.usable;
	return hook_usable(
		block, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa());
}
EXPORT(malloc_usable_size, hook_malloc_usable_size);
