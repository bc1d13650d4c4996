// SPDX-License-Identifier: BSD-2-Clause

#include <link.h>
#include <string.h>

#include "base/table.h"
#include "base/loss.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "elf/loader.h"
#include "elf/object.h"
#include "heap/real.h"
#include "log/binding.h"
#include "log/bypass.h"

enum {
	// The address ranges of at most this many objects are kept. Sources of further objects are not
	// marked (mark_sources()).
	RANGES_MAX = 512,
};

// Only the thread that holds the snapshot lock uses these fields. A look is a call of
// bypass_look().
static struct {
	// Number of objects on the loader's list at the start; 0 if the loader does not say.
	uint64_t first;
	uint64_t adds;    // number of objects ever added to the loader's list, as of the last look
	uint64_t unseen;  // count of LOSS_UNSEEN_FREES at the last look
	unsigned pending; // number of objects with a call that is not bound yet
	unsigned looks;   // looks since pending objects were last examined
	unsigned patience; // number of looks after which pending objects are examined again
	uint32_t sources; // number of sources at the last look
	unsigned count;   // number of objects that bypass us
	unsigned names_count;
	unsigned ranges_count;
	uint32_t marked; // mark_sources() has examined all sources with lower numbers
} state;

// The addresses of an object that bypasses us.
struct range {
	uint64_t start, end;
};

static TABLE_STATIC struct range ranges[RANGES_MAX]; // sorted by start

static TABLE_STATIC char names[BYPASS_NAMES_MAX][BYPASS_NAME_BYTES + 1];

// The state of one walk of the loader's list.
struct walk {
	uint64_t place; // position on the list of the object that is examined, counted from 1
	unsigned found;
	unsigned pending;
};

static void
keep_name(unsigned number, const char *path)
{
	struct text text = {.bytes = names[number], .size = BYPASS_NAME_BYTES};

	if (number >= BYPASS_NAMES_MAX)
		return;
	text_escaped(&text, path, BYPASS_NAME_BYTES);
	names[number][text.length] = '\0';
}

static void
keep_range(const struct object *object)
{
	unsigned at = state.ranges_count;

	if (at == RANGES_MAX)
		return;
	for (; at > 0 && ranges[at - 1].start > object->start; at--)
		ranges[at] = ranges[at - 1];
	ranges[at] = (struct range){object->start, object->end};
	state.ranges_count++;
}

static bool
lies_past_us(uintptr_t pc)
{
	size_t above = table_first_from(ranges, state.ranges_count, sizeof(*ranges), pc + 1);
	return above > 0 && pc < ranges[above - 1].end;
}

// Returns true if the source's caller is in an object whose free() is not ours. Frames of the C
// library, such as strdup()'s, are skipped.
static bool
is_freed_past_us(const struct source *source, uint32_t depth)
{
	const struct frame *frame = stack_store_frame(source->frames) + 1;

	for (uint32_t i = 1; i < depth; i++, frame++) {
		frame = stack_store_frame(frame);
		if (script_line_is(frame->pc))
			return false;
		if (!real_is_in_libc(frame->pc))
			return lies_past_us(frame->pc);
	}
	return false;
}

// Marks the sources whose blocks are freed by calls that bypass us. Looks at each source once after
// each change of ranges[]. If another thread is still writing a source, its depth is 0. The next
// call then begins again at this source.
static void
mark_sources(void)
{
	uint32_t count = source_count();
	uint32_t unwritten = count;

	for (uint32_t i = state.marked; state.ranges_count > 0 && i < count; i++) {
		const struct source *source = source_get(i);
		uint32_t depth = source ? __atomic_load_n(&source->depth, __ATOMIC_ACQUIRE) : 0;
		if (depth == 0)
			unwritten = i < unwritten ? i : unwritten;
		else if (is_freed_past_us(source, depth))
			source_set_unseen(i);
	}
	state.marked = unwritten;
}

// Returns true if it is time to examine the pending objects again: those with a call that was not
// bound yet.
static bool
asks_again(void)
{
	return state.pending > 0
		&& (loss_get(LOSS_UNSEEN_FREES) > state.unseen || state.looks >= state.patience);
}

// Returns true if the loader's list is worth a visit. A new source is a sign that an object may
// have been loaded. The loader allocates for each object, usually with a new stack.
static bool
may_be_due(void)
{
	state.looks++;
	return source_count() != state.sources || loss_get(LOSS_UNSEEN_FREES) != state.unseen
		|| asks_again();
}

static bool
is_due(const struct dl_phdr_info *loaded)
{
	bool is_news = loaded->dlpi_adds != state.adds;
	bool is_again = asks_again();

	state.unseen = loss_get(LOSS_UNSEEN_FREES);
	if (!is_news && !is_again)
		return false;
	state.patience = is_news ? 1 : 2 * state.patience;
	state.looks = 0;
	state.adds = loaded->dlpi_adds;
	state.ranges_count = 0;
	state.marked = SOURCE_OTHER + 1;
	return true;
}

static int
step(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	struct walk *walk = context;
	struct object object;

	if (walk->place++ == 0
		&& (bytes < sizeof(*loaded) || state.first == 0 || !is_due(loaded)))
		return 1;
	if (walk->place == 1)
		binding_know_program(loaded);
	if (walk->place <= state.first)
		return 0;
	object_describe(loaded, &object);
	enum binding binding = binding_of_object(loaded, &object);
	if (binding == BINDING_PAST_US) {
		keep_name(walk->found++, object.name);
		keep_range(&object);
	}
	walk->pending += binding == BINDING_NONE_YET;
	return 0;
}

void
bypass_start(void)
{
	state.first = state.adds = loader_first_count();
	state.marked = SOURCE_OTHER + 1;
}

static bool
look(void)
{
	struct walk walk = {0};
	unsigned before = state.count;
	uint32_t sources = source_count();

	if (!may_be_due())
		return false;
	int result = loader_visit(step, &walk);
	// A negative result: the list could not be visited. The next look tries again.
	if (result >= 0)
		state.sources = sources;
	if (result != 0)
		return false;
	state.pending = walk.pending;
	// If no object bypasses us any more, the last count and names are kept.
	if (walk.found == 0)
		return false;
	state.count = walk.found;
	state.names_count = walk.found < BYPASS_NAMES_MAX ? walk.found : BYPASS_NAMES_MAX;
	return state.count > before;
}

bool
bypass_look(void)
{
	bool are_more = look();
	mark_sources();
	return are_more;
}

void
bypass_write(struct text *text)
{
	for (unsigned i = 0; i < state.names_count; i++) {
		text_string(text, i > 0 ? ", " : "");
		text_string(text, names[i]);
	}
	if (state.count > state.names_count) {
		text_named(text, " and ", state.count - state.names_count);
		text_string(text, " more");
	}
}
