// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/call.h"
#include "base/table.h"
#include "unwind/x86_64/code_pattern.h"

enum {
	PAGE = 4096,
	SEEN_BITS = 12,
};

// Bits of an entry of seen[] that say what the bytes at the entry's address were. These bits are
// above the address's own bits.
#define SEEN_CALL (UINT64_C(1) << 62)
#define SEEN_NO_TRAMPOLINE (UINT64_C(1) << 61)
#define SEEN_WHAT (SEEN_CALL | SEEN_NO_TRAMPOLINE)

// A cache, indexed by place_of(). An entry is an address, with bits that say what its bytes were; 0
// if empty. An address can be only in the entry to which place_of() points. Atomic.
static TABLE_STATIC uint64_t seen[1 << SEEN_BITS];

static uint64_t *
place_of(uintptr_t pc)
{
	return &seen[(pc * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - SEEN_BITS)];
}

static bool
was_seen(uintptr_t pc, uint64_t what)
{
	uint64_t known = __atomic_load_n(place_of(pc), __ATOMIC_RELAXED);
	return (known & ~SEEN_WHAT) == pc && known & what;
}

// Remembers what the bytes at pc are. If two threads write one entry at the same time, one result
// is lost. The lost result is found again when it is needed.
static void
note(uintptr_t pc, uint64_t what)
{
	uint64_t known = __atomic_load_n(place_of(pc), __ATOMIC_RELAXED);
	__atomic_store_n(
		place_of(pc), ((known & ~SEEN_WHAT) == pc ? known : pc) | what, __ATOMIC_RELAXED);
}

static bool
can_read(uintptr_t from, size_t bytes)
{
	uintptr_t last = from + bytes - 1;
	return from >= PAGE && sys_readable(from & -(uintptr_t)PAGE)
		&& (from / PAGE == last / PAGE || sys_readable(last & -(uintptr_t)PAGE));
}

static bool
is_behind_call(uintptr_t pc)
{
	uint8_t code[CALL_BYTES_MAX];

	if (pc < PAGE || !can_read(pc - sizeof(code), sizeof(code)))
		return false;
	memcpy(code, (const void *)(pc - sizeof(code)), sizeof(code));
	return call_ends_at(code + sizeof(code));
}

bool
code_pattern_is_call(uintptr_t pc)
{
	if (was_seen(pc, SEEN_CALL))
		return true;
	if (!is_behind_call(pc))
		return false;
	note(pc, SEEN_CALL);
	return true;
}

// With -X perf, CPython up to 3.13 copies this code for each Python function
// (Python/asm_trampoline.S). The code sets up no frame pointer. The code of later versions does.
static const uint8_t trampoline[] = {
	0x48, 0x83, 0xec, 0x08, // sub $8,%rsp
	0xff, 0xd1,             // call *%rcx
	0x48, 0x83, 0xc4, 0x08, // add $8,%rsp
	0xc3,                   // ret
};

enum {
	// Offsets in the trampoline. From TRAMPOLINE_SUBTRACTED up to TRAMPOLINE_ADDED, sp is 8 lower
	// than in the rest of the trampoline.
	TRAMPOLINE_SUBTRACTED = 4,
	TRAMPOLINE_CALLED = 6,
	TRAMPOLINE_ADDED = 10,
};

// Returns true if pc is in a trampoline, `before` bytes after its start.
static bool
is_in_trampoline(uintptr_t pc, unsigned before)
{
	uintptr_t start = pc - before;
	return can_read(start, sizeof(trampoline))
		&& memcmp((const void *)start, trampoline, sizeof(trampoline)) == 0;
}

unsigned
code_pattern_is_trampoline(uintptr_t pc, bool interrupted)
{
	static const uint8_t stops[] = {0, TRAMPOLINE_SUBTRACTED, TRAMPOLINE_CALLED, TRAMPOLINE_ADDED};

	if (!interrupted && was_seen(pc, SEEN_NO_TRAMPOLINE))
		return 0;
	for (size_t i = 0; i < sizeof(stops); i++) {
		bool is_lower = stops[i] >= TRAMPOLINE_SUBTRACTED && stops[i] < TRAMPOLINE_ADDED;
		if ((interrupted || stops[i] == TRAMPOLINE_CALLED) && is_in_trampoline(pc, stops[i]))
			return is_lower ? 16 : 8;
	}
	if (!interrupted)
		note(pc, SEEN_NO_TRAMPOLINE);
	return 0;
}
