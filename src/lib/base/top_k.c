// SPDX-License-Identifier: BSD-2-Clause

#include "base/top_k.h"

static void
swap(uint64_t *a, uint64_t *b)
{
	uint64_t kept = *a;
	*a = *b;
	*b = kept;
}

// Moves the item at `at` down to its place in the heap. The root of the heap is the item that comes
// last in the order.
static void
sink(uint64_t *items, size_t count, size_t at, top_k_before *before)
{
	for (;;) {
		size_t last = at;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
			if (before(items[last], items[child]))
				last = child;
		}
		if (last == at)
			return;
		swap(&items[at], &items[last]);
		at = last;
	}
}

bool
top_k_largest(uint64_t a, uint64_t b)
{
	return a > b;
}

void
top_k_select(uint64_t *items, size_t count, size_t wanted, top_k_before *before)
{
	if (wanted > count)
		wanted = count;
	if (wanted == 0)
		return;

	// The first `wanted` places are a heap. The heap holds the items seen so far that come first in
	// the order. Each later item replaces the root if it comes before the root.
	for (size_t i = wanted / 2; i-- > 0;)
		sink(items, wanted, i, before);
	for (size_t i = wanted; i < count; i++) {
		if (before(items[i], items[0])) {
			swap(&items[i], &items[0]);
			sink(items, wanted, 0, before);
		}
	}
	for (size_t left = wanted; left-- > 1;) {
		swap(&items[0], &items[left]);
		sink(items, left, 0, before);
	}
}
