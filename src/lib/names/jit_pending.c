// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "stacks/script_line.h"
#include "base/table.h"
#include "base/top_k.h"
#include "sources/stack_store.h"
#include "sources/source.h"
#include "names/jit_pending.h"

enum {
	PLACES = 4096,
	RECENT = 256, // mostly stacks share their outer frames
};

static TABLE_STATIC uint64_t places[PLACES];
static TABLE_STATIC uint64_t recent[RECENT]; // that were noted

static struct {
	size_t count;
	uint32_t next_source; // whose frames have not been noted
} state = {.next_source = 1};

static void
note_place(uint64_t pc, bool (*is_known)(uint64_t))
{
	uint64_t *same = &recent[(pc ^ pc >> 8) % RECENT];

	if (*same == pc || is_known(pc))
		return;
	*same = pc;
	places[state.count++] = pc;
}

static bool
note_source(const struct source *source, bool (*is_known)(uint64_t))
{
	const struct frame *frame = source->frames + 1;

	if (state.count + source->depth > PLACES)
		return false;
	for (uint32_t i = 1; i < source->depth; i++, frame++) {
		frame = stack_store_frame(frame);
		if (frame->module == MODULE_NONE && !script_line_is(frame->pc))
			note_place(frame->pc, is_known);
	}
	return true;
}

bool
jit_pending_look(bool (*is_known)(uint64_t pc))
{
	uint32_t count = source_count();

	while (state.next_source < count
		&& note_source(source_get(state.next_source), is_known))
		state.next_source++;
	return state.next_source >= count;
}

bool
jit_pending_any(void)
{
	return state.count > 0;
}

static bool
by_address(uint64_t a, uint64_t b)
{
	return a < b;
}

const uint64_t *
jit_pending_take(size_t *count)
{
	size_t kept = 0;

	top_k_select(places, state.count, state.count, by_address);
	for (size_t i = 0; i < state.count; i++) {
		if (kept == 0 || places[kept - 1] != places[i])
			places[kept++] = places[i];
	}
	*count = kept;
	state.count = 0;
	return places;
}

void
jit_pending_pass(void)
{
	state.next_source = source_count();
	jit_pending_forget();
}

void
jit_pending_forget(void)
{
	state.count = 0;
	memset(recent, 0, sizeof(recent));
}
