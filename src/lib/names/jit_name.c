// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "format.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/text.h"
#include "base/top_k.h"
#include "sources/source.h"
#include "sources/stack_store.h"
#include "stacks/script_line.h"
#include "names/jit_map.h"
#include "names/symbol.h"
#include "names/jit_name.h"

enum {
	FRESH_PLACES = 4096, // that are entered at a time
	RANGE_BITS = 10,
	FRESH_RANGES = 1 << RANGE_BITS, // likewise
	LAST_TIMES = 16,     // more is read for the last snapshot
	MOVED_LINE_BYTES = 32,
};

// A piece of code that the map told of.
struct range {
	uint64_t start; // first, as its key
	uint32_t bytes;
	uint32_t function; // a hash of its name: of equal ones the function is one
	uint64_t at;       // its record in the map
};

enum place_state {
	PLACE_OPEN,  // nothing was told of it
	PLACE_TOLD,  // a range was, whose name has not been read
	PLACE_NAMED, // or its range has no name
	PLACE_LOST,  // another function may lie there, or may have when its source was seen
};

struct place {
	uint64_t pc;       // a return address; first, as its key
	uint64_t seen;     // when, jit_map_mark()
	uint64_t at;       // the record of its range; UINT64_MAX: cannot be read any more
	uint32_t function; // of that
	uint32_t name;     // symbol_keep_name(); 0: none
	uint32_t offset;   // from its range's beginning
	uint32_t look;     // in which it was entered
	uint8_t state;
	bool told_moved; // the file has it
};

_Static_assert(sizeof(struct place) == 48 && sizeof(struct range) == 24, "JIT_NAME_BYTES_MAX counts on it");
_Static_assert((int)JIT_RECORD_NAME_MAX > (int)SYMBOL_NAME_MAX, "what is cut off has to show");

static TABLE_STATIC uint64_t fresh_places[FRESH_PLACES];
static TABLE_STATIC struct range fresh_ranges[FRESH_RANGES]; // in the order of the map
static TABLE_STATIC uint64_t order[FRESH_RANGES]; // of these: the start, and which it is

static struct {
	struct growing places; // sorted by address
	size_t place_count;
	size_t fresh_places;
	struct growing ranges; // sorted by address; none overlaps another
	size_t range_count;
	size_t fresh_ranges;
	uint32_t next_source; // whose frames are not places yet
	uint32_t look;
	size_t moved; // places that the file has not been told of
	bool any_told; // PLACE_TOLD
	bool is_late;  // a place of an earlier look has got a name
	bool is_other; // a fork's child has another map
	bool is_torn;  // while it is changed: a copy of the process may be made meanwhile
} state = {.next_source = 1};

static bool
by_number(uint64_t a, uint64_t b)
{
	return a < b;
}

static struct range *
range_at(size_t number)
{
	return (struct range *)state.ranges.at + number;
}

static const struct range *
find_range(uintptr_t pc)
{
	size_t behind =
		table_first_from(state.ranges.at, state.range_count, sizeof(struct range), pc);
	const struct range *range = behind > 0 ? range_at(behind - 1) : NULL;
	return range && pc - range->start <= range->bytes ? range : NULL;
}

static uint32_t
function_of(const struct jit_record *told)
{
	uint64_t hash = HASH_SEED;

	for (size_t i = 0; i < told->length; i++)
		hash = hash_step(hash, (unsigned char)told->name[i]);
	return (uint32_t)(hash >> 32 ^ hash);
}

// Behind those there are, in the order of addresses: of two that overlap the later one stays.
static void
put_range(const struct range *range)
{
	while (state.range_count > 0) {
		const struct range *last = range_at(state.range_count - 1);
		if (last->start + last->bytes <= range->start)
			break;
		if (last->at > range->at)
			return;
		state.range_count--;
	}
	*range_at(state.range_count++) = *range;
}

static void
settle_ranges(void)
{
	size_t fresh = state.fresh_ranges;
	size_t old = state.range_count;

	if (fresh == 0)
		return;
	state.range_count = state.fresh_ranges = 0;
	if (!table_grow(&state.ranges, (old + fresh) * sizeof(struct range)))
		return;
	for (size_t i = 0; i < fresh; i++)
		order[i] = fresh_ranges[i].start << RANGE_BITS | i;
	top_k_select(order, fresh, fresh, by_number);
	memmove(range_at(fresh), range_at(0), old * sizeof(struct range));
	for (size_t i = 0, k = 0; i < fresh || k < old;) {
		const struct range *next = range_at(fresh + k);
		uint64_t start = i < fresh ? order[i] >> RANGE_BITS : UINT64_MAX;
		struct range range = k < old && next->start <= start
			? range_at(fresh)[k++] : fresh_ranges[order[i++] % FRESH_RANGES];
		put_range(&range);
	}
	if (state.range_count > PMEM_CODE) {
		loss_count(LOSS_SYMBOLS_FULL);
		state.range_count = 0;
	}
}

static struct range
keep_range(const struct jit_record *told)
{
	struct range range = {told->start, (uint32_t)(told->end - told->start),
		function_of(told), told->at};

	if (state.fresh_ranges == FRESH_RANGES)
		settle_ranges();
	fresh_ranges[state.fresh_ranges++] = range;
	return range;
}

static struct place *
place_at(size_t number)
{
	return (struct place *)state.places.at + number;
}

// The first place whose pc is not below.
static size_t
first_place(uint64_t pc)
{
	return table_first_from(state.places.at, state.place_count, sizeof(struct place), pc);
}

static struct place *
find_place(uint64_t pc)
{
	size_t at = first_place(pc);
	return at < state.place_count && place_at(at)->pc == pc ? place_at(at) : NULL;
}

static void
take_range(struct place *place, const struct range *range)
{
	place->state = PLACE_TOLD;
	place->at = range->at;
	place->function = range->function;
	place->offset = (uint32_t)(place->pc - range->start);
	state.any_told = true;
}

// What the map tells of a place behind what it told before.
static void
offer(struct place *place, const struct range *range, uint64_t when)
{
	if (place->state == PLACE_OPEN && when < place->seen) {
		take_range(place, range);
	} else if (place->state == PLACE_OPEN
		|| (place->state != PLACE_LOST && place->function != range->function)) {
		state.moved += place->name != 0;
		place->state = PLACE_LOST;
	}
}

static void
take(const struct jit_record *told)
{
	struct range range = keep_range(told);

	for (size_t i = first_place(told->start + 1);
		i < state.place_count && place_at(i)->pc <= told->end; i++)
		offer(place_at(i), &range, told->when);
}

// Merges them into the others, each once. Told of them is what was told up to the last look.
static void
enter_places(uint64_t mark)
{
	size_t count = state.fresh_places;
	size_t old = state.place_count;
	size_t fresh = 0;

	state.fresh_places = 0;
	top_k_select(fresh_places, count, count, by_number);
	for (size_t i = 0; i < count; i++) {
		if (fresh == 0 || fresh_places[fresh - 1] != fresh_places[i])
			fresh_places[fresh++] = fresh_places[i];
	}
	if (old + fresh > PMEM_CODE
		|| !table_grow(&state.places, (old + fresh) * sizeof(struct place))) {
		loss_count(LOSS_SYMBOLS_FULL);
		return;
	}
	state.place_count += fresh;
	for (size_t to = old + fresh; fresh > 0;) {
		if (old > 0 && place_at(old - 1)->pc > fresh_places[fresh - 1]) {
			*place_at(--to) = *place_at(--old);
			continue;
		}
		struct place place = {.pc = fresh_places[--fresh], .seen = mark, .look = state.look};
		const struct range *range = find_range(place.pc);
		if (range)
			take_range(&place, range);
		*place_at(--to) = place;
	}
}

// Collects the places of new sources. False: there is no room for those of the next one.
static bool
collect_places(void)
{
	for (uint32_t count = source_count(); state.next_source < count; state.next_source++) {
		const struct source *source = source_get(state.next_source);
		const struct frame *frame = source->frames;

		if (state.fresh_places + source->depth > FRESH_PLACES)
			return false;
		for (uint32_t i = 1; i < source->depth; i++) {
			frame = stack_store_frame(frame + 1);
			if (frame->module == MODULE_NONE && !script_line_is(frame->pc)
				&& !find_place(frame->pc))
				fresh_places[state.fresh_places++] = frame->pc;
		}
	}
	return true;
}

static void
name_place(struct place *place, const struct place *before)
{
	struct jit_record told;
	char name[JIT_RECORD_NAME_MAX + 1];

	place->state = PLACE_NAMED;
	// Neighbours in one range share its name.
	if (before && before->at == place->at && before->name != 0)
		place->name = before->name;
	else if (jit_map_read_again(place->at, place->pc - place->offset, &told)
		&& told.length > 0 && function_of(&told) == place->function) {
		memcpy(name, told.name, told.length);
		name[told.length] = '\0';
		place->name = symbol_keep_name(name);
	}
	state.is_late |= place->name != 0 && place->look != state.look;
}

static void
name_places(void)
{
	for (size_t i = 0; state.any_told && i < state.place_count; i++) {
		if (place_at(i)->state == PLACE_TOLD)
			name_place(place_at(i), i > 0 ? place_at(i - 1) : NULL);
	}
	state.any_told = false;
}

// Records are other records by now. Places without a name get none any more.
static void
lose_records(void)
{
	state.range_count = state.fresh_ranges = 0;
	for (size_t i = 0; i < state.place_count; i++) {
		place_at(i)->at = UINT64_MAX;
		if (place_at(i)->state < PLACE_NAMED)
			place_at(i)->state = PLACE_LOST;
	}
}

// Behind what the last look read.
static void
read_map(bool is_last)
{
	uint64_t most = (uint64_t)PMEM_CODE_MAP_BYTES * (is_last ? LAST_TIMES : 1);
	bool is_all = jit_map_read(most, take);

	settle_ranges();
	// What was not read may tell of another function at any place.
	if (is_all)
		name_places();
}

bool
jit_name_look(bool is_last)
{
	bool is_other;

	// What was left in the middle is worth nothing.
	if (state.is_torn) {
		state.place_count = state.fresh_places = state.moved = 0;
		state.range_count = state.fresh_ranges = 0;
	}
	state.is_late = false;
	state.is_torn = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	bool all = collect_places();
	if (state.fresh_places > 0 || state.place_count > 0) {
		bool has_map = jit_map_look(&is_other);
		if (has_map && (is_other || state.is_other))
			lose_records();
		state.is_other &= !has_map;
		state.look++;
		for (enter_places(jit_map_mark()); !all; enter_places(jit_map_mark()))
			all = collect_places();
		if (has_map)
			read_map(is_last);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	state.is_torn = false;
	return state.is_late;
}

bool
jit_name_get(uintptr_t pc, struct symbol *symbol)
{
	const struct place *place = find_place(pc);

	if (!place || place->name == 0 || place->state == PLACE_LOST)
		return false;
	*symbol = symbol_kept_name(place->name, place->offset);
	return true;
}

bool
jit_name_write_moved(struct text *text)
{
	bool any = state.moved > 0;

	for (size_t i = 0; any && i < state.place_count; i++) {
		struct place *place = place_at(i);
		if (place->state != PLACE_LOST || place->name == 0 || place->told_moved)
			continue;
		text_string(text, FORMAT_MOVED "0x");
		text_hex(text, place->pc, 1);
		text_string(text, "\n");
		place->told_moved = true;
	}
	state.moved = 0;
	return any;
}

size_t
jit_name_moved_bytes(void)
{
	return state.moved * MOVED_LINE_BYTES;
}

void
jit_name_forget_moved(void)
{
	for (size_t i = 0; i < state.place_count; i++) {
		state.moved += place_at(i)->told_moved;
		place_at(i)->told_moved = false;
	}
}

void
jit_name_fork(void)
{
	state.is_other = true;
}
