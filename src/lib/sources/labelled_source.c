// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/check.h"
#include "base/tag.h"
#include "sources/labelled_source.h"

// For a labelled source, `other` is its head, the source of the same stack without a label. `next`
// is the next labelled source of that head, with the label in the upper bits. For a head: `other`
// is its first labelled source, and `next` is 0. A head's `other` may change, so access to it is
// atomic.
struct link {
	uint32_t other;
	uint32_t next;
};

enum {
	SHIFT = TABLE_CHUNK_BITS - 3,
	NEXT_MASK = (1 << TAG_SOURCE_BITS) - 1,
};

_Static_assert(sizeof(struct link) == 8, "LABELLED_SOURCE_BYTES_MAX counts on it");

static void *chunks[TABLE_CHUNKS(PMEM_SOURCES, SHIFT)];
uint32_t labelled_source_count;

static const struct table links = {chunks, SHIFT, sizeof(struct link), NULL, TABLE_STACKS};

bool
labelled_source_chain(uint32_t source, uint32_t head, uint32_t label)
{
	struct link *link = table_reach(&links, source);
	struct link *of = table_reach(&links, head);

	if (!link || !of)
		return false;
	CHECK(source != head && label != 0 && link->other == 0);
	__atomic_fetch_add(&labelled_source_count, 1, __ATOMIC_RELEASE);
	link->other = head;
	uint32_t first = __atomic_load_n(&of->other, __ATOMIC_ACQUIRE);
	do {
		link->next = label << TAG_SOURCE_BITS | first;
	} while (!__atomic_compare_exchange_n(
		&of->other, &first, source, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return true;
}

struct labelled_source
labelled_source_find(uint32_t source)
{
	const struct link *link = table_get(&links, source);
	if (!link)
		return (struct labelled_source){0};
	uint32_t other = __atomic_load_n(&link->other, __ATOMIC_ACQUIRE);
	uint32_t label = link->next >> TAG_SOURCE_BITS;
	if (label == 0)
		return (struct labelled_source){.first = other};
	return (struct labelled_source){.head = other, .label = label, .next = link->next & NEXT_MASK};
}
