// SPDX-License-Identifier: BSD-2-Clause
// tag: the word at a block's end that says which source asked for the block, and for how many
// bytes.
//
// Who may call: whoever owns the block, after the real allocator gave it and before it takes it
// back. Never allocates, never blocks, no state.
//
// The allocator is asked for TAG_BYTES more than the program requests. The block's *usable* size
// ends with these TAG_BYTES bytes. The first 8 of them are the tag. Its bits are
//
//	bit 0..7    slack: usable - TAG_BYTES - requested bytes, or TAG_WIDE
//	bit 8..27   source number; in a build that samples bit 8..28: twice the number,
//	            plus 0 or 1 (sample.h)
//	up to 31    0
//	bit 32..63  the same 32 bits again
//
// exclusive-or a hash of two addresses, the tag's and the block's. The hash's top bit is set. The
// tag is at the block's end, not before the block. So the program gets the same pointer that the
// allocator has returned.
//
// Other bytes are taken for a tag if 36 bits are right by chance. Of these, 28 must equal their
// copies, and 8 must be 0. Bytes whose top bit is 0 are never taken for a tag: zeros, text,
// pointers and small numbers.
//
// In a build that samples, most blocks have no tag: their last bytes are whatever the program
// wrote. For so many blocks, 36 bits are too few. So a check word follows each tag. It is a 64-bit
// hash of both addresses and of the tag's upper two bytes. Bytes without a valid check word are no
// tag, neither whole nor damaged.
//
// A program that writes past the end of its block first overwrites the slack. That harms nothing:
// the slack is the unused bytes between the block's end and the tag. Then the program overwrites
// the tag, from the lowest byte up. If only one or two bytes were overwritten, the lower half's
// other two bytes equal those of the upper half. Then the upper half, which is complete, is taken
// for the tag. A longer overrun is mistaken for a short one once in 65536. An overrun of 3 to 6
// bytes leaves the upper two bytes. They have 4 zero bits and the source number's upper part. If
// that part is in range, the block is recognized as ours, but its size is lost. An overrun of 7 or
// 8 bytes leaves nothing to recognize.

#ifndef PMEM_TAG_H
#define PMEM_TAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "config.h"

enum {
	TAG_WORD_BYTES = 8,
	TAG_CHECK_BYTES = PMEM_SAMPLE_BYTES > 0 ? 8 : 0,
	TAG_BYTES = TAG_WORD_BYTES + TAG_CHECK_BYTES,
	TAG_SLACK_BITS = 8,
	TAG_SOURCE_BITS = 20,
	// This value stands for a slack of this many bytes or more. The requested size is then in the
	// word before the tag, within the slack.
	TAG_WIDE = (1 << TAG_SLACK_BITS) - 1,
	TAG_SIZE_BITS = 48,
	// Only a block larger than this may have a slack of TAG_WIDE bytes or more. In allocators whose
	// usable sizes are predicted, the size classes up to here are less than TAG_WIDE bytes apart.
	TAG_NARROW_BYTES = 1024,
	// In allocators whose usable sizes are predicted, usable sizes above TAG_NARROW_BYTES are
	// multiples of this. In glibc, the usable size of a mapped block is a multiple of this, too.
	// The usable size of any other block of glibc's is 8 more than a multiple of this. Its slack is
	// always less than TAG_WIDE bytes.
	TAG_SPACING_BYTES = 16,
	// In a build that samples, each source has two numbers in tags (sample.h).
	TAG_KINDS = PMEM_SAMPLE_BYTES > 0 ? 2 : 1,
	// Greater sizes are passed on unchanged, for the real allocator to refuse.
	BLOCK_BYTES_MAX = PTRDIFF_MAX - 2 * TAG_BYTES - 65536,
};

_Static_assert(PMEM_SOURCES >= 2 && PMEM_SOURCES <= 1 << TAG_SOURCE_BITS
		&& (PMEM_SOURCES & (PMEM_SOURCES - 1)) == 0,
	"PMEM_SOURCES must be a power of two from 2 to 1048576: its number has 20 bits in a tag");

// A block's tag as read.
struct tag {
	char *word;      // address of the tag
	uint64_t value;  // the tag itself, to restore it
	uint32_t source; // the source number in the tag
	size_t bytes;    // bytes that the program requested
	size_t usable;   // usable size as the program may see it, without the bytes that our tag takes
};

enum tag_state {
	TAG_NONE,    // no sign that the block was ever ours
	TAG_DAMAGED, // the block was ours, but its source or its size is lost
	TAG_MENDED,  // partly overwritten, but all that it held is known
	TAG_WHOLE,
};

// Returns a tag's value as its word in memory holds it, and back. Its bytes go from the lowest up, also on
// a big-endian processor: an overrun meets the lowest byte first.
static inline uint64_t
tag_stored(uint64_t value)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;
}

static inline uint64_t
tag_load(const char *word)
{
	uint64_t stored;
	memcpy(&stored, word, sizeof(stored));
	return tag_stored(stored);
}

static inline void
tag_store(char *word, uint64_t value)
{
	uint64_t stored = tag_stored(value);
	memcpy(word, &stored, sizeof(stored));
}

// Returns the hash for a tag at `word`, the tag of the block at `block`. Both halves of a tag have
// the same fields, mixed with the two halves of this hash. The multiplication spreads the tag's
// address over all bytes but the lowest. The block's address changes mostly the hash's lower half.
// An older block may have begun elsewhere, but had its tag at the same address. Decoded with the
// new block's hash, the old tag's halves have different fields. So the old tag is not taken for the
// new block's.
static inline uint64_t
tag_mask(const char *word, const void *block)
{
	return ((uintptr_t)word * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)block) | UINT64_C(1) << 63;
}

// Returns the check word that follows a tag of this value.
static inline uint64_t
tag_check(const char *word, const void *block, uint64_t value)
{
	uint64_t hash = (uintptr_t)word * UINT64_C(0x9e3779b97f4a7c15) ^ value >> 48;
	hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ (uintptr_t)block;
	return (hash ^ hash >> 32) * UINT64_C(0x94d049bb133111eb);
}

static inline bool
tag_is_checked(const struct tag *tag, const void *block)
{
	uint64_t check;
	memcpy(&check, tag->word + TAG_WORD_BYTES, sizeof(check));
	return check == tag_check(tag->word, block, tag->value);
}

// Returns the word before a tag whose slack is TAG_WIDE bytes or more: the requested size. A block
// has less than 2^48 bytes. So the 16 bits above the size are free. They hold a check, since an
// overrun reaches this word before the tag.
static inline uint64_t
tag_size_word(uintptr_t at, uint64_t bytes)
{
	uint64_t check = (at ^ bytes << 8) * UINT64_C(0x9e3779b97f4a7c15);
	return bytes | check >> TAG_SIZE_BITS << TAG_SIZE_BITS;
}

// Returns the usable size that the program is told: `before`, the bytes before the block's tag, or
// 8 less. The result is 8 less if the slack is TAG_WIDE bytes or more. Then the last word before
// the tag has the requested size. The result is also 8 less if the slack has room for that word,
// which equally large blocks may need. So if the program requests a block of the returned size, it
// is told the same size again.
static inline size_t
tag_leaves(size_t before, size_t slack)
{
	bool may_be_wide = before > TAG_NARROW_BYTES - TAG_BYTES
		&& (before + TAG_BYTES) % TAG_SPACING_BYTES == 0;
	bool has_word = slack >= TAG_WIDE || (slack >= TAG_WORD_BYTES && may_be_wide);
	return has_word ? before - TAG_WORD_BYTES : before;
}

// Writes a block's tag. `usable` is the real allocator's usable size, at least bytes + TAG_BYTES.
static inline void
tag_write(void *block, size_t usable, uint32_t source, size_t bytes)
{
	char *word = (char *)block + usable - TAG_BYTES;
	size_t slack = usable - TAG_BYTES - bytes;

	if (__builtin_expect(slack >= TAG_WIDE, 0)) {
		uint64_t size = tag_size_word((uintptr_t)word, bytes);
		memcpy(word - sizeof(size), &size, sizeof(size));
		slack = TAG_WIDE;
	}
	uint64_t fields = (uint64_t)source << TAG_SLACK_BITS | slack;
	uint64_t value = (fields << 32 | fields) ^ tag_mask(word, block);
	tag_store(word, value);
	if (TAG_CHECK_BYTES > 0) {
		uint64_t check = tag_check(word, block, value);
		memcpy(word + TAG_WORD_BYTES, &check, sizeof(check));
	}
}

// Fills in `tag`, whose `word` is set, from `fields`: slack and source number. Returns false if the
// fields do not fit the block.
static inline bool
tag_take(struct tag *tag, void *block, uint32_t fields)
{
	size_t slack = fields & TAG_WIDE;

	tag->source = fields >> TAG_SLACK_BITS;
	tag->usable = (size_t)(tag->word - (char *)block);
	if (__builtin_expect(slack == TAG_WIDE, 0)) {
		uint64_t size;
		if (tag->usable < TAG_WIDE)
			return false;
		tag->usable -= sizeof(size);
		memcpy(&size, tag->word - sizeof(size), sizeof(size));
		tag->bytes = size & ((UINT64_C(1) << TAG_SIZE_BITS) - 1);
		return size == tag_size_word((uintptr_t)tag->word, tag->bytes)
			&& tag->bytes <= tag->usable;
	}
	size_t before = tag->usable;
	tag->bytes = before - slack;
	tag->usable = tag_leaves(before, slack);
	return slack <= before;
}

// Sets `fields` to a tag's fields. Returns false if the block has no whole tag of ours.
static inline bool
tag_read_fields(void *block, size_t usable, struct tag *tag, uint32_t *fields)
{
	if (usable < TAG_BYTES)
		return false;
	tag->word = (char *)block + usable - TAG_BYTES;
	tag->value = tag_load(tag->word);

	uint64_t both = tag->value ^ tag_mask(tag->word, block);
	*fields = (uint32_t)both;
	return both == (both << 32 | both >> 32)
		&& *fields < (uint32_t)PMEM_SOURCES * TAG_KINDS << TAG_SLACK_BITS
		&& (TAG_CHECK_BYTES == 0 || tag_is_checked(tag, block));
}

// Reads a block's tag. Returns false if the block has no whole tag of ours: then call tag_judge().
static inline bool
tag_read(void *block, size_t usable, struct tag *tag)
{
	uint32_t fields;
	return tag_read_fields(block, usable, tag, &fields) && tag_take(tag, block, fields);
}

// Does the same as tag_read(), but returns false if the slack is TAG_WIDE, too. So the code is short.
static inline bool
tag_read_narrow(void *block, size_t usable, struct tag *tag)
{
	uint32_t fields;
	return tag_read_fields(block, usable, tag, &fields) && (fields & TAG_WIDE) != TAG_WIDE
		&& tag_take(tag, block, fields);
}

// Returns false if surely no whole tag is at the block's end. The block must have room for a tag.
static inline bool
tag_may_remain(const void *block, size_t usable)
{
	// A tag's upper byte has its top bit set.
	return ((const signed char *)block)[usable - TAG_BYTES + TAG_WORD_BYTES - 1] < 0;
}

// Returns what is left of a tag that tag_read() did not find whole. Valid source numbers are below
// `sources`. If the result is TAG_MENDED, fills in `tag` as tag_read() does.
enum tag_state tag_judge(void *block, size_t usable, uint32_t sources, struct tag *tag);

// Clears the tag's upper half: with its top bit 0 nothing looks like a tag. The lower half is left.
// It may hold bytes that the program wrote past the block's end, and may still read.
static inline void
tag_wipe(const struct tag *tag)
{
	memset(tag->word + TAG_WORD_BYTES / 2, 0, TAG_WORD_BYTES / 2);
}

// Restores the tag after a realloc() that failed and left the block unchanged.
static inline void
tag_restore(const struct tag *tag)
{
	tag_store(tag->word, tag->value);
}

#endif
