// SPDX-License-Identifier: BSD-2-Clause
// largest: the first few of many by some order, the largest mostly, without qsort()'s allocations.
//
// Who may call: whoever owns the array. Never allocates; sorts in place in n log n.

#ifndef PMEM_LARGEST_H
#define PMEM_LARGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a stands before b in the wanted order.
typedef bool largest_before(uint64_t a, uint64_t b);

// Brings the `wanted` first of the order to the front, sorted; the rest follow unsorted.
void largest_select(uint64_t *items, size_t count, size_t wanted, largest_before *before);

#endif
