// SPDX-License-Identifier: BSD-2-Clause
// tag_table: keeps the tags of blocks that have no room for one, by the blocks' addresses.
//
// Who may call: any thread, at any moment. For a given block only its owner, from its allocation to
// its free. Allocates nothing except by mapping the table as it is used, never blocks.
//
// Allocators other than glibc's round a size up to a class, and classes are up to a fifth apart.
// With 8 bytes more, a block of 4096 bytes would take 5120. So a block of TAG_TABLE_FROM bytes or
// more is requested with the program's size. Its tag is in this table. The same holds for an
// aligned block if 8 bytes more would make it longer by a whole alignment. On glibc, the table has
// the tags of blocks of TAG_TABLE_FROM_GLIBCS bytes or more. The program may never touch the last
// page of a block that large. A tag on that page would make the page resident.
//
// The table is a tree like a processor's page tables. Three steps lead from an address to its entry
// of 8 bytes. Each 512 bytes of addresses have one entry. No two blocks of TAG_TABLE_FROM bytes or
// more begin in the same 512 bytes. Smaller aligned blocks have a second tree, with an entry for
// each 64 bytes of addresses. So nothing is searched, moved or freed. Only the owner of a block
// writes its entry. An entry is
//
//	bit 0..8    the lowest bits of the block's address
//	bit 9..28   source number
//	bit 29..62  requested bytes
//	bit 63      1
//
// When the table is full, or there is no memory, all blocks are requested with room for a tag
// again.

#ifndef PMEM_TAG_TABLE_H
#define PMEM_TAG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/tag.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

_Static_assert(PMEM_TAG_TABLE_BYTES >= 0, "PMEM_TAG_TABLE_BYTES must be a number of bytes from 0 on");

enum {
	// A sampling library has no table. This library requests nearly all blocks with the program's
	// size. The few other blocks may take a larger size class.
	TAG_TABLE_IS_BUILT = PMEM_SAMPLE_BYTES == 0 && PMEM_TAG_TABLE_BYTES > 0,
	TAG_TABLE_FROM = 512 - TAG_BYTES + 1, // size (bytes) from which a block's tag is in the table
	// The same as TAG_TABLE_FROM, on glibc.
	TAG_TABLE_FROM_GLIBCS = 64 << 10,
	TAG_TABLE_SIZE_BITS = 34,
};

// Blocks of more bytes than this are requested without room for a tag. BLOCK_BYTES_MAX if all
// blocks are requested with room for a tag. Atomic.
extern size_t tag_table_below;

// TAG_TABLE_FROM_GLIBCS on glibc, else TAG_TABLE_FROM; 0 before tag_table_start().
extern size_t tag_table_from;

// Called once, before the first block.
void tag_table_start(bool is_glibcs);

// Returns true if a block of `bytes` at malloc()'s alignment is requested with room for its tag.
// `bytes` is at least 1.
static inline __attribute__((always_inline)) bool
tag_table_leaves(size_t bytes)
{
	size_t below = TAG_TABLE_IS_BUILT ? __atomic_load_n(&tag_table_below, __ATOMIC_RELAXED)
					  : BLOCK_BYTES_MAX;
	return __builtin_expect(bytes - 1 < below, 1);
}

// Returns true if a block's tag is to be in the table, not in the block. Called before the block is
// allocated. `alignment` is 0 or 1 for malloc()'s alignment. Returns true for an alignment that is
// no power of two. The allocator then gets the program's size and alignment unchanged, and judges
// them.
bool tag_table_takes_it(size_t bytes, size_t alignment);

static inline bool
tag_table_takes(size_t bytes, size_t alignment)
{
	return TAG_TABLE_IS_BUILT && (!tag_table_leaves(bytes) || alignment > 1)
		&& tag_table_takes_it(bytes, alignment);
}

// Writes the tag of a new block without room for a tag. If the entry was still in use, sets `was`
// to its tag. The block with that tag was freed without our seeing it. Otherwise sets was->word to
// NULL. Returns false if the table has no room.
bool tag_table_write(
	const void *block, uint32_t source, size_t bytes, size_t alignment, struct tag *was);

// Reads a block's tag from the table. The tag can be wiped and restored like a tag that was read
// from a block. Sets tag->usable to 0. Returns false if the table has no tag of this block.
bool tag_table_read_it(const void *block, struct tag *tag);

static inline bool
tag_table_read(const void *block, struct tag *tag)
{
	return TAG_TABLE_IS_BUILT && tag_table_read_it(block, tag);
}

// Returns true if the block's tag was read from the table. For a tag from the table, `usable` is 0.
// `usable` is also 0 for a tag in a block in which the program may use no byte. But that tag begins
// at the block's address.
static inline bool
tag_table_has(const struct tag *tag, const void *block)
{
	return tag->usable == 0 && tag->word != block;
}

// Returns an upper bound of the table's memory in bytes.
uint64_t tag_table_bytes_max(void);

#pragma GCC visibility pop

#endif
