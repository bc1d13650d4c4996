// SPDX-License-Identifier: BSD-2-Clause

#include "base/tag.h"

// Returns how many bytes of the lower half an overrun may have overwritten: 0 to 4. These are the
// bytes from the lowest up to the highest that differs from the upper half.
static unsigned
bytes_spoilt(uint32_t lower, uint32_t upper)
{
	uint32_t differ = lower ^ upper;
	unsigned count = 0;
	for (; differ; differ >>= 8)
		count++;
	return count;
}

enum tag_state
tag_judge(void *block, size_t usable, uint32_t sources, struct tag *tag)
{
	if (usable < TAG_BYTES)
		return TAG_NONE;
	tag->word = (char *)block + usable - TAG_BYTES;
	tag->value = tag_load(tag->word);

	if (TAG_CHECK_BYTES > 0 && !tag_is_checked(tag, block))
		return TAG_NONE;
	uint64_t both = tag->value ^ tag_mask(tag->word, block);
	uint32_t upper = (uint32_t)(both >> 32);
	// An overrun of up to 6 bytes leaves the upper two bytes, and in them the source number's upper
	// part. If that part is too large, this is no tag.
	if (upper >> (TAG_SLACK_BITS + 8) > (sources - 1) >> 8)
		return TAG_NONE;
	if (bytes_spoilt((uint32_t)both, upper) <= 2 && upper >> TAG_SLACK_BITS < sources
		&& tag_take(tag, block, upper))
		return TAG_MENDED;
	tag->usable = usable - TAG_BYTES;
	return TAG_DAMAGED;
}
