// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "format.h"
#include "base/sys.h"
#include "base/hash.h"
#include "base/loss.h"
#include "base/text.h"
#include "elf/module.h"
#include "names/jit_pending.h"
#include "names/perfmap.h"
#include "names/jit_range.h"
#include "names/jit_name.h"

enum {
	NAME_MAX = CODELINE_NAME_MAX - 1, // characters; a longer name ends in "..."
	NAMES_MAX = PMEM_CODE * 32,
	LAST_TIMES = 16, // more is read for the last snapshot
	MOVED_LINE_BYTES = 32,
};

enum place_state {
	PLACE_WAITS,   // what the map told before the place was noted has not been read yet
	PLACE_SETTLED, // all is known of what lay there
	PLACE_MOVED,   // another function came to lie there
	PLACE_UNKNOWN, // what lay there will not be known any more
};

struct place {
	uint64_t pc; // a return address; first, as its key
	uint64_t until; // when it was noted, perfmap_mark()
	uint64_t code; // a hash of the code around it then, if it had no range; 0: not known
	uint64_t at; // the line of its range; with has_range
	uint32_t function; // of that
	uint32_t name; // one more than where in names[]: length in two bytes, then characters; 0: none
	uint32_t offset; // from its range's beginning
	uint8_t state;
	bool has_range;
	bool told_moved; // the file has it
};

_Static_assert(sizeof(struct place) == 48, "JIT_NAME_BYTES_MAX counts on it");

static struct {
	struct growing places; // sorted by address
	size_t place_count;
	size_t waiting; // places, or those whose name has not been read yet
	struct growing names;
	size_t names_length;
	size_t moved; // places that the file has not been told of
	bool is_late; // places get names that had none
	bool is_torn; // while it is changed: a copy of the process may be made meanwhile
} state;

// Its map is another: a fork is to write to few pages.
static SYS_FORK_PAGE bool was_forked;

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
take_range(struct place *place, const struct jit_range *range)
{
	place->has_range = true;
	place->at = range->at;
	place->function = range->function;
	place->offset = (uint32_t)(place->pc - range->start);
}

// What the map tells of a place behind what it told before.
static void
offer(struct place *place, const struct jit_range *range, uint64_t when)
{
	if (place->state > PLACE_SETTLED || !jit_range_may_call(range, place->pc))
		return;
	if (place->has_range && place->function != range->function) {
		state.moved += place->name != 0;
		place->state = PLACE_MOVED;
	} else if (!place->has_range
		&& (when < place->until
			|| (place->code && jit_range_code_around(place->pc) == place->code))) {
		take_range(place, range);
		state.waiting += place->state == PLACE_SETTLED;
		state.is_late |= place->state == PLACE_SETTLED;
		place->state = PLACE_WAITS;
	} else if (!place->has_range) {
		// It was made when the source was there already.
		place->state = PLACE_UNKNOWN;
	}
}

static void
take(const struct codeline *told)
{
	struct jit_range range = jit_range_take(told);

	for (size_t i = first_place(told->start + 1);
		i < state.place_count && place_at(i)->pc <= told->end; i++)
		offer(place_at(i), &range, told->when);
}

// Whether somebody is there who tells of code when it has long run: Java does so when it ends, or
// is asked to.
static bool
comes_late(void)
{
	static const char library[] = "/libjvm.so";

	for (uint32_t i = 1; i <= module_count(); i++) {
		const struct module *module = module_get(i);
		size_t length = module ? module->name_length : 0;
		if (length >= strlen(library)
			&& strcmp(module->name + length - strlen(library), library) == 0)
			return true;
	}
	return false;
}

// With what is known of them so far.
static void
enter_places(uint64_t mark)
{
	size_t fresh;
	const uint64_t *fresh_places = jit_pending_take(&fresh);
	size_t old = state.place_count;
	bool late = fresh > 0 && comes_late();

	if (old + fresh > PMEM_CODE
		|| !table_grow(&state.places, (old + fresh) * sizeof(struct place))) {
		for (size_t i = 0; i < fresh; i++)
			loss_count(LOSS_SYMBOLS_FULL);
		return;
	}
	state.place_count += fresh;
	state.waiting += fresh;
	for (size_t to = old + fresh; fresh > 0;) {
		if (old > 0 && place_at(old - 1)->pc > fresh_places[fresh - 1]) {
			*place_at(--to) = *place_at(--old);
			continue;
		}
		struct place place = {.pc = fresh_places[--fresh], .until = mark};
		const struct jit_range *range = jit_range_find(place.pc);
		if (range && jit_range_may_call(range, place.pc))
			take_range(&place, range);
		else if (late)
			place.code = jit_range_code_around(place.pc);
		*place_at(--to) = place;
	}
}

static bool
is_place(uint64_t pc)
{
	return find_place(pc) != NULL;
}

// None is left for another look: by then the map may tell of other code there.
static void
enter_sources(uint64_t mark)
{
	bool all;

	do {
		all = jit_pending_look(is_place);
		enter_places(mark);
	} while (!all);
}

// 0: there is no room.
static uint32_t
keep_name(const struct codeline *line)
{
	char name[CODELINE_NAME_MAX + 1];
	size_t end = state.names_length + 2 + NAME_MAX;

	if (end > NAMES_MAX || !table_grow(&state.names, end)) {
		loss_count(LOSS_SYMBOLS_FULL);
		return 0;
	}
	memcpy(name, line->name, line->length);
	name[line->length] = '\0';
	char *at = (char *)state.names.at + state.names_length;
	struct text text = {.bytes = at + 2, .size = NAME_MAX};
	text_escaped(&text, name, NAME_MAX);
	uint16_t length = (uint16_t)text.length;
	memcpy(at, &length, sizeof(length));
	state.names_length += sizeof(length) + length;
	return (uint32_t)(state.names_length - sizeof(length) - length) + 1;
}

static void
name_place(struct place *place, const struct place *before)
{
	struct codeline line;

	// Neighbours in one range share its name.
	if (before && before->has_range && before->at == place->at && before->name != 0)
		place->name = before->name;
	else if (perfmap_read_again(place->at, place->pc - place->offset, &line)
		&& line.length > 0 && jit_range_function(&line) == place->function)
		place->name = keep_name(&line);
}

static void
settle_places(void)
{
	if (state.waiting == 0)
		return;
	state.waiting = 0;
	for (size_t i = 0; i < state.place_count; i++) {
		struct place *place = place_at(i);
		if (place->state != PLACE_WAITS)
			continue;
		if (!perfmap_has_read(place->until)) {
			state.waiting++;
			continue;
		}
		place->state = PLACE_SETTLED;
		if (place->has_range)
			name_place(place, i > 0 ? place_at(i - 1) : NULL);
	}
}

// Lines are other lines by now: those that have not been read again will not be.
static void
lose_lines(void)
{
	jit_range_forget();
	for (size_t i = 0; i < state.place_count; i++) {
		struct place *place = place_at(i);
		place->at = UINT64_MAX;
		if (place->state == PLACE_WAITS)
			place->state = PLACE_UNKNOWN;
	}
	state.waiting = 0;
}

// Of the map that is open.
static void
read_map(bool is_last, bool is_other)
{
	if (is_other)
		lose_lines();
	for (;;) {
		enter_sources(perfmap_mark());
		bool found = perfmap_read(
			(uint64_t)PMEM_CODE_MAP_BYTES * (is_last ? LAST_TIMES : 1), take);
		jit_range_settle();
		if (!found)
			return;
		settle_places();
		if (!is_last)
			return;
		jit_pending_look(is_place);
		if (!jit_pending_any())
			return;
	}
}

// What was left in the middle is worth nothing.
static void
forget_torn(void)
{
	jit_pending_forget();
	state.place_count = 0;
	state.names_length = 0;
	state.waiting = state.moved = 0;
	jit_range_forget();
}

bool
jit_name_look(bool is_last)
{
	bool anew;

	state.is_late = false;
	if (state.is_torn)
		forget_torn();
	jit_pending_look(is_place);
	if (!jit_pending_any() && state.place_count == 0)
		return false;
	state.is_torn = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (perfmap_open(&anew)) {
		read_map(is_last, anew || was_forked);
		was_forked = false;
		perfmap_close();
		jit_pending_forget();
	} else if (comes_late()) {
		enter_sources(0);
		settle_places();
		jit_pending_forget();
	} else {
		// What is told from now on comes too late for them.
		jit_pending_pass();
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	state.is_torn = false;
	return state.is_late;
}

bool
jit_name_get(uintptr_t pc, struct jit_name *name)
{
	const struct place *place = find_place(pc);
	uint16_t length;

	if (!place || place->name == 0 || place->state == PLACE_MOVED)
		return false;
	const char *at = (const char *)state.names.at + place->name - 1;
	memcpy(&length, at, sizeof(length));
	name->text = at + sizeof(length);
	name->length = length;
	name->offset = place->offset;
	return true;
}

bool
jit_name_is_settled(uintptr_t pc)
{
	const struct place *place = find_place(pc);
	return !place || place->state != PLACE_WAITS;
}

bool
jit_name_write_moved(struct text *text)
{
	bool any = state.moved > 0;

	for (size_t i = 0; any && i < state.place_count; i++) {
		struct place *place = place_at(i);
		if (place->state != PLACE_MOVED || place->name == 0 || place->told_moved)
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
		struct place *place = place_at(i);
		state.moved += place->told_moved;
		place->told_moved = false;
	}
}

void
jit_name_fork(void)
{
	was_forked = true;
}
