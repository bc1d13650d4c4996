// SPDX-License-Identifier: BSD-2-Clause

#include "base/address.h"
#include "base/sys.h"
#include "heap/glibc_chunk.h"

struct glibc_chunk_layout glibc_chunk_layout;

// Number of blocks so far whose header agreed with malloc_usable_size(); atomic.
static unsigned headers_seen;

// Returns true if a chunk can be a mapping of its own. Such a chunk takes whole pages, counting the
// bytes that were skipped before it for alignment. From glibc 2.43 on the chunk's size excludes the
// two words of the header.
static bool
is_mapping(uintptr_t chunk, size_t before, size_t size)
{
	size_t beyond = (size_t)sys_page_bytes() - 1;
	size_t whole = before + size;

	return ((chunk - before) & beyond) == 0
		&& ((whole & beyond) == 0 || ((whole + 2 * sizeof(size_t)) & beyond) == 0);
}

// Makes the checks that glibc's free() makes first. If a check fails, free() reports an "invalid
// pointer" or "invalid size". If the block is a mapping of its own, free() reads nothing but the
// block's header. So free() accepts this block even if the program has unmapped the block's end. We
// therefore ask the kernel whether the end can be read.
bool
glibc_chunk_is_plausible(void *block)
{
	uintptr_t at = address_of(block);
	if (at % (2 * sizeof(size_t)) != 0)
		return false;

	const size_t *header = (const size_t *)at - 2;
	size_t size = header[1] & ~(size_t)GLIBC_CHUNK_FLAGS;
	if (size < GLIBC_CHUNK_MIN_BYTES || size % (2 * sizeof(size_t)) != 0 || size > -at)
		return false;
	if (header[1] & GLIBC_CHUNK_MMAPPED)
		return is_mapping(
				   at - 2 * sizeof(size_t), header[0] & ~(size_t)GLIBC_CHUNK_FLAGS, size)
			&& sys_readable(at + size - 3 * sizeof(size_t));
	return size <= GLIBC_CHUNK_NEAR_BYTES || sys_readable(at + size - 2 * sizeof(size_t));
}

static size_t
word_before(const void *block, int words)
{
	size_t word;
	memcpy(&word, (const char *)address_of(block) - words * sizeof(word), sizeof(word));
	return word;
}

// Returns true in three cases. The header says that the block is a mapping. Or it says that the
// chunk before the block is in use. Or it gives the size of a free chunk, and such a chunk lies
// before the block.
bool
glibc_chunk_bears_header(void *block)
{
	uintptr_t header = address_of(block) - 2 * sizeof(size_t);
	if (!sys_readable(header) || !glibc_chunk_is_plausible(block))
		return false;
	if (word_before(block, 1) & (GLIBC_CHUNK_PREV_IN_USE | GLIBC_CHUNK_MMAPPED))
		return true;
	size_t bytes = word_before(block, 2);
	void *before = (char *)block - bytes;
	return bytes % (2 * sizeof(size_t)) == 0 && bytes < address_of(block)
		&& sys_readable(address_of(before) - sizeof(size_t))
		&& (word_before(before, 1) & ~(size_t)GLIBC_CHUNK_FLAGS) == bytes;
}

void
glibc_chunk_learn(void *block, size_t usable)
{
	enum { ENOUGH = 8 };
	size_t word = word_before(block, 1);
	enum real_state unknown = REAL_ON_OTHER;

	if (word & GLIBC_CHUNK_MMAPPED
		|| !__atomic_load_n(&glibc_chunk_layout.is_known, __ATOMIC_RELAXED))
		return;
	if ((word & ~(size_t)GLIBC_CHUNK_FLAGS) - sizeof(word) != usable) {
		// The layout is not glibc's. From now on the allocator is asked for each block's size.
		__atomic_store_n(&headers_seen, ENOUGH, __ATOMIC_RELAXED);
		__atomic_store_n(&glibc_chunk_layout.is_known, false, __ATOMIC_RELAXED);
		return;
	}
	if (__atomic_add_fetch(&headers_seen, 1, __ATOMIC_RELAXED) != ENOUGH)
		return;
	__atomic_store_n(&glibc_chunk_layout.says_size, true, __ATOMIC_RELEASE);
	__atomic_compare_exchange_n(
		&real.state, &unknown, REAL_ON, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
