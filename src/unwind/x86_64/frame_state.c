// SPDX-License-Identifier: BSD-2-Clause

#include "unwind/x86_64/frame_state.h"

enum { WORD = 8 };

struct frame_state
frame_state_at(int32_t sp)
{
	const struct place none = {0, BY_NOTHING};
	return (struct frame_state){
		.sp = {sp, BY_ORIGIN}, .fp = none, .saved = none, .saved_fp = none};
}

static struct place
moved(struct place from, int32_t by)
{
	return (struct place){from.at + by, from.base};
}

// A copy of fp that sp has risen above is lost: what is pushed next may overwrite it.
static void
set_sp(struct frame_state *state, struct place to)
{
	bool rises = state->sp.base != to.base || state->sp.at < to.at;

	if (rises && state->saved.base == to.base && state->saved.at < to.at)
		state->saved.base = BY_NOTHING;
	state->sp = to;
}

// fp is read from the stack.
static void
load_fp(struct frame_state *state, struct place from)
{
	if (state->saved.base != BY_NOTHING && frame_state_is_same(state->saved, from)) {
		state->fp_kind = state->saved_kind;
		state->fp = state->saved_fp;
		return;
	}
	state->fp_kind = from.base == BY_NOTHING ? FP_SPOILED : FP_LOADED;
	state->fp = from;
}

// One copy of fp is remembered, the first. A later one may be a variable's.
static void
store_fp(struct frame_state *state, struct place to)
{
	if (state->saved.base != BY_NOTHING && !frame_state_is_same(state->saved, to))
		return;
	state->saved = to;
	state->saved_kind = state->fp_kind;
	state->saved_fp = state->fp;
}

static struct place
address_in_fp(const struct frame_state *state)
{
	switch (state->fp_kind) {
	case FP_KEPT: return (struct place){0, BY_FP};
	case FP_POINTS: return state->fp;
	default: return (struct place){0, BY_NOTHING};
	}
}

// Applies what an instruction does to sp and fp.
void
frame_state_apply(const struct instruction *read, struct frame_state *state)
{
	switch (read->kind) {
	case INSTRUCTION_SP_MOVES: set_sp(state, moved(state->sp, read->number)); break;
	case INSTRUCTION_PUSHES_FP:
		store_fp(state, moved(state->sp, -WORD));
		set_sp(state, moved(state->sp, -WORD));
		break;
	case INSTRUCTION_POPS_FP:
		load_fp(state, state->sp);
		set_sp(state, moved(state->sp, WORD));
		break;
	case INSTRUCTION_STORES_FP: store_fp(state, moved(state->sp, read->number)); break;
	case INSTRUCTION_LOADS_FP: load_fp(state, moved(state->sp, read->number)); break;
	case INSTRUCTION_FP_BY_SP:
		state->fp_kind = state->sp.base == BY_NOTHING ? FP_SPOILED : FP_POINTS;
		state->fp = state->sp;
		break;
	case INSTRUCTION_SP_BY_FP: set_sp(state, moved(address_in_fp(state), read->number)); break;
	case INSTRUCTION_LEAVES:
		set_sp(state, address_in_fp(state));
		load_fp(state, state->sp);
		set_sp(state, moved(state->sp, WORD));
		break;
	case INSTRUCTION_SPOILS_SP: state->sp.base = BY_NOTHING; break;
	case INSTRUCTION_SPOILS_FP: state->fp_kind = FP_SPOILED; break;
	default: break;
	}
}

bool
frame_state_from_start(const struct frame_state *state, struct frame_way *way)
{
	struct place frame = state->fp;

	way->saves_fp = state->saved.base == BY_ORIGIN && state->saved_kind == FP_KEPT;
	way->fp_offset = state->saved.at;
	if (!way->saves_fp && state->fp_kind != FP_KEPT)
		return false;
	way->by_fp = state->sp.base != BY_ORIGIN;
	way->cfa_offset = way->by_fp ? -frame.at : -state->sp.at;
	return !way->by_fp || (state->fp_kind == FP_POINTS && frame.base == BY_ORIGIN);
}

// The cfa is one word above sp.
bool
frame_state_to_end(const struct frame_state *state, struct frame_way *way)
{
	if (state->sp.base == BY_NOTHING || state->fp_kind > FP_LOADED)
		return false;
	way->by_fp = state->sp.base == BY_FP;
	way->cfa_offset = state->sp.at + WORD;
	way->saves_fp = state->fp_kind == FP_LOADED;
	way->fp_offset = state->fp.at - way->cfa_offset;
	return !way->saves_fp || state->fp.base == state->sp.base;
}
