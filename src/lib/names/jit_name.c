// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "format.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/text.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "sources/stack_store.h"
#include "names/jit_map.h"
#include "names/symbol.h"
#include "names/jit_name.h"

enum {
	// The process's last snapshot may read this many times the bytes that any other snapshot may
	// read.
	LAST_TIMES = 16,
	// The log's line about a withdrawn name has at most this many bytes.
	MOVED_LINE_BYTES = 32,
};

// A recorded piece of code.
struct piece {
	uint64_t start;
	uint64_t at; // offset of the piece's record in the file
	uint32_t bytes;
	uint32_t function; // a hash of the function's name
};

enum place_state {
	PLACE_EMPTY, // no piece of code was found at the place yet
	PLACE_FOUND, // the piece of code was found, its name not yet read
	PLACE_NAMED,
	PLACE_NAMELESS, // the place will never have a name
	PLACE_MOVED, // the place's name was withdrawn
	PLACE_MOVED_TOLD, // the place's name was withdrawn, and the log says so
};

struct place {
	uint64_t pc; // a return address
	uint64_t until; // jit_map_mark() of the snapshot that first saw the place's source
	uint64_t at; // offset of the piece's record in the file; set once the state is PLACE_FOUND
	// The piece's `function`; set once the state is PLACE_FOUND.
	uint32_t function;
	// Distance of `pc` from its piece's start; set once the state is PLACE_FOUND.
	uint32_t offset;
	uint32_t name; // number that symbol_keep_name() returned
	uint32_t state; // enum place_state
};

_Static_assert(sizeof(struct piece) == 24 && sizeof(struct place) == 40,
	"JIT_NAME_BYTES_MAX counts on it");
_Static_assert((int)JIT_RECORD_NAME_MAX > (int)SYMBOL_NAME_MAX,
	"what is cut off has to show");

static struct {
	struct growing pieces; // a ring, in the order of the file
	size_t told; // number of pieces read so far; the ring has the last PMEM_CODE of them
	struct growing places;
	struct growing order; // places' numbers, 32 bits each, sorted by address
	size_t count;
	uint32_t next_source; // the first source whose places are not in `places` yet
	// Sources below this number were first seen by a snapshot that found no file. So their places
	// get no names.
	uint32_t unmapped;
} state = {.next_source = 1};

// Returns the place of this number. Places are numbered in the order in which they were noted.
static struct place *
place_of(size_t number)
{
	return (struct place *)state.places.at + number;
}

static struct place *
place_by_address(size_t at)
{
	return place_of(((const uint32_t *)state.order.at)[at]);
}

// Returns the index in `order` of the first place whose pc is not below `pc`.
static size_t
first_place(uint64_t pc)
{
	size_t low = 0;
	size_t high = state.count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (place_by_address(middle)->pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct place *
find_place(uint64_t pc)
{
	size_t at = first_place(pc);
	return at < state.count && place_by_address(at)->pc == pc ? place_by_address(at) : NULL;
}

static void
add_place(uint64_t pc, uint64_t until)
{
	size_t at = first_place(pc);
	size_t count = state.count;

	if (at < count && place_by_address(at)->pc == pc)
		return;
	if (count == PMEM_CODE || !table_grow(&state.places, (count + 1) * sizeof(struct place))
		|| !table_grow(&state.order, (count + 1) * sizeof(uint32_t))) {
		loss_count(LOSS_SYMBOLS_FULL);
		return;
	}
	*place_of(count) = (struct place){.pc = pc, .until = until};
	uint32_t *order = (uint32_t *)state.order.at + at;
	memmove(order + 1, order, (count - at) * sizeof(*order));
	*order = (uint32_t)count;
	state.count++;
}

// Adds the places of the sources from next_source up to `sources`, with *until as their `until`. If
// `until` is NULL, adds no place, but returns true if there is a place to add.
static bool
note_places(uint32_t sources, const uint64_t *until)
{
	for (; state.next_source < sources; state.next_source++) {
		const struct source *source = source_get(state.next_source);
		const struct frame *frame = source->frames + 1;
		for (uint32_t n = 1; n < source->depth; n++, frame++) {
			frame = stack_store_frame(frame);
			if (frame->module != MODULE_NONE || script_line_is(frame->pc))
				continue;
			if (!until)
				return true;
			add_place(frame->pc, *until);
		}
	}
	return false;
}

static void
take_piece(struct place *place, const struct piece *piece)
{
	place->at = piece->at;
	place->function = piece->function;
	place->offset = (uint32_t)(place->pc - piece->start);
	place->state = PLACE_FOUND;
}

// Applies the rule of jit_name.h to a place that was added before this piece of code was read. The
// piece contains the place.
static void
offer_piece(struct place *place, const struct piece *piece, uint64_t when)
{
	bool has_piece = place->state == PLACE_FOUND || place->state == PLACE_NAMED;

	if (place->state >= PLACE_NAMELESS || (has_piece && place->function == piece->function))
		return;
	if (!has_piece && when < place->until)
		take_piece(place, piece);
	else
		place->state = place->state == PLACE_NAMED ? PLACE_MOVED : PLACE_NAMELESS;
}

static struct piece *
piece_at(size_t number)
{
	return (struct piece *)state.pieces.at + number % PMEM_CODE;
}

static uint32_t
function_of(const struct jit_record *record)
{
	uint64_t hash = HASH_SEED;
	for (size_t i = 0; i < record->length; i++)
		hash = hash_step(hash, (unsigned char)record->name[i]);
	return (uint32_t)(hash >> 32 ^ hash);
}

static void
take_record(const struct jit_record *record)
{
	uint32_t bytes = (uint32_t)(record->end - record->start);
	struct piece piece = {record->start, record->at, bytes, function_of(record)};
	size_t pieces = state.told < PMEM_CODE ? state.told + 1 : PMEM_CODE;

	for (size_t i = first_place(record->start + 1);
		i < state.count && place_by_address(i)->pc <= record->end; i++)
		offer_piece(place_by_address(i), &piece, record->when);
	// If there is no room for this piece, all pieces are forgotten. Otherwise find_piece() might
	// return an earlier piece that this one overlaps.
	if (table_grow(&state.pieces, pieces * sizeof(piece)))
		*piece_at(state.told++) = piece;
	else
		state.told = 0;
}

// Returns the last piece that contains the call before the return address pc. Returns NULL if no
// piece contains the call, or if a later piece overlaps that piece.
static const struct piece *
find_piece(uint64_t pc)
{
	size_t oldest = state.told > PMEM_CODE ? state.told - PMEM_CODE : 0;
	size_t number = state.told;

	while (number > oldest) {
		const struct piece *piece = piece_at(--number);
		if (pc - piece->start - 1 >= piece->bytes)
			continue;
		while (++number < state.told) {
			const struct piece *later = piece_at(number);
			if (later->start < piece->start + piece->bytes
				&& piece->start < later->start + later->bytes)
				return NULL;
		}
		return piece;
	}
	if (oldest > 0)
		loss_count(LOSS_SYMBOLS_FULL);
	return NULL;
}

// Reads a place's name from the file. `before` is the place with the next lower address, or NULL.
// If both places are in one piece, the name of `before` is returned. Returns 0 if the piece has no
// name, or if there is no room for the name.
static uint32_t
read_name(const struct place *place, const struct place *before)
{
	struct jit_record record;
	char name[JIT_RECORD_NAME_MAX + 1] = "";

	if (before && before->state == PLACE_NAMED && before->at == place->at)
		return before->name;
	if (!jit_map_read_again(place->at, place->pc - place->offset, &record)
		|| record.length == 0 || function_of(&record) != place->function)
		return 0;
	memcpy(name, record.name, record.length);
	return symbol_keep_name(name);
}

// Reads the names of places. Returns true if one of the first `old` places, which earlier snapshots
// had added, has got a name.
static bool
name_places(size_t old)
{
	bool is_late = false;

	for (size_t i = 0; i < state.count; i++) {
		struct place *place = place_by_address(i);
		// As long as a record from before `until` is unread, a later piece may turn up at this
		// place. The place must get that piece's name. So the place waits.
		if (place->state != PLACE_FOUND || !jit_map_has_read(place->until))
			continue;
		place->name = read_name(place, i > 0 ? place_by_address(i - 1) : NULL);
		// The process may be forked here. In the child, a place whose state is PLACE_NAMED must
		// have its name. So the state is set last.
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		place->state = place->name != 0 ? PLACE_NAMED : PLACE_NAMELESS;
		is_late |= place->name != 0 && place < place_of(old);
	}
	return is_late;
}

// Called if the file was replaced by another file. The old file's records can no longer be read. So
// a place that has no name yet will never have a name.
static void
lose_file(void)
{
	state.told = 0;
	for (size_t i = 0; i < state.count; i++) {
		struct place *place = place_of(i);
		place->at = UINT64_MAX;
		if (place->state < PLACE_NAMED)
			place->state = PLACE_NAMELESS;
	}
}

bool
jit_name_look(bool is_last)
{
	uint32_t sources = source_count();
	bool is_other;

	if (state.count == 0 && !note_places(sources, NULL))
		return false;
	if (!jit_map_look(&is_other)) {
		// Pieces that are recorded from now on give these sources no names, since the sources were
		// seen before.
		state.unmapped = sources;
		return false;
	}
	if (is_other)
		lose_file();
	note_places(state.unmapped, &(const uint64_t){0});
	size_t old = state.count;
	note_places(sources, &(const uint64_t){jit_map_mark()});
	for (size_t i = old; i < state.count; i++) {
		const struct piece *piece = find_piece(place_of(i)->pc);
		if (piece)
			take_piece(place_of(i), piece);
	}
	jit_map_read((uint64_t)PMEM_CODE_MAP_BYTES * (is_last ? LAST_TIMES : 1), take_record);
	return name_places(old);
}

bool
jit_name_get(uintptr_t pc, struct symbol *symbol)
{
	const struct place *place = find_place(pc);

	if (!place || place->state != PLACE_NAMED)
		return false;
	*symbol = symbol_kept_name(place->name, place->offset);
	return true;
}

bool
jit_name_write_moved(struct text *text)
{
	bool any = false;

	for (size_t i = 0; i < state.count; i++) {
		struct place *place = place_of(i);
		if (place->state != PLACE_MOVED)
			continue;
		text_string(text, FORMAT_MOVED "0x");
		text_hex(text, place->pc, 1);
		text_string(text, "\n");
		place->state = PLACE_MOVED_TOLD;
		any = true;
	}
	return any;
}

size_t
jit_name_moved_bytes(void)
{
	size_t bytes = 0;
	for (size_t i = 0; i < state.count; i++)
		bytes += place_of(i)->state == PLACE_MOVED ? MOVED_LINE_BYTES : 0;
	return bytes;
}

void
jit_name_forget_moved(void)
{
	for (size_t i = 0; i < state.count; i++) {
		if (place_of(i)->state == PLACE_MOVED_TOLD)
			place_of(i)->state = PLACE_MOVED;
	}
}
