// SPDX-License-Identifier: BSD-2-Clause
// top_k: moves a few of many numbers, mostly the largest, to the front and sorts them. qsort() is
// not used, since it might allocate.
//
// Who may call: whoever owns the array. Never allocates; sorts in place in n log n.

#ifndef PMEM_TOP_K_H
#define PMEM_TOP_K_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns true if a precedes b in the wanted order.
typedef bool top_k_before(uint64_t a, uint64_t b);

// The order in which the largest number comes first.
bool top_k_largest(uint64_t a, uint64_t b);

// Moves the `wanted` items that come first in the order to the front, sorted. The other items
// follow unsorted.
void top_k_select(uint64_t *items, size_t count, size_t wanted, top_k_before *before);

#endif
