// SPDX-License-Identifier: BSD-2-Clause
// frame_state: what instructions do to a function's frame. They change how far sp is from the cfa,
// and where the caller's fp is.
//
// Who may call: anyone, at any moment.

#ifndef PMEM_FRAME_STATE_H
#define PMEM_FRAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/x86_64/instruction.h"

// What an address on the stack is relative to.
enum base {
	BY_ORIGIN, // the cfa at a function's start; or sp at the first instruction
	BY_FP,     // fp at the first instruction
	BY_NOTHING, // the address is not known
};

struct place {
	int32_t at;
	enum base base;
};

// What fp is.
enum fp_kind {
	FP_KEPT,    // as at the first instruction
	FP_LOADED,  // the word at `fp`
	FP_POINTS,  // the address `fp`
	FP_SPOILED, // not known
};

// The stack's state at an instruction.
struct frame_state {
	struct place sp;
	struct place fp;
	enum fp_kind fp_kind;
	struct place saved; // where fp was stored; BY_NOTHING if it was not
	enum fp_kind saved_kind; // what it was then
	struct place saved_fp;
};

// How to get from a frame to its caller's.
struct frame_way {
	bool by_fp;    // the cfa is relative to fp, and not to sp
	bool saves_fp; // the caller's fp is at cfa + fp_offset; otherwise it is this frame's fp
	int32_t cfa_offset;
	int32_t fp_offset;
};

// Returns the state at a first instruction, with sp that far from the origin.
struct frame_state frame_state_at(int32_t sp);

static inline bool
frame_state_is_same(struct place a, struct place b)
{
	return a.base == b.base && a.at == b.at;
}

void frame_state_apply(const struct instruction *read, struct frame_state *state);

// Sets `way` by the state that the paths from a function's start have led to. The origin of that
// state is the cfa. Returns false if the state does not tell where the caller's frame is.
bool frame_state_from_start(const struct frame_state *state, struct frame_way *way);

// Sets `way` by the state at the `ret` that the paths from the frame's address have led to.
bool frame_state_to_end(const struct frame_state *state, struct frame_way *way);

#endif
