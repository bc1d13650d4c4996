// SPDX-License-Identifier: BSD-2-Clause


#include "base/address.h"
#include "base/table.h"
#include "heap/tag_table.h"

enum {
	LEAF_BITS = TABLE_CHUNK_BITS - 3,
	ADDRESS_BITS = 48,
	// Base 2 logarithm of the number of adjacent addresses that share an entry, for each tree.
	LARGE_BITS = 9,
	ALIGNED_BITS = 6,
	SOURCE_SHIFT = LARGE_BITS,
	SIZE_SHIFT = SOURCE_SHIFT + TAG_SOURCE_BITS,
};

#define ENTRY_IS_USED (UINT64_C(1) << 63)
#define KEY_BITS (ENTRY_IS_USED | ((1 << LARGE_BITS) - 1))

_Static_assert(TAG_TABLE_FROM == (1 << LARGE_BITS) - TAG_BYTES + 1 || !TAG_TABLE_IS_BUILT,
	"no two large blocks begin in the same bytes");
_Static_assert(SIZE_SHIFT + TAG_TABLE_SIZE_BITS == 63, "an entry has 64 bits");

// The two trees. In each tree the first step uses the highest LEAF_BITS of an address's
// ADDRESS_BITS. The second step uses the next middle_bits() bits, and the third step the next
// LEAF_BITS. The lowest grain_bits() bits do not matter: addresses that differ only there share an
// entry.
enum tree {
	LARGE,
	ALIGNED,
	TREES,
};

static void *roots[TREES]; // NULL while not mapped, like each pointer in the trees; atomic

size_t tag_table_below = BLOCK_BYTES_MAX;

size_t tag_table_from;

static uint64_t mapped_bytes; // atomic

void
tag_table_start(bool is_glibcs)
{
	tag_table_from = is_glibcs ? TAG_TABLE_FROM_GLIBCS : TAG_TABLE_FROM;
	if (TAG_TABLE_IS_BUILT)
		__atomic_store_n(&tag_table_below, tag_table_from - 1, __ATOMIC_RELAXED);
}

uint64_t
tag_table_bytes_max(void)
{
	return TAG_TABLE_IS_BUILT ? PMEM_TAG_TABLE_BYTES : 0;
}

bool
tag_table_takes_it(size_t bytes, size_t alignment)
{
	bool is_full = __atomic_load_n(&tag_table_below, __ATOMIC_RELAXED) == BLOCK_BYTES_MAX;
	if (is_full || bytes == 0 || bytes >> TAG_TABLE_SIZE_BITS > 0)
		return false;
	if (bytes >= tag_table_from)
		return true;
	// On glibc all blocks of fewer bytes than tag_table_from have their tag in the block.
	if (tag_table_from != TAG_TABLE_FROM)
		return false;
	if ((alignment & (alignment - 1)) != 0)
		return true;
	if (alignment < 1 << ALIGNED_BITS)
		return false;
	return ((bytes - 1) & -alignment) != ((bytes + TAG_BYTES - 1) & -alignment);
}

// grain_bits() returns how many of an address's lowest bits do not select the entry. middle_bits()
// returns how many bits the second step uses.
static inline unsigned
grain_bits(enum tree tree)
{
	return tree == LARGE ? LARGE_BITS : ALIGNED_BITS;
}

static inline unsigned
middle_bits(enum tree tree)
{
	return ADDRESS_BITS - 2 * LEAF_BITS - grain_bits(tree);
}

static inline __attribute__((always_inline)) void **
branch_of(void **branches, const void *block)
{
	uintptr_t number = address_of(block) >> (ADDRESS_BITS - LEAF_BITS);
	return __builtin_expect(number >> LEAF_BITS == 0, 1) ? &branches[number] : NULL;
}

static inline __attribute__((always_inline)) void **
leaf_of(enum tree tree, void **leaves, const void *block)
{
	uintptr_t number = (uintptr_t)block >> (LEAF_BITS + grain_bits(tree));
	return &leaves[number & (((uintptr_t)1 << middle_bits(tree)) - 1)];
}

// Returns the entry for the block's address, or NULL if it is not mapped.
static inline __attribute__((always_inline)) char *
entry_of(enum tree tree, const void *block)
{
	void **branches = __atomic_load_n(&roots[tree], __ATOMIC_ACQUIRE);
	void **branch = __builtin_expect(branches != NULL, 1) ? branch_of(branches, block) : NULL;
	void **leaves = __builtin_expect(branch != NULL, 1)
		? __atomic_load_n(branch, __ATOMIC_ACQUIRE) : NULL;
	if (__builtin_expect(!leaves, 0))
		return NULL;
	uint64_t *leaf = __atomic_load_n(leaf_of(tree, leaves, block), __ATOMIC_ACQUIRE);
	if (__builtin_expect(!leaf, 0))
		return NULL;
	return (char *)&leaf[(uintptr_t)block >> grain_bits(tree) & ((1 << LEAF_BITS) - 1)];
}

static void *
make(void **place, size_t bytes)
{
	void *there = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (there)
		return there;
	uint64_t sum = __atomic_add_fetch(&mapped_bytes, bytes, __ATOMIC_RELAXED);
	if (sum <= PMEM_TAG_TABLE_BYTES)
		there = table_chunk(TABLE_TAGS, place, bytes);
	// When the table is nearly full, no more blocks are requested without room for a tag. The last
	// eighth of the table is for blocks that other threads have already requested without that
	// room.
	if (!there || sum > PMEM_TAG_TABLE_BYTES / 8 * 7)
		__atomic_store_n(&tag_table_below, (size_t)BLOCK_BYTES_MAX, __ATOMIC_RELAXED);
	return there;
}

// Maps the entry for the block's address. Returns NULL if the table has no room.
static __attribute__((noinline)) char *
make_entry(enum tree tree, const void *block)
{
	void **branches = make(&roots[tree], TABLE_CHUNK_BYTES);
	void **branch = branches ? branch_of(branches, block) : NULL;
	void **leaves = branch ? make(branch, sizeof(void *) << middle_bits(tree)) : NULL;
	bool made = leaves && make(leaf_of(tree, leaves, block), TABLE_CHUNK_BYTES);
	return made ? entry_of(tree, block) : NULL;
}

static inline uint64_t
key_of(const void *block)
{
	return ENTRY_IS_USED | ((uintptr_t)block & ((1 << LARGE_BITS) - 1));
}

static inline __attribute__((always_inline)) void
take(char *entry, uint64_t value, struct tag *tag)
{
	*tag = (struct tag){
		.word = entry,
		.value = value,
		.source = value >> SOURCE_SHIFT & ((1 << TAG_SOURCE_BITS) - 1),
		.bytes = (value & ~ENTRY_IS_USED) >> SIZE_SHIFT,
	};
}

bool
tag_table_write(
	const void *block, uint32_t source, size_t bytes, size_t alignment, struct tag *was)
{
	bool is_large = bytes >= TAG_TABLE_FROM || alignment >= 1 << LARGE_BITS;
	char *entry = __builtin_expect(is_large, 1)
		? entry_of(LARGE, block) : entry_of(ALIGNED, block);
	uint64_t value = key_of(block) | (uint64_t)source << SOURCE_SHIFT | (uint64_t)bytes << SIZE_SHIFT;

	// Two blocks as small as this may begin in the same 64 bytes, and would share an entry.
	if (!is_large && bytes + TAG_BYTES <= 1 << ALIGNED_BITS)
		return false;
	if (__builtin_expect(!entry, 0)) {
		entry = make_entry(is_large ? LARGE : ALIGNED, block);
		if (!entry)
			return false;
	}
	uint64_t before = tag_load(entry);
	tag_store(entry, value);
	was->word = NULL;
	if (__builtin_expect((before & ENTRY_IS_USED) != 0, 0))
		take(entry, before, was);
	return true;
}

static inline __attribute__((always_inline)) bool
read_in(enum tree tree, const void *block, struct tag *tag)
{
	char *entry = entry_of(tree, block);

	if (!entry)
		return false;
	uint64_t value = tag_load(entry);
	if (((value ^ key_of(block)) & KEY_BITS) != 0)
		return false;
	take(entry, value, tag);
	return true;
}

bool
tag_table_read_it(const void *block, struct tag *tag)
{
	return __builtin_expect(read_in(LARGE, block, tag), 1) || read_in(ALIGNED, block, tag);
}
