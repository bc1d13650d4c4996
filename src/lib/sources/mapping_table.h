// SPDX-License-Identifier: BSD-2-Clause
// mapping_table: the memory that the program has mapped itself, range by range, and how much of it
// each source has.
//
// Who may call: any thread that holds the guard. Never allocates but by mapping its table as it
// grows. Only one thread at a time is in the table, with all signals held back. Another thread that
// needs the table waits, for some milliseconds at most. If the wait was too long, or the table is
// full, a loss is counted, and the range is not recorded.
//
// A private mapping of no file is recorded as a piece, which is an entry of the table. A reserved
// piece cannot be accessed (PROT_NONE), and counts for no source. A hook takes a range out of the
// table before the range is unmapped. Otherwise another thread might map the same addresses in
// between, and the hook would take out the new mapping.

#ifndef PMEM_MAPPING_TABLE_H
#define PMEM_MAPPING_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/table.h"

enum {
	MAPPING_PIECES = 16384, // upper bound of the pieces in the table
	MAPPING_SOURCES = 1024, // sources with counters of their own; all others count as SOURCE_OTHER
};

// Passed instead of a source's number. MAPPING_RESERVED: the range is reserved. MAPPING_UNFORKED: a
// fork's child does not get the range. MAPPING_FORKED: a fork's child gets the range.
#define MAPPING_RESERVED UINT32_MAX
#define MAPPING_UNFORKED (UINT32_MAX - 1)
#define MAPPING_FORKED (UINT32_MAX - 2)

// Upper bound of the table's memory: pieces of 24 bytes, and two copies of each source's counters.
#define MAPPING_TABLE_BYTES_MAX \
	(TABLE_GROWING_MAX((uint64_t)MAPPING_PIECES * 24) + UINT64_C(160) * MAPPING_SOURCES)

struct mapping_range {
	uintptr_t start; // a multiple of the page size
	uintptr_t end;
};

struct mapping_piece {
	struct mapping_range range;
	uint32_t owner; // index of its source's counters, or MAPPING_RESERVED
	bool is_unforked; // a fork's child does not get the piece (MADV_DONTFORK)
};

// What one source has mapped.
struct mapping_source {
	uint32_t source;
	struct counter now;
	struct counter before; // `now` as it was at the last snapshot
};

// Pieces that were taken out of the table. If had_more, more pieces were taken out than fit here:
// those that do not fit are already counted as unmapped.
struct mapping_taken {
	uint32_t count;
	bool had_more;
	struct mapping_piece pieces[8];
};

// Returns false if the table has no pieces.
bool mapping_table_has_any(void);

// Takes all pieces of the range out of the table. mapping_table_taken() must follow: it counts the
// pieces as unmapped, or puts back those that are still mapped. A call that failed may have
// unmapped some pieces.
void mapping_table_take(struct mapping_range range, struct mapping_taken *taken);
void mapping_table_taken(const struct mapping_taken *taken, bool is_unmapped);

// Records a new range that the source has mapped. With MAPPING_RESERVED as the source, records a
// reserved range.
void mapping_table_add(struct mapping_range range, uint32_t source);

// Finds the source's first piece that ends behind range->end, and sets `range` to it. With
// MAPPING_RESERVED as the source, finds the first reserved piece instead. Returns false if no such
// piece begins before `end`.
bool mapping_table_next(uint32_t source, uintptr_t end, struct mapping_range *range);

// Gives the reserved pieces in the range to the source. With MAPPING_RESERVED as the source, makes
// all pieces in the range reserved. With MAPPING_UNFORKED or MAPPING_FORKED, notes only whether a
// fork's child gets the pieces.
void mapping_table_give(struct mapping_range range, uint32_t source);

// Returns true if the source has memory mapped.
bool mapping_table_holds(uint32_t source);

// Copies the counters of all sources for the snapshot. The copy does not change while the snapshot
// is written. Returns the number of sources in the copy. SOURCE_OTHER is the first. For the one
// thread that writes a snapshot.
uint32_t mapping_table_look(void);

// mapping_table_at() returns one source's counters in that copy. mapping_table_told() is called
// once the snapshot is written: it sets `before` to `now` in the whole copy.
const struct mapping_source *mapping_table_at(uint32_t place);
void mapping_table_told(void);

// Called in a fork's child, whose own counts begin at the fork. Pieces that the child did not get
// count as unmapped. `is_alone` is true if the child has no other thread yet. If a parent's thread
// was in the table at the fork, the child's copy may be half changed. The child's copy is then
// emptied.
void mapping_table_fork(bool is_alone);

#endif
