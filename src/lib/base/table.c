// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "base/table.h"

enum {
	// After a mapping that failed, this many calls return NULL without asking the kernel again.
	// Otherwise each allocation of the program might cost a system call that fails.
	PAUSE = 1000,
};

uint64_t table_bytes[TABLE_KINDS];
static unsigned pause_left; // how many further calls return NULL at once; atomic

static bool
is_pausing(void)
{
	unsigned left = __atomic_load_n(&pause_left, __ATOMIC_RELAXED);
	if (left > 0)
		__atomic_store_n(&pause_left, left - 1, __ATOMIC_RELAXED);
	return left > 0;
}

void *
table_map(enum table_kind kind, size_t bytes)
{
	void *fresh = sys_map(bytes);
	if (fresh) {
		sys_call3(SYS_madvise, (long)fresh, (long)bytes, MADV_NOHUGEPAGE);
		__atomic_fetch_add(&table_bytes[kind], bytes, __ATOMIC_RELAXED);
	}
	return fresh;
}

void
table_unmap(enum table_kind kind, void *at, size_t bytes)
{
	sys_call2(SYS_munmap, (long)at, (long)bytes);
	__atomic_fetch_sub(&table_bytes[kind], bytes, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void *
map_chunk(enum table_kind kind, void **chunk, size_t bytes)
{
	if (is_pausing())
		return NULL;
	// Signals are blocked: a handler that left by siglongjmp() would lose the mapping.
	uint64_t mask = sys_hold_signals();
	void *fresh = table_map(kind, bytes);
	void *found = NULL;

	if (!fresh) {
		__atomic_store_n(&pause_left, PAUSE, __ATOMIC_RELAXED);
	} else if (!__atomic_compare_exchange_n(
			   chunk, &found, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		table_unmap(kind, fresh, bytes);
		fresh = found;
	}
	sys_let_signals(mask);
	return fresh;
}

void *
table_chunk(enum table_kind kind, void **chunk, size_t bytes)
{
	void *there = __atomic_load_n(chunk, __ATOMIC_ACQUIRE);
	return there ? there : map_chunk(kind, chunk, bytes);
}

bool
table_grow(struct growing *growing, size_t bytes)
{
	size_t most = TABLE_CHUNK_BYTES;
	struct growing old = *growing;

	if (bytes <= old.bytes)
		return true;
	while (most < bytes)
		most *= 2;
	void *fresh = sys_map(most);
	if (!fresh)
		return false;
	if (old.bytes > 0)
		memcpy(fresh, old.at, old.bytes);
	// The pointer is stored before the size. The process may be forked at any moment. The child
	// must not see the new size with the old memory.
	__atomic_store_n(&growing->at, fresh, __ATOMIC_RELEASE);
	growing->bytes = most;
	growing->is_mapped = true;
	__atomic_fetch_add(&table_bytes[TABLE_NAMES], most, __ATOMIC_RELAXED);
	if (old.is_mapped)
		table_unmap(TABLE_NAMES, old.at, old.bytes);
	return true;
}

size_t
table_first_from(const void *items, size_t count, size_t item_bytes, uint64_t key)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const uint64_t *own = (const void *)((const char *)items + middle * item_bytes);
		if (*own < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
