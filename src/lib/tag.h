// tag: the word at a block's end that says which source asked for it, and how many bytes.
//
// Who may call: whoever owns the block, between the real allocator's giving and taking it.
// Never allocates, never blocks, no state.
//
// A block is asked for with TAG_BYTES more, and the last 8 bytes of its *usable* size are
//
//	bit 0..19   slack: usable - TAG_BYTES - requested bytes, or TAG_WIDE
//	bit 20..39  source number
//	bit 40      1, so that zeroed memory is never a tag
//	bit 41..63  check: a hash of the word's own address, the source and the slack
//
// At the end and not before the block, so that the pointer is the real allocator's own. A
// block that was never ours, or whose end was overrun, fails the check (one in 8 million
// does not).

#ifndef PMEM_TAG_H
#define PMEM_TAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "config.h"

enum {
	TAG_BYTES = 8,
	TAG_FIELD_BITS = 20,
	// As slack: 1 MiB of it or more; the requested size stands in the word before the tag,
	// for which there is room in the slack.
	TAG_WIDE = (1 << TAG_FIELD_BITS) - 1,
	TAG_CHECK_SHIFT = 41,
};

_Static_assert(PMEM_SOURCES >= 2 && PMEM_SOURCES <= 1 << TAG_FIELD_BITS
		&& (PMEM_SOURCES & (PMEM_SOURCES - 1)) == 0,
	"PMEM_SOURCES must be a power of two from 2 to 1048576: its number has 20 bits in a tag");

// A block's tag as read.
struct tag {
	char *word;      // where it is
	uint64_t value;  // the word, to put it back
	uint32_t source;
	size_t bytes;    // requested
	size_t usable;   // as the program may see it: without what is ours
};

static inline uint64_t
tag_check(uintptr_t at, uint64_t fields)
{
	// One multiplication carries every bit of address, slack and source to the top, or, where
	// it is there already, leaves it.
	uint64_t hash = (at ^ fields << 24) * UINT64_C(0x9e3779b97f4a7c15);
	return hash >> TAG_CHECK_SHIFT << TAG_CHECK_SHIFT | UINT64_C(1) << (2 * TAG_FIELD_BITS);
}

// `usable` is the real allocator's, at least bytes + TAG_BYTES.
static inline void
tag_write(void *block, size_t usable, uint32_t source, size_t bytes)
{
	char *word = (char *)block + usable - TAG_BYTES;
	size_t slack = usable - TAG_BYTES - bytes;

	if (__builtin_expect(slack >= TAG_WIDE, 0)) {
		memcpy(word - sizeof(bytes), &bytes, sizeof(bytes));
		slack = TAG_WIDE;
	}
	uint64_t fields = (uint64_t)source << TAG_FIELD_BITS | slack;
	uint64_t value = tag_check((uintptr_t)word, fields) | fields;
	memcpy(word, &value, sizeof(value));
}

// False when the block bears no tag of ours, or one that makes no sense.
static inline bool
tag_read(void *block, size_t usable, struct tag *tag)
{
	if (usable < TAG_BYTES)
		return false;
	tag->word = (char *)block + usable - TAG_BYTES;
	memcpy(&tag->value, tag->word, sizeof(tag->value));

	uint64_t fields = tag->value & ((UINT64_C(1) << (2 * TAG_FIELD_BITS)) - 1);
	size_t slack = fields & TAG_WIDE;
	tag->source = (uint32_t)(fields >> TAG_FIELD_BITS);
	if (tag->value != (tag_check((uintptr_t)tag->word, fields) | fields)
		|| tag->source >= PMEM_SOURCES)
		return false;

	tag->usable = usable - TAG_BYTES;
	if (__builtin_expect(slack == TAG_WIDE, 0)) {
		if (tag->usable < TAG_WIDE)
			return false;
		tag->usable -= sizeof(tag->bytes);
		memcpy(&tag->bytes, tag->word - sizeof(tag->bytes), sizeof(tag->bytes));
		return tag->bytes <= tag->usable;
	}
	tag->bytes = tag->usable - slack;
	return slack <= tag->usable;
}

static inline void
tag_wipe(const struct tag *tag)
{
	memset(tag->word, 0, TAG_BYTES);
}

// After a realloc() that failed and left the block as it was.
static inline void
tag_restore(const struct tag *tag)
{
	memcpy(tag->word, &tag->value, TAG_BYTES);
}

#endif
