// heap: the largest of many, in order, without qsort()'s allocations.
//
// Who may call: whoever owns the array. Never allocates; sorts in place in n log n.

#ifndef PMEM_HEAP_H
#define PMEM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a stands before b in the wanted order.
typedef bool heap_before(uint64_t a, uint64_t b);

// Brings the `wanted` first of the order to the front, sorted; the rest follow unsorted.
void heap_select(uint64_t *items, size_t count, size_t wanted, heap_before *before);

#endif
