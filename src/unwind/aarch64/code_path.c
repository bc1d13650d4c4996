// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "unwind/processor.h"
#include "unwind/aarch64/code_path.h"

enum {
	INSTRUCTION_BYTES = 4,
	REACH = 1024,  // instructions from the return address to the farthest that is looked at
	WAITING = 12,  // upper bound of the paths that wait
	STEPS_MAX = 4096,
	PROLOGUE = 32, // instructions within which a prologue lowers sp and stores x30
};

// What a path knows. Offsets are from the value that sp, or x29 if `by_fp`, has at the return address.
struct path {
	uintptr_t at;
	int32_t sp;
	int32_t fp_at, ra_at; // from where x29 and x30 were loaded
	bool by_fp;
	bool has_fp, has_ra;  // x29 and x30 are the caller's again
	bool lost_fp;         // x29 is not what it was at the return address
};

struct search {
	const struct segment *code;
	uintptr_t from;
	unsigned count;
	struct path waiting[WAITING];
	uint64_t seen[2 * REACH / 64];
	bool found, differs, is_unsure;
	struct code_path_frame frame;
};

enum step {
	STEP_ON,
	STEP_RETURNS, // the function ends here
	STEP_FOREIGN, // this is another function's code: a call that never returns was on the path
	STEP_UNKNOWN, // what comes next is not known
};

static uint32_t
instruction_at(uintptr_t at)
{
	return *(const uint32_t *)at;
}

// Returns the signed number in the `bits` lowest bits.
static int32_t
number(uint32_t word, unsigned bits)
{
	return (int32_t)(word << (32 - bits)) >> (32 - bits);
}

static unsigned
field(uint32_t word, unsigned shift)
{
	return word >> shift & 31;
}

// A path goes on to another address, too.
static void
also(struct search *search, const struct path *path, int32_t instructions)
{
	if (search->count == WAITING) {
		search->is_unsure = true;
		return;
	}
	search->waiting[search->count] = *path;
	search->waiting[search->count++].at += (intptr_t)instructions * INSTRUCTION_BYTES;
}

// A register is loaded from sp plus `at`, or written in another way if `at` is NULL.
static bool
write_register(struct path *path, unsigned reg, const int32_t *at)
{
	if (reg == REGISTER_FP) {
		path->lost_fp = true;
		path->has_fp = at != NULL;
		path->fp_at = at ? *at : 0;
	}
	if (reg == REGISTER_RA) {
		if (path->has_ra)
			return false;
		path->has_ra = at != NULL;
		path->ra_at = at ? *at : 0;
	}
	return true;
}

// Loads and stores. A path that stores x30 in a frame is at the start of another function.
static enum step
transfer(struct path *path, uint32_t word)
{
	bool is_pair = (word & 0x3a000000) == 0x28000000;
	bool is_vector = word >> 26 & 1;
	bool is_offset = (word & 0x3b000000) == 0x39000000;
	bool is_unscaled = (word & 0x3b200000) == 0x38000000;
	unsigned base = field(word, 5), mode = 0;
	int32_t bytes = 0, at;
	bool loads = true;

	// A path that stores x30 again has jumped into another function.
	bool stores_ra = path->has_ra && ((word & 0xffc07c00) == 0xa9807800 || (word & 0xffc07c00) == 0xa9007800);
	if (stores_ra)
		return STEP_RETURNS;
	if (is_pair) {
		unsigned scale = is_vector ? 2 + (word >> 30) : word >> 31 ? 3 : 2;
		mode = word >> 23 & 3;
		bytes = number(word >> 15, 7) * (1 << scale);
		loads = word >> 22 & 1;
	} else if (is_offset) {
		mode = 2;
		bytes = (int32_t)(word >> 10 & 0xfff) * (1 << (word >> 30));
		loads = word >> 22 & 3;
	} else if (is_unscaled) {
		mode = (word >> 10 & 3) == 3 ? 3 : (word >> 10 & 3) == 1 ? 1 : 2;
		bytes = number(word >> 12, 9);
		loads = word >> 22 & 3;
	}
	// 1: the base is moved afterwards, 3: before.
	at = path->sp + (mode == 1 ? 0 : bytes);
	if (mode == 1 || mode == 3) {
		if (base == REGISTER_FP || base == REGISTER_RA)
			return STEP_UNKNOWN;
		if (base == REGISTER_SP)
			path->sp += bytes;
	}
	// Others, such as atomic ones and those of several vectors, are known by less.
	bool is_other = !is_pair && !is_offset && !is_unscaled;
	if (is_vector)
		return is_other && base == REGISTER_SP ? STEP_UNKNOWN : STEP_ON;
	bool is_known = base == REGISTER_SP && word >> 30 == (is_pair ? 2 : 3) && mode != 0 && !is_other;
	for (unsigned i = 0; i < (is_pair ? 2 : 1); i++) {
		unsigned reg = field(word, i * 10);
		int32_t there = at + (int32_t)i * 8;
		if (!loads && reg == REGISTER_RA)
			return base == REGISTER_SP && (mode == 3 || field(word, 0) == REGISTER_FP) ? STEP_FOREIGN
				: STEP_UNKNOWN;
		if (loads && !write_register(path, reg, is_known ? &there : NULL))
			return STEP_UNKNOWN;
	}
	bool writes_third = is_other && (field(word, 16) == REGISTER_FP || field(word, 16) == REGISTER_RA);
	return writes_third ? STEP_UNKNOWN : STEP_ON;
}

// Adds or subtracts a constant, to or from sp or x29 perhaps.
static enum step
add_constant(struct path *path, uint32_t word)
{
	unsigned to = field(word, 0), from = field(word, 5);
	int32_t bytes = (int32_t)(word >> 10 & 0xfff) * (word >> 22 & 1 ? 4096 : 1);

	if (to != REGISTER_SP)
		return write_register(path, to, NULL) ? STEP_ON : STEP_UNKNOWN;
	bytes = word >> 30 & 1 ? -bytes : bytes;
	if (from == REGISTER_SP && word >> 31) {
		path->sp += bytes;
		return STEP_ON;
	}
	if (from != REGISTER_FP || path->lost_fp || path->has_ra || !(word >> 31))
		return STEP_UNKNOWN;
	path->by_fp = true;
	path->sp = bytes;
	return STEP_ON;
}

// Branches, calls, returns and system instructions. A call is taken to return.
static enum step
branch(struct search *search, struct path *path, uint32_t word)
{
	bool is_return = word == 0xd65f03c0 || word == 0xd65f0bff || word == 0xd65f0fff;

	if ((word & 0x7c000000) == 0x14000000) { // b, bl
		if (word >> 31)
			return path->has_ra ? STEP_UNKNOWN : STEP_ON;
		if (path->has_ra && (number(word, 26) < -REACH || number(word, 26) >= REACH))
			return STEP_RETURNS;
		also(search, path, number(word, 26));
		return STEP_FOREIGN;
	}
	if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000) { // b.cond, cbz, cbnz
		also(search, path, number(word >> 5, 19));
		return STEP_ON;
	}
	if ((word & 0x7e000000) == 0x36000000) { // tbz, tbnz
		also(search, path, number(word >> 5, 14));
		return STEP_ON;
	}
	if ((word & 0xfffffc1f) == 0xd63f0000) // blr
		return path->has_ra ? STEP_UNKNOWN : STEP_ON;
	if (is_return)
		return path->has_ra ? STEP_RETURNS : STEP_FOREIGN;
	if ((word & 0xfffffc1f) == 0xd61f0000) // br
		return path->has_ra ? STEP_RETURNS : STEP_UNKNOWN;
	if ((word & 0xffe0001f) == 0xd4200000) // brk
		return STEP_FOREIGN;
	if ((word & 0xffe00000) == 0xd5200000) // mrs and its kin
		return write_register(path, field(word, 0), NULL) ? STEP_ON : STEP_UNKNOWN;
	bool is_system = (word & 0xff000000) == 0xd5000000 || (word & 0xffe0001f) == 0xd4000001;
	return is_system ? STEP_ON : STEP_UNKNOWN;
}

// Returns what an instruction does to the path.
static enum step
step(struct search *search, struct path *path, uint32_t word)
{
	unsigned class = word >> 25 & 15;

	if (class >> 1 == 5)
		return branch(search, path, word);
	if ((class & 5) == 4)
		return transfer(path, word);
	if ((word & 0x3f800000) == 0x11000000)
		return add_constant(path, word);
	// and, orr, eor with a constant, and add, sub with a register that is extended, may write sp.
	bool writes_sp = field(word, 0) == REGISTER_SP
		&& (((word & 0x1f800000) == 0x12000000 && (word >> 29 & 3) != 3)
			|| ((word & 0x1fe00000) == 0x0b200000 && !(word >> 29 & 1)));
	if (writes_sp || class < 4)
		return STEP_UNKNOWN;
	return write_register(path, field(word, 0), NULL) ? STEP_ON : STEP_UNKNOWN;
}

// The function of a path returns: sp is the cfa.
static void
note(struct search *search, const struct path *path)
{
	struct code_path_frame frame;

	if (path->lost_fp && !path->has_fp)
		return;
	memset(&frame, 0, sizeof(frame));
	frame.by_fp = path->by_fp;
	frame.saves_fp = path->has_fp;
	frame.cfa = path->sp;
	frame.fp = path->has_fp ? path->fp_at - path->sp : 0;
	frame.ra = path->ra_at - path->sp;
	if (search->found && memcmp(&frame, &search->frame, sizeof(frame)) != 0)
		search->differs = true;
	search->frame = frame;
	search->found = true;
}

// Returns true if the path has not been at its address before, and the address is near.
static bool
is_new(struct search *search, const struct path *path)
{
	uintptr_t place = (path->at - search->from + REACH * INSTRUCTION_BYTES) / INSTRUCTION_BYTES;

	if (place >= 2 * REACH || !segment_has(search->code, path->at, INSTRUCTION_BYTES)) {
		search->is_unsure = true;
		return false;
	}
	uint64_t bit = UINT64_C(1) << place % 64;
	bool is = !(search->seen[place / 64] & bit);
	search->seen[place / 64] |= bit;
	return is;
}

static void
follow(struct search *search)
{
	unsigned steps = 0;

	while (search->count > 0) {
		struct path path = search->waiting[--search->count];
		enum step next = STEP_ON;
		while (next == STEP_ON && is_new(search, &path)) {
			if (++steps > STEPS_MAX) {
				search->is_unsure = true;
				return;
			}
			next = step(search, &path, instruction_at(path.at));
			path.at += INSTRUCTION_BYTES;
		}
		search->is_unsure = search->is_unsure || next == STEP_UNKNOWN;
		if (next == STEP_RETURNS)
			note(search, &path);
	}
}

// Returns how many bytes below the cfa the function has stored x29 and x30. Takes the nearest such store
// before the return address. Returns 0 if there is another store of x30, or none.
static int32_t
stored_below(const struct segment *code, uintptr_t pc)
{
	uintptr_t at = pc;

	for (int i = 0; i < REACH && segment_has(code, at - INSTRUCTION_BYTES, INSTRUCTION_BYTES); i++) {
		uint32_t word = instruction_at(at -= INSTRUCTION_BYTES);
		bool has_ra = field(word, 10) == REGISTER_RA || field(word, 0) == REGISTER_RA;
		// stp x29, x30, [sp, #-N]!
		if ((word & 0xffc07fff) == 0xa9807bfd)
			return -number(word >> 15, 7) * 8;
		// stp x29, x30, [sp, #N], behind sub sp, sp, #M
		for (int j = 1; (word & 0xffc07fff) == 0xa9007bfd && j < PROLOGUE; j++) {
			if (!segment_has(code, at - (uintptr_t)j * INSTRUCTION_BYTES, INSTRUCTION_BYTES))
				return 0;
			uint32_t before = instruction_at(at - (uintptr_t)j * INSTRUCTION_BYTES);
			if ((before & 0xff8003ff) == 0xd10003ff)
				return (int32_t)(before >> 10 & 0xfff) * (before >> 22 & 1 ? 4096 : 1)
					- number(word >> 15, 7) * 8;
			if (before == 0xd65f03c0 || (before & 0xfc000000) == 0x14000000)
				return 0;
		}
		// Another way to store x30: stp or str.
		if (((word & 0xfe400000) == 0xa8000000 && has_ra)
			|| ((word & 0xffc0001f) == (0xf9000000 | REGISTER_RA))
			|| ((word & 0xffe0001f) == (0xf8000000 | REGISTER_RA)))
			return 0;
	}
	return 0;
}

enum code_path_result
code_path_find(const struct segment *code, uintptr_t pc, struct code_path_frame *frame)
{
	struct search search = {.code = code, .from = pc, .count = 1, .waiting = {{.at = pc}}};

	if (pc % INSTRUCTION_BYTES != 0)
		return CODE_PATH_UNKNOWN;
	follow(&search);
	if (!search.found)
		return search.is_unsure ? CODE_PATH_UNKNOWN : CODE_PATH_NEVER;
	int32_t below = stored_below(code, pc);
	*frame = search.frame;
	return !search.differs && below > 0 && frame->saves_fp && frame->fp == -below && frame->ra == 8 - below
		? CODE_PATH_FOUND : CODE_PATH_UNKNOWN;
}
