// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/check.h"
#include "base/guard.h"
#include "base/loss.h"
#include "base/sys.h"
#include "sources/source.h"
#include "sources/mapping_table.h"

enum {
	// A thread tries LOOKS times to enter the table, then WAITS times with a pause before each.
	LOOKS = 200,
	WAITS = 400,
};

_Static_assert(sizeof(struct mapping_piece) == 24, "MAPPING_TABLE_BYTES_MAX says so");

// The counters. They are mapped when the program first maps memory.
struct counters {
	struct mapping_source now[MAPPING_SOURCES];
	struct mapping_source looked[MAPPING_SOURCES]; // copy of now[] that mapping_table_look() made
};

static struct {
	// Address of the guard_holder of the thread that is in the table; 0 if there is none; atomic.
	uintptr_t holder;
	struct growing pieces;
	struct counters *counters;
	uint32_t count;         // number of pieces; written with release
	uint32_t source_count;  // number of sources in now[]; 0 if the program has never mapped memory
	uint32_t looked_count;  // number of sources in looked[]
	bool has_unforked; // some piece may have is_unforked set
	bool is_stuck; // the last thread that waited gave up, so that the next wait is short; atomic
} table;

static struct mapping_piece *
piece_at(uint32_t i)
{
	return (struct mapping_piece *)table.pieces.at + i;
}

static bool
try_to_enter(void)
{
	uintptr_t nobody = 0;
	return __atomic_compare_exchange_n(&table.holder, &nobody, (uintptr_t)&guard_holder, false,
		__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static bool
wait_to_enter(void)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	int tries = __atomic_load_n(&table.is_stuck, __ATOMIC_RELAXED) ? LOOKS : LOOKS + WAITS;
	bool entered = try_to_enter();

	for (int i = 0; i < tries && !entered; i++) {
		if (i >= LOOKS)
			sys_call2(SYS_nanosleep, (long)&pause, 0);
		entered = try_to_enter();
	}
	if (__atomic_load_n(&table.is_stuck, __ATOMIC_RELAXED) == entered)
		__atomic_store_n(&table.is_stuck, !entered, __ATOMIC_RELAXED);
	return entered;
}

// Enters the table. Holds signals back, so that no handler leaves the table by siglongjmp(). If
// other threads are in the table for too long, counts a loss and returns false. The thread in the
// table may not exist any more, as in a child of _Fork(). Then only the first wait is long.
static bool
enter(uint64_t *mask)
{
	*mask = sys_hold_signals();
	if (wait_to_enter())
		return true;
	sys_let_signals(*mask);
	loss_count(LOSS_MAPPINGS_MISSED);
	return false;
}

static void
leave(uint64_t mask)
{
	CHECK(table.count <= MAPPING_PIECES && table.source_count <= MAPPING_SOURCES);
	__atomic_store_n(&table.holder, 0, __ATOMIC_RELEASE);
	sys_let_signals(mask);
}

static uint64_t
bytes_of(const struct mapping_piece *piece)
{
	return piece->range.end - piece->range.start;
}

static void
count_map(uint32_t owner, uint64_t bytes)
{
	if (owner == MAPPING_RESERVED)
		return;
	table.counters->now[owner].now.allocs++;
	table.counters->now[owner].now.alloc_bytes += bytes;
}

static void
count_unmap(uint32_t owner, uint64_t bytes)
{
	if (owner == MAPPING_RESERVED)
		return;
	struct counter *now = &table.counters->now[owner].now;
	CHECK(counter_live(now) >= bytes && counter_holds(now));
	now->frees++;
	now->free_bytes += bytes;
}

// Returns the index of a source's counters, or MAPPING_RESERVED for a reserved range. If there is
// no memory, counts a loss and returns MAPPING_RESERVED, so that no source counts the range.
static uint32_t
owner_of(uint32_t source)
{
	if (source == MAPPING_RESERVED)
		return source;
	if (!table.counters)
		table.counters = table_map(TABLE_COUNTERS, sizeof(*table.counters));
	if (!table.counters) {
		loss_count(LOSS_MAPPINGS_MISSED);
		return MAPPING_RESERVED;
	}
	struct mapping_source *sources = table.counters->now;
	for (uint32_t i = 0; i < table.source_count; i++) {
		if (sources[i].source == source)
			return i;
	}
	if (table.source_count == 0)
		sources[table.source_count++].source = SOURCE_OTHER;
	if (source == SOURCE_OTHER || table.source_count == MAPPING_SOURCES)
		return 0;
	sources[table.source_count].source = source;
	return table.source_count++;
}

// Returns the number of the first piece that ends after the address.
static uint32_t
first_behind(uintptr_t at)
{
	uint32_t i = (uint32_t)table_first_from(
		table.pieces.at, table.count, sizeof(struct mapping_piece), at);
	return i > 0 && piece_at(i - 1)->range.end > at ? i - 1 : i;
}

static void
remove_pieces(uint32_t from, uint32_t count)
{
	if (count == 0)
		return;
	memmove(piece_at(from), piece_at(from + count),
		(table.count - from - count) * sizeof(struct mapping_piece));
	__atomic_store_n(&table.count, table.count - count, __ATOMIC_RELEASE);
}

static bool
insert(uint32_t at, struct mapping_piece piece)
{
	if (table.count == MAPPING_PIECES
		|| !table_grow(&table.pieces, (table.count + 1) * sizeof(piece))) {
		loss_count(LOSS_MAPPINGS_MISSED);
		return false;
	}
	memmove(piece_at(at + 1), piece_at(at), (table.count - at) * sizeof(piece));
	*piece_at(at) = piece;
	__atomic_store_n(&table.count, table.count + 1, __ATOMIC_RELEASE);
	return true;
}

// If a piece reaches across the address, cuts the piece in two there. Returns false if the table
// has no room for one more piece.
static bool
cut(uintptr_t at)
{
	uint32_t i = first_behind(at);
	if (i == table.count || piece_at(i)->range.start >= at)
		return true;
	struct mapping_piece outer = *piece_at(i);
	outer.range.start = at;
	if (!insert(i + 1, outer))
		return false;
	piece_at(i)->range.end = at;
	// The owner now has one piece more, but as many bytes as before.
	count_map(outer.owner, 0);
	return true;
}

// Cuts the pieces that reach across an end of the range. Returns how many pieces are in the range,
// and sets `first` to the number of the first of them.
static uint32_t
pieces_in(struct mapping_range range, uint32_t *first)
{
	*first = 0;
	if (!cut(range.start) || !cut(range.end))
		return 0;
	*first = first_behind(range.start);
	uint32_t count = 0;
	while (*first + count < table.count && piece_at(*first + count)->range.start < range.end)
		count++;
	return count;
}

// Makes the range one piece of the owner's. The pieces that were in the range count as unmapped.
static void
replace(struct mapping_range range, uint32_t owner)
{
	uint32_t first;
	uint32_t count = pieces_in(range, &first);

	for (uint32_t i = first; i < first + count; i++)
		count_unmap(piece_at(i)->owner, bytes_of(piece_at(i)));
	remove_pieces(first, count);
	struct mapping_piece piece = {.range = range, .owner = owner};
	if (insert(first_behind(range.start), piece))
		count_map(owner, bytes_of(&piece));
}

// Returns false only if the page surely is not mapped. A read could wait for a thread that fills the
// page by userfaultfd(2) and waits for us. The advice only brings back a page that was swapped out.
static bool
is_mapped(uintptr_t page)
{
	return sys_call3(SYS_madvise, (long)page, (long)sys_page_bytes(), MADV_WILLNEED) != -ENOMEM;
}

bool
mapping_table_has_any(void)
{
	return __atomic_load_n(&table.count, __ATOMIC_ACQUIRE) > 0;
}

void
mapping_table_take(struct mapping_range range, struct mapping_taken *taken)
{
	enum { MOST = sizeof(taken->pieces) / sizeof(*taken->pieces) };
	uint64_t mask;
	uint32_t first;

	taken->count = 0;
	taken->had_more = false;
	if (!enter(&mask))
		return;
	uint32_t count = pieces_in(range, &first);
	for (uint32_t i = 0; i < count; i++) {
		const struct mapping_piece *piece = piece_at(first + i);
		if (i < MOST)
			taken->pieces[taken->count++] = *piece;
		else
			count_unmap(piece->owner, bytes_of(piece));
	}
	taken->had_more = count > MOST;
	remove_pieces(first, count);
	leave(mask);
}

void
mapping_table_taken(const struct mapping_taken *taken, bool is_unmapped)
{
	uint64_t mask;

	if (taken->count == 0 || !enter(&mask))
		return;
	for (uint32_t i = 0; i < taken->count; i++) {
		const struct mapping_piece *piece = &taken->pieces[i];
		// A failed call may have unmapped the piece. A reserved piece is not counted.
		bool is_gone = is_unmapped || (piece->owner != MAPPING_RESERVED && !is_mapped(piece->range.start));
		if (is_gone || !insert(first_behind(piece->range.start), *piece))
			count_unmap(piece->owner, bytes_of(piece));
	}
	if (taken->had_more && !is_unmapped)
		loss_count(LOSS_MAPPINGS_MISSED);
	leave(mask);
}

void
mapping_table_add(struct mapping_range range, uint32_t source)
{
	uint64_t mask;

	if (!enter(&mask))
		return;
	replace(range, owner_of(source));
	leave(mask);
}

bool
mapping_table_next(uint32_t source, uintptr_t end, struct mapping_range *range)
{
	uint64_t mask;
	bool found = false;

	if (!mapping_table_has_any() || !enter(&mask))
		return false;
	for (uint32_t i = first_behind(range->end); i < table.count && !found; i++) {
		const struct mapping_piece *piece = piece_at(i);
		if (piece->range.start >= end)
			break;
		found = source == (piece->owner == MAPPING_RESERVED ? piece->owner
			: table.counters->now[piece->owner].source);
		*range = found ? piece->range : *range;
	}
	leave(mask);
	return found;
}

void
mapping_table_give(struct mapping_range range, uint32_t source)
{
	uint64_t mask;
	uint32_t first;

	if (!mapping_table_has_any() || !enter(&mask))
		return;
	bool is_of_forks = source == MAPPING_UNFORKED || source == MAPPING_FORKED;
	uint32_t owner = is_of_forks ? source : owner_of(source);
	uint32_t count = pieces_in(range, &first);
	table.has_unforked = table.has_unforked || source == MAPPING_UNFORKED;
	for (uint32_t i = first; i < first + count; i++) {
		struct mapping_piece *piece = piece_at(i);
		if (is_of_forks)
			piece->is_unforked = source == MAPPING_UNFORKED;
		if (is_of_forks || (piece->owner == MAPPING_RESERVED) == (source == MAPPING_RESERVED))
			continue;
		count_unmap(piece->owner, bytes_of(piece));
		piece->owner = owner;
		count_map(owner, bytes_of(piece));
	}
	leave(mask);
}

bool
mapping_table_holds(uint32_t source)
{
	for (uint32_t i = 0; i < table.source_count; i++) {
		if (table.counters->now[i].source == source)
			return counter_holds(&table.counters->now[i].now);
	}
	return false;
}

uint32_t
mapping_table_look(void)
{
	uint64_t mask;

	if (table.source_count == 0 || !enter(&mask))
		return table.looked_count;
	for (uint32_t i = 0; i < table.source_count; i++) {
		table.counters->looked[i].source = table.counters->now[i].source;
		table.counters->looked[i].now = table.counters->now[i].now;
	}
	table.looked_count = table.source_count;
	leave(mask);
	return table.looked_count;
}

const struct mapping_source *
mapping_table_at(uint32_t place)
{
	return &table.counters->looked[place];
}

void
mapping_table_told(void)
{
	for (uint32_t i = 0; i < table.looked_count; i++)
		table.counters->looked[i].before = table.counters->looked[i].now;
}

void
mapping_table_fork(bool is_alone)
{
	if (is_alone && __atomic_load_n(&table.holder, __ATOMIC_ACQUIRE) != 0) {
		table.count = table.source_count = table.looked_count = 0;
		if (table.counters)
			memset(table.counters, 0, sizeof(*table.counters));
		loss_count(LOSS_MAPPINGS_MISSED);
		__atomic_store_n(&table.holder, 0, __ATOMIC_RELEASE);
	}
	uint64_t mask;
	uint32_t kept = 0;
	if (table.has_unforked && enter(&mask)) {
		for (uint32_t i = 0; i < table.count; i++) {
			if (piece_at(i)->is_unforked)
				count_unmap(piece_at(i)->owner, bytes_of(piece_at(i)));
			else
				*piece_at(kept++) = *piece_at(i);
		}
		__atomic_store_n(&table.count, kept, __ATOMIC_RELEASE);
		leave(mask);
	}
	mapping_table_look();
	mapping_table_told();
}
