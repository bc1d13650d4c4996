// SPDX-License-Identifier: BSD-2-Clause
// mapping_table: the memory that the program has mapped itself, range by range, and how much of it
// each source has.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its table as it
// grows. Only one thread at a time is in the table, with all signals held. Another one waits for
// some milliseconds at most. What is then not recorded, and what finds no room, counts as a loss.
//
// A range is recorded, as a piece of the table, if it is private and of no file. A piece that is
// reserved cannot be accessed (PROT_NONE) and counts for nobody. The caller of the kernel takes a
// range out of the table before it unmaps it: as soon as it is unmapped another thread may get it.

#ifndef PMEM_MAPPING_TABLE_H
#define PMEM_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/table.h"

enum {
	MAPPING_PIECES = 16384, // at most
	MAPPING_SOURCES = 1024, // that are told apart; the others count as SOURCE_OTHER
	MAPPING_RESERVED = MAPPING_SOURCES, // the owner of what is reserved
};

// The most that the table takes: pieces of 24 bytes, and twice what a source has.
#define MAPPING_TABLE_BYTES_MAX \
	(TABLE_GROWING_MAX((uint64_t)MAPPING_PIECES * 24) + UINT64_C(160) * MAPPING_SOURCES)

struct mapping_range {
	uintptr_t start; // begins a page
	uintptr_t end;
};

struct mapping_piece {
	struct mapping_range range;
	uint32_t owner; // the place of its source in the table; MAPPING_RESERVED
};

// What one source has mapped.
struct mapping_source {
	uint32_t source;
	struct counter now;
	struct counter before; // by the last snapshot
};

// The pieces that were taken out of the table. Behind the last one there may have been more: they
// were counted as unmapped at once.
struct mapping_taken {
	uint32_t count;
	bool had_more;
	struct mapping_piece pieces[8];
};

// Returns false if nothing was ever recorded: then no range is.
bool mapping_table_has_any(void);

// Takes all pieces of the range. mapping_table_taken() must follow: it counts them as unmapped, or
// puts them back if the kernel did not unmap them.
void mapping_table_take(struct mapping_range range, struct mapping_taken *taken);
void mapping_table_taken(const struct mapping_taken *taken, bool is_unmapped);

// Records a new range of the source, or a reserved one.
void mapping_table_add(struct mapping_range range, uint32_t source);
void mapping_table_reserve(struct mapping_range range);

// Returns true if part of the range is reserved.
bool mapping_table_has_reserved(struct mapping_range range);

// What is reserved in the range is the source's from here on; what is not reserved becomes so.
void mapping_table_open(struct mapping_range range, uint32_t source);
void mapping_table_close(struct mapping_range range);

// Returns true if the source has memory mapped.
bool mapping_table_holds(uint32_t source);

// For the one thread that writes a snapshot. Makes a copy of what all sources have and returns how
// many there are. Place 0 is SOURCE_OTHER.
uint32_t mapping_table_look(void);

// What the copy has at a place. `before` is set by mapping_table_told(), once a snapshot was written.
const struct mapping_source *mapping_table_at(uint32_t place);
void mapping_table_told(void);

// In a fork's child: counts from here on. If another thread was in the table the child's copy may be
// torn: it is emptied.
void mapping_table_fork(void);

#endif
