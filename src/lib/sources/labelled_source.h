// SPDX-License-Identifier: BSD-2-Clause
// labelled_source: sources of one stack under several labels, each with counters of its own.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its table as it is
// used, never blocks. Nothing is mapped before a program sets a label.
//
// The stack itself is a source, too, the head, of what was allocated without a label. A labelled
// source has its frames and its id. It is chained before anybody can count in it, and for good.

#ifndef PMEM_LABELLED_SOURCE_H
#define PMEM_LABELLED_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

// What is known of a source.
struct labelled_source {
	uint32_t head;  // its stack's; 0: it is no labelled source
	uint32_t label;
	uint32_t next;  // of the head; 0: none
	uint32_t first; // of a head: its first labelled source; 0: none
};

// The most that this takes.
#define LABELLED_SOURCE_BYTES_MAX ((uint64_t)PMEM_SOURCES * 8 + TABLE_CHUNK_BYTES)

// Makes a source one of a stack under a label. False: there is no memory.
bool labelled_source_chain(uint32_t source, uint32_t head, uint32_t label);

struct labelled_source labelled_source_find(uint32_t source);

extern uint32_t labelled_source_count; // atomic

// Most programs set no label, and then nothing is to be found.
static inline bool
labelled_source_any(void)
{
	return __atomic_load_n(&labelled_source_count, __ATOMIC_ACQUIRE) > 0;
}

static inline struct labelled_source
labelled_source_get(uint32_t source)
{
	return labelled_source_any() ? labelled_source_find(source) : (struct labelled_source){0};
}

static inline bool
labelled_source_is(uint32_t source)
{
	return labelled_source_get(source).head != 0;
}

#endif
