// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/call.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/file.h"
#include "names/v8_entry.h"
#include "names/piece.h"

enum {
	FRESH_PIECES = 1024, // that are entered at a time
	CODE_BEFORE = 48, // bytes that tell code from other code, before a return address
	CODE_BEHIND = 16,
	// x86-64's load of a word into rax.
	LOAD_FIRST = 0x48,
	LOAD_SECOND = 0xb8,
	LOAD_BYTES = 10,
};

_Static_assert(sizeof(struct piece) == 24, "PIECE_BYTES_MAX counts on it");

static TABLE_STATIC struct piece fresh_pieces[FRESH_PIECES]; // in the order of the map

static struct {
	struct growing pieces; // sorted by address; none overlaps another
	size_t count;
	size_t fresh;
} state;

static struct piece *
piece_at(size_t number)
{
	return (struct piece *)state.pieces.at + number;
}

const struct piece *
piece_find(uintptr_t pc)
{
	size_t behind = table_first_from(state.pieces.at, state.count, sizeof(struct piece), pc);
	struct piece *piece = behind > 0 ? piece_at(behind - 1) : NULL;

	return piece && pc - piece->start <= piece->bytes ? piece : NULL;
}

bool
piece_may_call(const struct piece *piece, uintptr_t pc)
{
	return !piece->is_entry || v8_entry_may_call(piece->bytes, (uint32_t)(pc - piece->start));
}

// V8 marks how it has compiled a function: JS:~f, JS:^f and JS:*f are one.
uint32_t
piece_function(const struct codeline *piece)
{
	const char *colon = memchr(piece->name, ':', piece->length);
	const char *mark = colon ? colon + 1 : NULL;
	uint64_t hash = HASH_SEED;

	for (const char *at = piece->name; at < piece->name + piece->length; at++) {
		if (at != mark || !(*at == '~' || *at == '^' || *at == '+' || *at == '*'))
			hash = hash_step(hash, (unsigned char)*at);
	}
	return (uint32_t)(hash >> 32 ^ hash);
}

static bool
by_start(const struct piece *a, const struct piece *b)
{
	return a->start != b->start ? a->start < b->start : a->at < b->at;
}

// A heap sort: a few at a time, and mostly in order.
static void
sink(size_t count, size_t at)
{
	for (;;) {
		size_t last = at;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
			if (by_start(&fresh_pieces[last], &fresh_pieces[child]))
				last = child;
		}
		if (last == at)
			return;
		struct piece kept = fresh_pieces[at];
		fresh_pieces[at] = fresh_pieces[last];
		fresh_pieces[last] = kept;
		at = last;
	}
}

static void
sort_fresh(void)
{
	size_t count = state.fresh;

	for (size_t i = count / 2; i-- > 0;)
		sink(count, i);
	for (size_t left = count; left-- > 1;) {
		struct piece kept = fresh_pieces[0];
		fresh_pieces[0] = fresh_pieces[left];
		fresh_pieces[left] = kept;
		sink(left, 0);
	}
}

// Behind those there are, in the order of addresses: of two that overlap the later one stays.
static void
put_piece(const struct piece *piece)
{
	while (state.count > 0) {
		const struct piece *last = piece_at(state.count - 1);
		if (last->start + last->bytes <= piece->start)
			break;
		if (last->at > piece->at)
			return;
		state.count--;
	}
	*piece_at(state.count++) = *piece;
}

// Where there is no room those that are told of last are unknown; what they lie on is gone.
static void
drop_fresh(size_t most, uint64_t since)
{
	size_t kept = 0;
	size_t over = state.count > most ? state.count - most : 0;

	for (size_t i = 0; i < state.count; i++) {
		if (over > 0 && piece_at(i)->at >= since) {
			over--;
			loss_count(LOSS_SYMBOLS_FULL);
		} else {
			*piece_at(kept++) = *piece_at(i);
		}
	}
	state.count = kept;
}

void
piece_settle(void)
{
	size_t fresh = state.fresh;
	size_t old = state.count;
	uint64_t since = UINT64_MAX;

	for (size_t i = 0; i < fresh; i++)
		since = fresh_pieces[i].at < since ? fresh_pieces[i].at : since;
	sort_fresh();
	state.fresh = 0;
	if (fresh == 0 || !table_grow(&state.pieces, (old + fresh) * sizeof(struct piece))) {
		// What lies there is not what is known.
		state.count = fresh > 0 ? 0 : old;
		return;
	}
	memmove(piece_at(fresh), piece_at(0), old * sizeof(struct piece));
	state.count = 0;
	for (size_t i = 0, k = 0; i < fresh || k < old;) {
		struct piece *next = piece_at(fresh + k);
		bool is_fresh = i < fresh && (k == old || by_start(&fresh_pieces[i], next));
		struct piece piece = is_fresh ? fresh_pieces[i] : *next;
		*(is_fresh ? &i : &k) += 1;
		put_piece(&piece);
	}
	drop_fresh(PMEM_CODE, since);
}

struct piece
piece_take(const struct codeline *told)
{
	struct piece piece = {told->start, (uint32_t)(told->end - told->start),
		v8_entry_is_told(told), piece_function(told), told->at};

	if (piece.is_entry)
		v8_entry_look(told);

	if (state.fresh == FRESH_PIECES)
		piece_settle();
	fresh_pieces[state.fresh++] = piece;
	return piece;
}

void
piece_forget(void)
{
	state.count = state.fresh = 0;
}

// How many bytes from here on are one instruction of a call, of which some are not part of what
// the code is: Java has it lead elsewhere each time that it compiles what is called anew, and keeps
// before it for which class that is. How many of the first are part of it: *same. 1: it is no call.
static size_t
call_bytes(const unsigned char *at, size_t left, size_t *same)
{
	bool loads = left > LOAD_BYTES && at[0] == LOAD_FIRST && at[1] == LOAD_SECOND
		&& at[LOAD_BYTES] == CALL_OFFSET;

	*same = loads ? 2 : 1;
	if (loads)
		return LOAD_BYTES;
	return at[0] == CALL_OFFSET ? CALL_OFFSET_BYTES : 1;
}

uint64_t
piece_code_around(uint64_t pc)
{
	unsigned char bytes[CODE_BEFORE + CODE_BEHIND];
	uint64_t hash = HASH_SEED;

	if (!file_peek_memory(pc - CODE_BEFORE, bytes, sizeof(bytes)))
		return 0;
	for (size_t i = 0, same; i < sizeof(bytes);) {
		size_t length = call_bytes(bytes + i, sizeof(bytes) - i, &same);
		while (same > 0)
			hash = hash_step(hash, bytes[i + --same]);
		i += length;
	}
	return hash ? hash : 1;
}
