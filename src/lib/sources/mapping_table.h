// SPDX-License-Identifier: BSD-2-Clause
// mapping_table: the memory that the program has mapped itself, range by range, and how much of it
// each source has.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its table as it
// grows. Only one thread at a time is in the table, with all signals held. Another thread waits,
// for some milliseconds at most. If the wait was too long or the table is full, the range counts as
// a loss.
//
// A range is recorded, as a piece of the table, if it is private and of no file. A piece that is
// reserved cannot be accessed (PROT_NONE) and counts for nobody. A hook takes a range out of the
// table before it unmaps it. As soon as the range is unmapped, another thread may get its
// addresses.

#ifndef PMEM_MAPPING_TABLE_H
#define PMEM_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/table.h"

enum {
	MAPPING_PIECES = 16384, // at most
	MAPPING_SOURCES = 1024, // that are told apart; any other source counts as SOURCE_OTHER
};

// Stands for a source where a range is reserved.
#define MAPPING_RESERVED UINT32_MAX

// Upper bound of the table's memory: pieces of 24 bytes, and two copies of each source's counters.
#define MAPPING_TABLE_BYTES_MAX \
	(TABLE_GROWING_MAX((uint64_t)MAPPING_PIECES * 24) + UINT64_C(160) * MAPPING_SOURCES)

struct mapping_range {
	uintptr_t start; // begins a page
	uintptr_t end;
};

struct mapping_piece {
	struct mapping_range range;
	uint32_t owner; // the place of its source in the counters, or MAPPING_RESERVED
};

// What one source has mapped.
struct mapping_source {
	uint32_t source;
	struct counter now;
	struct counter before; // as of the last snapshot
};

// Pieces that were taken out of the table. If had_more, there were more than these: the others were
// counted as unmapped at once.
struct mapping_taken {
	uint32_t count;
	bool had_more;
	struct mapping_piece pieces[8];
};

// Returns false if the table has no pieces.
bool mapping_table_has_any(void);

// Takes all pieces of the range out of the table. mapping_table_taken() must follow: it counts the
// pieces as unmapped, or puts them back if the kernel did not unmap them.
void mapping_table_take(struct mapping_range range, struct mapping_taken *taken);
void mapping_table_taken(const struct mapping_taken *taken, bool is_unmapped);

// Records a new range of the source. With MAPPING_RESERVED it is a reserved one.
void mapping_table_add(struct mapping_range range, uint32_t source);

// Returns true if part of the range is reserved.
bool mapping_table_has_reserved(struct mapping_range range);

// Gives the reserved pieces in the range to the source. With MAPPING_RESERVED, makes the other
// pieces in the range reserved.
void mapping_table_give(struct mapping_range range, uint32_t source);

// Returns true if the source has memory mapped.
bool mapping_table_holds(uint32_t source);

// For the one thread that writes a snapshot. Copies the counters of all sources, since threads go
// on counting. Returns the number of sources. SOURCE_OTHER is at place 0.
uint32_t mapping_table_look(void);

// mapping_table_at() returns the counters at a place of that copy. mapping_table_told(), called
// once a snapshot was written, sets `before` to `now` in all of them.
const struct mapping_source *mapping_table_at(uint32_t place);
void mapping_table_told(void);

// Called in a fork's child, which counts from then on. `is_alone`: the child has no other thread
// yet. If a thread of the parent was in the table then, the child's copy may be torn: it is emptied.
void mapping_table_fork(bool is_alone);

#endif
