// SPDX-License-Identifier: BSD-2-Clause
// variant: sources of one stack under several labels, each with counters of its own.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its table as it is
// used, never blocks. Nothing is mapped before a program sets a label.
//
// The stack itself is a source, too, the head, of what was allocated without a label. A variant has
// its frames and its id. It is chained before anybody can count in it, and for good.

#ifndef PMEM_VARIANT_H
#define PMEM_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

// What is known of a source.
struct variant {
	uint32_t head;  // its stack's; 0: it is no variant
	uint32_t label;
	uint32_t next;  // of the head; 0: none
	uint32_t first; // of a head: its first variant; 0: none
};

// The most that this takes.
#define VARIANT_BYTES_MAX ((uint64_t)PMEM_SOURCES * 8 + TABLE_CHUNK_BYTES)

// Makes a source one of a stack under a label. False: there is no memory.
bool variant_chain(uint32_t source, uint32_t head, uint32_t label);

struct variant variant_find(uint32_t source);

extern uint32_t variant_count; // atomic

// Most programs set no label, and then nothing is to be found.
static inline bool
variant_any(void)
{
	return __atomic_load_n(&variant_count, __ATOMIC_ACQUIRE) > 0;
}

static inline struct variant
variant_get(uint32_t source)
{
	return variant_any() ? variant_find(source) : (struct variant){0};
}

static inline bool
variant_is(uint32_t source)
{
	return variant_get(source).head != 0;
}

#endif
