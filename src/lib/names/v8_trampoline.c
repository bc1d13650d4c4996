// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/call.h"
#include "base/hash.h"
#include "base/file.h"
#include "base/table.h"
#include "names/v8_trampoline.h"

enum {
	BYTES_MIN = 64,
	BYTES_MAX = 2048,
	KINDS = 8, // of code that may be it, at a time
	COPIES = 4, // of one kind, by which it is known
	LOOKS_MAX = 200, // each is a read of the kernel's
};

// Code of one content, among which what V8 interprets may be, too: it tells of that by such names, as
// may others of what they make.
struct kind {
	uint64_t hash;
	uintptr_t start; // of the last copy: another at the same place may be the same memory
	uint32_t bytes;
	uint32_t copies;
};

static TABLE_STATIC struct {
	unsigned char code[BYTES_MAX]; // of what is known; before that, of the last look
	uint32_t bytes; // 0: it is not known
	struct kind kinds[KINDS];
	unsigned next_kind;
	unsigned looks;
} state;

bool
v8_trampoline_is_told(const struct codeline *told)
{
	const char *colon = memchr(told->name, ':', told->length);
	return colon && colon + 1 < told->name + told->length && colon[1] == '~';
}

static uint64_t
hash_code(uint32_t bytes)
{
	uint64_t hash = HASH_SEED;
	for (uint32_t i = 0; i < bytes; i++)
		hash = hash_step(hash, state.code[i]);
	return hash;
}

static struct kind *
find_kind(uint64_t hash, uint32_t bytes)
{
	for (unsigned i = 0; i < KINDS; i++) {
		if (state.kinds[i].hash == hash && state.kinds[i].bytes == bytes)
			return &state.kinds[i];
	}
	struct kind *kind = &state.kinds[state.next_kind++ % KINDS];
	*kind = (struct kind){hash, 0, bytes, 0};
	return kind;
}

// Memory that V8 has given back is the same in many places, too.
static bool
has_call(uint32_t bytes)
{
	for (uint32_t at = CALL_BYTES_MAX; at <= bytes; at++) {
		if (call_ends_at(state.code + at))
			return true;
	}
	return false;
}

void
v8_trampoline_look(const struct codeline *told)
{
	uintptr_t bytes = told->end - told->start;

	if (state.bytes != 0 || state.looks == LOOKS_MAX || bytes < BYTES_MIN || bytes > BYTES_MAX)
		return;
	state.looks++;
	if (!file_peek_memory(told->start, state.code, bytes))
		return;
	struct kind *kind = find_kind(hash_code((uint32_t)bytes), (uint32_t)bytes);
	if (kind->start == told->start)
		return;
	kind->start = told->start;
	if (++kind->copies == COPIES && has_call((uint32_t)bytes))
		state.bytes = (uint32_t)bytes;
}

bool
v8_trampoline_may_call(uint32_t bytes, uint32_t at)
{
	return state.bytes == 0 || bytes != state.bytes || at < CALL_BYTES_MAX
		|| at > bytes || call_ends_at(state.code + at);
}
