// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "language/processor_layout.h"
#include "language/java_vm.h"
#include "language/java_stream.h"
#include "language/java_code.h"

enum {
	HEAPS_MAX = 8, // upper bound of the heaps of code; version 17 has 3
	SEGMENT_BITS_MIN = 4,
	SEGMENT_BITS_MAX = 12,
	SEGMENT_FREE = 0xff,
	// Upper bound of the steps back to the first segment of a piece of code. A step may go back
	// over 254 segments.
	STEPS_MAX = 1 << 12,
	// HotSpot stores an instruction's index plus this number. A stored 0 is the place before the
	// first instruction.
	NO_BYTECODE = 1,
	// HotSpot may replace the pc in a method's frame by a handler's address (java_code_moved()). In
	// a JVMCI compiler's code the handler begins with a call. The pc may be the address after that
	// call.
	CALL_BYTES = PROCESSOR_CALL_BYTES,
};

static uintptr_t
variable(uint64_t address)
{
	return word_at(address, 0);
}

bool
java_code_has(uintptr_t address)
{
	uintptr_t low = variable(java_vm.code_low);
	return low != 0 && address - low < variable(java_vm.code_high) - low;
}

// Returns the heap of code that contains an address, or 0.
static uintptr_t
heap_at(uintptr_t pc)
{
	uintptr_t heaps = variable(java_vm.heaps);
	uint32_t count = heaps ? half_at(heaps, java_vm.array_length) : 0;

	for (uint32_t i = 0; i < count && i < HEAPS_MAX; i++) {
		uintptr_t heap = word_at(word_at(heaps, java_vm.array_data), i * sizeof(heap));
		uintptr_t space = heap + java_vm.heap_memory;
		uintptr_t low = word_at(space, java_vm.space_low);
		if (pc - low < word_at(space, java_vm.space_high) - low)
			return heap;
	}
	return 0;
}

// Returns the CodeBlob that contains an address, or 0. A heap is divided into segments, and has a
// byte for each segment. The byte says how many segments before this one the piece of code begins.
// If the distance is too large for a byte, the byte leads to a segment between, whose byte leads
// on.
static uintptr_t
object_at_code(uintptr_t pc)
{
	uintptr_t heap = heap_at(pc);
	if (!heap)
		return 0;
	uintptr_t low = word_at(heap + java_vm.heap_memory, java_vm.space_low);
	uint32_t bits = half_at(heap, java_vm.heap_segment_bits);
	if (bits < SEGMENT_BITS_MIN || bits > SEGMENT_BITS_MAX)
		return 0;
	const volatile uint8_t *segments
		= (const volatile uint8_t *)word_at(heap + java_vm.heap_segments, java_vm.space_low);
	uintptr_t segment = (pc - low) >> bits;
	uint8_t back = segments[segment];
	if (back == SEGMENT_FREE)
		return 0;
	for (unsigned steps = 0; back > 0; back = segments[segment]) {
		if (back == SEGMENT_FREE || back > segment || ++steps > STEPS_MAX)
			return 0;
		segment -= back;
	}
	uintptr_t block = low + (segment << bits);
	return *(const volatile bool *)(block + java_vm.block_used) ? block + java_vm.block_bytes : 0;
}

static bool
is_in_interpreter(uintptr_t pc)
{
	uintptr_t queue = variable(java_vm.interpreter);
	return queue && pc - word_at(queue, java_vm.queue_begin) < half_at(queue, java_vm.queue_bytes);
}

static enum java_code_kind
kind_of(uintptr_t object)
{
	const char *name = (const char *)word_at(object, java_vm.code_name);

	if (!name)
		return JAVA_CODE_NONE;
	if (strcmp(name, "nmethod") == 0)
		return JAVA_CODE_COMPILED;
	return strcmp(name, "native nmethod") == 0 ? JAVA_CODE_NATIVE : JAVA_CODE_STUB;
}

struct java_code
java_code_at(uintptr_t pc)
{
	struct java_code none = {JAVA_CODE_NONE, 0, 0};

	if (is_in_interpreter(pc))
		return (struct java_code){JAVA_CODE_INTERPRETER, 0, 0};
	if (pc == variable(java_vm.call_stub_return))
		return (struct java_code){JAVA_CODE_ENTRY, 0, 0};
	uintptr_t object = object_at_code(pc);
	if (!object || pc < word_at(object, java_vm.code_begin) || pc > word_at(object, java_vm.code_end))
		return none;
	int32_t words = (int32_t)half_at(object, java_vm.code_frame_words);
	// A frame has at least the return address and the saved fp.
	return words < 2 ? none
		: (struct java_code){kind_of(object), object, (uint32_t)words * sizeof(uintptr_t)};
}

// Returns true if the name of the piece of code at an address begins with `beginning`.
static bool
is_called(uintptr_t pc, const char *beginning)
{
	uintptr_t object = object_at_code(pc);
	if (!object || pc < word_at(object, java_vm.code_begin) || pc >= word_at(object, java_vm.code_end))
		return false;
	const char *name = (const char *)word_at(object, java_vm.code_name);
	return name && begins_with(name, beginning);
}

enum interpreter_verdict
java_code_verify(void)
{
	uintptr_t queue = variable(java_vm.interpreter);
	uintptr_t stub = variable(java_vm.call_stub_return);

	if (!queue || !stub || !variable(java_vm.heaps))
		return INTERPRETER_UNSURE;
	return is_called(stub, "StubRoutines") && is_called(word_at(queue, java_vm.queue_begin), "Interpreter")
		? INTERPRETER_HOLDS : INTERPRETER_DIFFERS;
}

int32_t
java_code_moved(const struct java_code *code, uintptr_t pc)
{
	uintptr_t handler = word_at(code->object, java_vm.code_deopt);
	bool is_moved = code->kind == JAVA_CODE_COMPILED && (pc == handler || pc == handler + CALL_BYTES
		|| pc == word_at(code->object, java_vm.code_deopt_mh));
	return is_moved ? (int32_t)half_at(code->object, java_vm.code_orig_pc) : -1;
}

uint64_t
java_code_id(const struct java_code *code, uintptr_t pc)
{
	return (uint64_t)half_at(code->object, java_vm.code_id) << 32
		| (uint32_t)(pc - word_at(code->object, java_vm.code_begin));
}

// Finds the scope of a place in the table of places, which is sorted. Returns false if the place is
// not in the table.
static bool
find_scope(uintptr_t object, uintptr_t pc, uint32_t *scope)
{
	uintptr_t places = object + half_at(object, java_vm.code_places);
	size_t low = 0;
	size_t high = (half_at(object, java_vm.code_places_end) - half_at(object, java_vm.code_places))
		/ java_vm.place_bytes;
	int64_t wanted = (int64_t)(pc - word_at(object, java_vm.code_begin));

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uintptr_t place = places + middle * java_vm.place_bytes;
		int64_t found = (int32_t)half_at(place, java_vm.place_pc);
		if (found == wanted) {
			*scope = half_at(place, java_vm.place_scope);
			return true;
		}
		if (found < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

struct java_scope
java_code_outwards(const struct java_code *code, uint32_t outwards)
{
	struct java_scope scope = {word_at(code->object, java_vm.code_method), -1, 0};
	uintptr_t told = word_at(code->object, java_vm.code_scopes);
	uintptr_t end = code->object + half_at(code->object, java_vm.code_places);
	const uint8_t *at = (const uint8_t *)told + outwards;

	if (outwards == 0 || outwards >= end - told)
		return scope;
	uint32_t next = java_read_number(&at);
	uint32_t method = java_read_number(&at);
	uint32_t bytecode = java_read_number(&at);
	if (method == 0 || next >= outwards)
		return scope;
	scope.method = word_at(code->object + half_at(code->object, java_vm.code_metadata),
		(method - 1) * sizeof(uintptr_t));
	scope.bytecode = bytecode < NO_BYTECODE ? 0 : (int32_t)bytecode - NO_BYTECODE;
	scope.outwards = next;
	return scope;
}

bool
java_code_scope(const struct java_code *code, uintptr_t pc, struct java_scope *scope)
{
	uint32_t told = 0;
	bool is_told = code->kind == JAVA_CODE_COMPILED && find_scope(code->object, pc, &told);

	*scope = java_code_outwards(code, told);
	return is_told;
}
