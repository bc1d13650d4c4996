// SPDX-License-Identifier: BSD-2-Clause
// labelled_source: the sources of one stack under several labels, each with counters of its own.
//
// Who may call: any thread that holds the guard. Never allocates, except that it maps its table
// when used; never blocks. Nothing is mapped before a program sets a label.
//
// The stack also has a source without a label, called the head. A labelled source shares the head's
// frames and id. Each labelled source is put into its head's chain before any thread can count in
// it, and stays there.

#ifndef PMEM_LABELLED_SOURCE_H
#define PMEM_LABELLED_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"

// A source's place in the chains of heads. A number of 0 means none.
struct labelled_source {
	uint32_t head;  // if this is a labelled source: its head; else 0
	uint32_t label;
	uint32_t next;  // next labelled source of the same head
	uint32_t first; // if this is a head: its first labelled source; else 0
};

// Upper bound of the memory that this module takes.
#define LABELLED_SOURCE_BYTES_MAX ((uint64_t)PMEM_SOURCES * 8 + TABLE_CHUNK_BYTES)

// Puts `source` into the head's chain, as the source of the head's stack under the label. Returns
// false if there is no memory.
bool labelled_source_chain(uint32_t source, uint32_t head, uint32_t label);

struct labelled_source labelled_source_find(uint32_t source);

extern uint32_t labelled_source_count; // atomic

// Returns false if no source is labelled, as in most programs. labelled_source_get() then needs no
// look-up.
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
