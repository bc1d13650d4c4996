// SPDX-License-Identifier: BSD-2-Clause
// Hooks for the functions by which a program maps memory itself: mmap(), munmap(), mremap(), mprotect(),
// sbrk(), brk(). The hook of madvise() records what a fork's child does not get. The calls are passed on
// unchanged. A mapping that is private and of no file is recorded, with the stack of the call.
//
// The allocator beneath us calls these functions, too. Its calls are not recorded, since the blocks
// in that memory are. The C library and the loader call other functions, which are not hooked.
// Before the first allocation nothing is recorded.

#include <errno.h>
#include <sys/mman.h>

#include "base/guard.h"
#include "base/loss.h"
#include "base/sys.h"
#include "heap/real.h"
#include "heap/next_symbol.h"
#include "sources/labelled_source.h"
#include "sources/mapping_table.h"
#include "hooks/record.h"
#include "hooks/hook.h"

enum {
	NEXT_MMAP, NEXT_MMAP64, NEXT_MUNMAP, NEXT_MREMAP, NEXT_MPROTECT, NEXT_MADVISE,
	NEXT_SBRK, NEXT_BRK,
	NEXTS
};

static const struct next_name names[NEXTS] = {
	[NEXT_MMAP] = NEXT_NAME("mmap"),
	[NEXT_MMAP64] = NEXT_NAME("mmap64"),
	[NEXT_MUNMAP] = NEXT_NAME("munmap"),
	[NEXT_MREMAP] = NEXT_NAME("mremap"),
	[NEXT_MPROTECT] = NEXT_NAME("mprotect"),
	[NEXT_MADVISE] = NEXT_NAME("madvise"),
	[NEXT_SBRK] = NEXT_NAME("sbrk"),
	[NEXT_BRK] = NEXT_NAME("brk"),
};

typedef long (*next_function)(long, long, long, long, long, long);

// Returns the next definition of names[which]. If the loader's list cannot be visited now, returns
// the C library's function. If that is not known either, returns 0. The first call searches for all
// names. The library's start does not search for them, since few programs call these functions.
static uintptr_t
next_of(int which)
{
	static struct next_symbol nexts[NEXTS];
	static bool are_known; // written with release; two threads may both search

	if (!__atomic_load_n(&are_known, __ATOMIC_ACQUIRE)) {
		if (!libc_is_bound() || !libc_start())
			return 0;
		if (!next_symbol_find(names, nexts, NEXTS))
			return (uintptr_t)libc_find(names[which].name, names[which].hash);
		__atomic_store_n(&are_known, true, __ATOMIC_RELEASE);
	}
	return nexts[which].code.start;
}

// Calls the next definition of names[which]. If none is known, makes the system call itself. For
// sbrk() and brk() fails instead, as without memory: the C library must know where the break is.
static long
call_next(int which, long a, long b, long c, long d, long e, long f)
{
	static const int numbers[] = {SYS_mmap, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise};
	uintptr_t at = next_of(which);

	if (at)
		return ((next_function)at)(a, b, c, d, e, f);
	long result = which < NEXT_SBRK ? sys_ask(numbers[which], a, b, c, d, e, f) : -ENOMEM;
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

// Returns the range of `bytes` from `start` on, rounded up to whole pages. The pages of a
// MAP_HUGETLB mapping are larger. `flags` have the base 2 logarithm of their size, or 0 for the
// usual 2 MiB.
static struct mapping_range
range_of(uintptr_t start, size_t bytes, int flags)
{
	uintptr_t page = sys_page_bytes();
	unsigned huge = (unsigned)flags >> 26 & 63;

	if (flags & MAP_HUGETLB)
		page = (uintptr_t)1 << (huge ? huge : 21);
	return (struct mapping_range){start, start + ((bytes + page - 1) & -page)};
}

static bool
is_range(struct mapping_range range)
{
	return range.start % sys_page_bytes() == 0 && range.end > range.start;
}

// Enters the guard for a call that must be recorded; guard_leave() must follow. Returns false if
// the call must not, or cannot, be recorded.
static bool
enter(const struct hook_call *call)
{
	if (!real_is_on() || real_owns_code(call->at.frame.pc))
		return false;
	if (guard_enter(call->at.frame.sp))
		return true;
	if (!guard_is_internal())
		loss_count(LOSS_MAPPINGS_MISSED);
	return false;
}

// Returns the source of the call's stack without a label. If the thread has a label,
// record_source() returns a labelled source, whose head is the source without a label.
static uint32_t
source_of(struct slot *slot, const struct hook_call *call, size_t bytes)
{
	uint32_t source = record_source(slot, call, bytes);
	uint32_t head = labelled_source_get(source).head;
	return head ? head : source;
}

// Calls `record` for the range, with the source of the call's stack. Mapped bytes are no churn, so
// they make no snapshot due. But a snapshot may be due for another reason, and is then written.
static void
record_as_callers(const struct hook_call *call, struct mapping_range range,
	void (*record)(struct mapping_range, uint32_t))
{
	struct slot *slot = thread_own();

	record(range, source_of(slot, call, range.end - range.start));
	enum churn_due due = slot == &thread_shared ? CHURN_NOT_DUE : churn_publish_slot(slot);
	if (due != CHURN_NOT_DUE)
		record_snapshot(due);
}

// Takes a range out of the table of mappings. Called before a system call that may unmap the range.
// After that system call taken_end() must follow.
static void
take(const struct hook_call *call, struct mapping_range range, struct mapping_taken *taken)
{
	taken->count = 0;
	if (!mapping_table_has_any() || !is_range(range) || !enter(call))
		return;
	mapping_table_take(range, taken);
	guard_leave();
}

// Called after the system call for which take() was called. If the kernel has unmapped the range,
// counts it as unmapped. Otherwise puts back into the table what is still mapped.
static void
taken_end(const struct hook_call *call, const struct mapping_taken *taken, bool is_unmapped)
{
	if (taken->count == 0 || !enter(call))
		return;
	mapping_table_taken(taken, is_unmapped);
	guard_leave();
}

// Records a new range if it is private memory of no file. If it is other memory, the pieces that
// the table still has in this range count as unmapped.
static void
record_new(const struct hook_call *call, struct mapping_range range, int protection, int flags)
{
	struct mapping_taken stale;
	bool is_ours = flags & MAP_ANONYMOUS && (flags & MAP_TYPE) == MAP_PRIVATE;

	if (!is_ours && !mapping_table_has_any())
		return;
	if (!enter(call))
		return;
	if (!is_ours) {
		mapping_table_take(range, &stale);
		mapping_table_taken(&stale, true);
	} else if (protection == PROT_NONE) {
		mapping_table_add(range, MAPPING_RESERVED);
	} else {
		record_as_callers(call, range, mapping_table_add);
	}
	guard_leave();
}

// Records which memory a fork's child does not get.
static void
record_advice(const struct hook_call *call, struct mapping_range range, int advice)
{
	if (!mapping_table_has_any() || !is_range(range) || !enter(call))
		return;
	mapping_table_give(range, advice == MADV_DONTFORK ? MAPPING_UNFORKED : MAPPING_FORKED);
	guard_leave();
}

static void *
map(int which, const struct hook_call *call, const long a[6])
{
	enum { NOREPLACE = 0x100000 };
	int flags = (int)a[3];
	bool replaces = flags & MAP_FIXED && !(flags & NOREPLACE);
	struct mapping_taken taken = {0};

	if (replaces)
		take(call, range_of((uintptr_t)a[0], (size_t)a[1], flags), &taken);
	long result = call_next(which, a[0], a[1], a[2], a[3], a[4], a[5]);
	taken_end(call, &taken, result != -1);
	if (result != -1)
		record_new(call, range_of((uintptr_t)result, (size_t)a[1], flags), (int)a[2], flags);
	return (void *)result;
}

// Does what EXPORT() does, but the alias has the exported name only for the linker. C declares
// mremap() variadic, so in C the alias needs another name.
#define EXPORT_MAPPING(function) \
	extern __typeof__(hook_##function) exported_##function __asm__(#function) \
		__attribute__((alias("hook_" #function), visibility("default"), used))

static void *
hook_mmap(void *at, size_t bytes, int protection, int flags, int file, long offset)
{
	struct hook_call call = CALL(hook_mmap, "mmap");
	return map(NEXT_MMAP, &call,
		(long[]){(long)at, (long)bytes, protection, flags, file, offset});
}
EXPORT_MAPPING(mmap);

static void *
hook_mmap64(void *at, size_t bytes, int protection, int flags, int file, long offset)
{
	struct hook_call call = CALL(hook_mmap64, "mmap64");
	return map(NEXT_MMAP64, &call,
		(long[]){(long)at, (long)bytes, protection, flags, file, offset});
}
EXPORT_MAPPING(mmap64);

static int
hook_munmap(void *at, size_t bytes)
{
	struct hook_call call = CALL(hook_munmap, "munmap");
	struct mapping_taken taken;

	take(&call, range_of((uintptr_t)at, bytes, 0), &taken);
	int result = (int)call_next(NEXT_MUNMAP, (long)at, (long)bytes, 0, 0, 0, 0);
	taken_end(&call, &taken, result == 0);
	return result;
}
EXPORT_MAPPING(munmap);

// Returns the last of the adjacent pieces from `at` on that are like `at`. They are reserved or not, and
// kept from forks or not, as `at` is.
static const struct mapping_piece *
last_alike(const struct mapping_piece *at, const struct mapping_piece *end)
{
	while (at + 1 < end && at[1].range.start == at->range.end && at[1].is_unforked == at->is_unforked
		&& (at[1].owner == MAPPING_RESERVED) == (at->owner == MAPPING_RESERVED))
		at++;
	return at;
}

// Records where mremap() moved a range from `old`. Pieces that are alike become one. The last piece
// grows with the range.
static void
record_moved(const struct hook_call *call, const struct mapping_taken *taken,
	struct mapping_range old, struct mapping_range range)
{
	const struct mapping_piece *at = taken->pieces, *end = at + taken->count, *last;

	record_new(call, range, PROT_NONE, MAP_SHARED);
	for (; at < end; at = last + 1) {
		last = last_alike(at, end);
		bool is_last = last + 1 == end && (last->range.end == old.end || taken->had_more);
		struct mapping_range part = {at->range.start - old.start + range.start,
			is_last ? range.end : last->range.end - old.start + range.start};
		record_new(call, part, at->owner == MAPPING_RESERVED ? PROT_NONE : PROT_READ,
			MAP_PRIVATE | MAP_ANONYMOUS);
		if (at->is_unforked)
			record_advice(call, part, MADV_DONTFORK);
	}
}

static void *
hook_mremap(void *old, size_t old_bytes, size_t bytes, int flags, void *at)
{
	enum { DONTUNMAP = 4 };
	struct hook_call call = CALL(hook_mremap, "mremap");
	struct mapping_taken taken, tail, there = {0};
	struct mapping_range from = range_of((uintptr_t)old, bytes < old_bytes ? bytes : old_bytes, 0);
	struct mapping_range cut_off = {from.end, range_of((uintptr_t)old, old_bytes, 0).end};

	take(&call, from, &taken);
	take(&call, cut_off, &tail);
	if (flags & MREMAP_FIXED)
		take(&call, range_of((uintptr_t)at, bytes, 0), &there);
	long result = call_next(NEXT_MREMAP, (long)old, (long)old_bytes, (long)bytes, flags,
		(long)at, 0);
	bool is_done = result != -1;
	taken_end(&call, &taken, is_done && !(flags & DONTUNMAP));
	taken_end(&call, &tail, is_done);
	taken_end(&call, &there, is_done);
	if (is_done)
		record_moved(&call, &taken, from, range_of((uintptr_t)result, bytes, 0));
	return (void *)result;
}
EXPORT_MAPPING(mremap);

static int
hook_mprotect(void *at, size_t bytes, int protection)
{
	struct hook_call call = CALL(hook_mprotect, "mprotect");
	struct mapping_range range = range_of((uintptr_t)at, bytes, 0);
	int result = (int)call_next(NEXT_MPROTECT, (long)at, (long)bytes, protection, 0, 0, 0);

	if ((result != 0 && errno == EINVAL) || !mapping_table_has_any() || !is_range(range)
		|| !enter(&call))
		return result;
	// The kernel has changed what lies before the page that it refused.
	if (result != 0)
		loss_count(LOSS_MAPPINGS_MISSED);
	else if (protection == PROT_NONE)
		mapping_table_give(range, MAPPING_RESERVED);
	else if (mapping_table_next(MAPPING_RESERVED, range.end, &(struct mapping_range){0, range.start}))
		record_as_callers(&call, range, mapping_table_give);
	guard_leave();
	return result;
}
EXPORT_MAPPING(mprotect);

static int
hook_madvise(void *at, size_t bytes, int advice)
{
	struct hook_call call = CALL(hook_madvise, "madvise");
	int result = (int)call_next(NEXT_MADVISE, (long)at, (long)bytes, advice, 0, 0, 0);

	// With ENOMEM the kernel has taken the advice for all that is mapped.
	if ((advice == MADV_DONTFORK || advice == MADV_DOFORK) && (result == 0 || errno == ENOMEM))
		record_advice(&call, range_of((uintptr_t)at, bytes, 0), advice);
	return result;
}
EXPORT_MAPPING(madvise);

// Calls sbrk() or brk(), and records the pages by which the break, the end of the data segment, has
// moved. The result does not tell: the C library reports success for a break below the segment. Two
// threads that move the break at a time confuse the C library itself. The allocator beneath us gets
// the call alone. The errno is the call's own, whatever sbrk(0) leaves.
static long
move_break(const struct hook_call *call, int which, long argument)
{
	if (!real_is_on() || real_owns_code(call->at.frame.pc))
		return call_next(which, argument, 0, 0, 0, 0, 0);
	int before = errno;
	long old = call_next(NEXT_SBRK, 0, 0, 0, 0, 0, 0);
	errno = before;
	long result = call_next(which, argument, 0, 0, 0, 0, 0);
	int after = errno;
	long now = call_next(NEXT_SBRK, 0, 0, 0, 0, 0, 0);
	errno = after;
	bool has_grown = now > old;
	uintptr_t low = range_of(0, (size_t)(has_grown ? old : now), 0).end;
	struct mapping_range range = {low, range_of(0, (size_t)(has_grown ? now : old), 0).end};

	if (old != -1 && now != -1 && is_range(range))
		record_new(call, range, PROT_READ, has_grown ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
	return result;
}

static void *
hook_sbrk(intptr_t more)
{
	struct hook_call call = CALL(hook_sbrk, "sbrk");
	return (void *)move_break(&call, NEXT_SBRK, more);
}
EXPORT_MAPPING(sbrk);

static int
hook_brk(void *at)
{
	struct hook_call call = CALL(hook_brk, "brk");
	return (int)move_break(&call, NEXT_BRK, (long)at);
}
EXPORT_MAPPING(brk);
