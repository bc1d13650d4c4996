// SPDX-License-Identifier: BSD-2-Clause

#include "base/check.h"
#include "base/table.h"
#include "base/top_k.h"
#include "elf/module_table.h"
#include "sources/mapping_table.h"
#include "sources/tally.h"
#include "sources/stack_store.h"
#include "sources/source.h"
#include "names/symbol.h"
#include "log/log.h"
#include "log/emitted.h"
#include "log/thread_table.h"
#include "sources/labelled_source.h"
#include "log/labels.h"
#include "log/lines.h"
#include "log/selection.h"

// Room for 2048 sources, even if the kernel has no memory for more.
static TABLE_STATIC uint64_t first_order[2048];

static struct {
	const struct snapshot_plan *snapshot; // the snapshot that is being made
	// An array. Until sources are chosen, it has the sources' sort keys; then the chosen sources'
	// numbers. Sources that hold memory are at the front, sources that hold nothing at the back.
	struct growing order;
	// look_at_group() sums up a group of sources here.
	struct counter sums[SLOT_GROUP];
	struct tally_most most[SLOT_GROUP];
} state = {.order = {first_order, sizeof(first_order), false}};

enum { SOURCE_BITS = 20 };

_Static_assert(PMEM_SOURCES <= 1 << SOURCE_BITS, "a key has room for a source's number");

// Returns a source's sort key, which stands for the source until the sources are chosen. The upper
// bits are `bytes`, by which sources are sorted. The lower bits sort equal sources by their
// numbers, lower ones first. Since keys are compared, a source's counters are read only once, and
// not at each comparison.
static uint64_t
key_of(uint64_t bytes, uint32_t source)
{
	const uint64_t most = UINT64_MAX >> SOURCE_BITS;
	return (bytes < most ? bytes : most) << SOURCE_BITS | ((1 << SOURCE_BITS) - 1 - source);
}

static uint32_t
source_of(uint64_t key)
{
	return (1 << SOURCE_BITS) - 1 - (uint32_t)(key & ((1 << SOURCE_BITS) - 1));
}

// Keeps the `most` sources of the selection that have the largest sort keys. Replaces these keys by
// the sources' numbers.
static void
choose(struct selection *selection, uint64_t most)
{
	uint32_t found = selection->shown;
	CHECK(found <= selection->all);
	selection->shown = found < most ? found : (uint32_t)most;
	top_k_select(selection->sources, found, selection->shown, top_k_largest);
	for (uint32_t i = 0; i < selection->shown; i++)
		selection->sources[i] = source_of(selection->sources[i]);
}

// Returns how many of the selection's first sources fit into `room` bytes, and into a log.
// Subtracts the bytes of these sources from `room`.
static uint32_t
fitting(struct snapshot_plan *snapshot, const struct selection *selection, size_t *room)
{
	uint32_t shown = 0;

	for (; shown < selection->shown; shown++) {
		uint32_t source = (uint32_t)selection->sources[shown];
		size_t anew = entries_bytes(source, true);
		size_t bytes = entries_bytes(source, entries_tell_stack(snapshot, source, shown));
		if (bytes > *room || snapshot->bytes_anew + anew > log_room())
			break;
		*room -= bytes;
		snapshot->bytes += bytes;
		snapshot->bytes_anew += anew;
	}
	return shown;
}

// Sources of mapped memory get their room before all other sources. They get at most a quarter of
// the bytes that the entries may take (snapshot->room). They are few, but have much memory.
static void
fit_mapped(struct snapshot_plan *snapshot)
{
	size_t quarter = snapshot->room / 4;
	size_t left = quarter;

	snapshot->mapped.shown.shown = fitting(snapshot, &snapshot->mapped.shown, &left);
	snapshot->room -= quarter - left;
	mapped_sum_rest(&snapshot->mapped);
	mapped_ask(&snapshot->mapped);
}

// Limits the selections to the bytes that the entries may take (snapshot->room). Sources that hold
// memory come first. A quarter of these bytes is left for sources that hold nothing, except in the
// last snapshot. Stacks that the file already has are repeated only if all sources that hold memory
// still fit.
static void
limit_to_room(struct snapshot_plan *snapshot)
{
	size_t bytes = snapshot->bytes;
	size_t left = snapshot->is_last ? 0 : snapshot->room / 4;
	size_t room = snapshot->room - left;
	uint32_t shown = fitting(snapshot, &snapshot->holding, &room);

	if (shown < snapshot->holding.shown && snapshot->repeated > 0) {
		snapshot->repeated = 0;
		snapshot->bytes = snapshot->bytes_anew = bytes;
		room = snapshot->room - left;
		shown = fitting(snapshot, &snapshot->holding, &room);
	}
	snapshot->holding.shown = shown;
	room += left;
	snapshot->empty.shown = fitting(snapshot, &snapshot->empty, &room);
}

// Returns an upper bound of how many sources fit: `most`, or how many would fit without stacks if
// those are fewer.
static uint64_t
most_of(const struct snapshot_plan *snapshot, uint64_t most)
{
	uint64_t room = snapshot->room / entries_bytes(SOURCE_OTHER, false);
	return room < most ? room : most;
}

static void
want_threads(const struct selection *selection)
{
	for (uint32_t i = 0; i < selection->shown; i++) {
		if (labelled_source_get((uint32_t)selection->sources[i]).first == 0)
			thread_table_want((uint32_t)selection->sources[i]);
	}
}

static void
take_from_rest(struct snapshot_plan *snapshot, const struct selection *selection)
{
	for (uint32_t i = 0; i < selection->shown; i++) {
		struct change change = entries_change(snapshot, (uint32_t)selection->sources[i]);
		counter_subtract(&snapshot->rest.now, &change.now);
		counter_subtract(&snapshot->rest.before, &change.before);
	}
}

static void
sum_rest(struct snapshot_plan *snapshot)
{
	const struct counter *other = source_sums(SOURCE_OTHER);

	snapshot->rest = (struct change){snapshot->total, snapshot->total_before};
	counter_subtract(&snapshot->rest.now, &other[snapshot->now]);
	counter_subtract(&snapshot->rest.before, &other[!snapshot->now]);
	take_from_rest(snapshot, &snapshot->holding);
	take_from_rest(snapshot, &snapshot->empty);
	counter_subtract(&snapshot->rest.now, &snapshot->inherited.now);
	counter_subtract(&snapshot->rest.before, &snapshot->inherited.before);
}

// Returns true if a source has only inherited counts. If the child has allocated from the source's
// stack, under any label, returns false. The source is then the child's own. In that case also
// clears is_inherited of the source and of its labelled sources.
static bool
is_inherited(uint32_t source, const struct change *change)
{
	bool is_all = change->now.allocs == change->before.allocs;
	bool is_any = source_get(source)->is_inherited;
	uint32_t i = source;

	do {
		is_any = is_any || source_get(i)->is_inherited;
		if (!is_all)
			source_noted(i)->is_inherited = false;
		i = i == source ? labelled_source_get(i).first : labelled_source_get(i).next;
	} while (i != 0);
	return is_all && is_any;
}

// Sums up the counters of a group of sources over all threads.
static void
look_at_group(struct snapshot_plan *snapshot, uint32_t first, uint32_t count)
{
	struct counter *sums = source_sums(first);
	struct change total = {snapshot->total, snapshot->total_before};

	tally_look(first, count, state.sums, state.most);
	for (uint32_t i = 0; i < count; i++, sums += 2) {
		struct counter *now = &sums[snapshot->now];
		const struct counter *before = &sums[!snapshot->now];
		*now = state.sums[i];
		thread_table_note(first + i, &state.most[i], now->alloc_bytes);
		counter_add(&total.now, now);
		counter_add(&total.before, before);
		struct labelled_source labelled = labelled_source_get(first + i);
		if (labelled.head != 0)
			labels_add(labelled.label, now, before);
	}
	snapshot->total = total.now;
	snapshot->total_before = total.before;
}

// Sums up the counters of each of the first `count` sources over all threads, and their total.
static void
look_at_all(struct snapshot_plan *snapshot, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += SLOT_GROUP)
		look_at_group(snapshot, i, count - i < SLOT_GROUP ? count - i : SLOT_GROUP);
	snapshot->churn += counter_churn(&snapshot->total, &snapshot->total_before);
}

// Quick test: returns true if a source's counters have not changed since the last snapshot, as is
// usual. If there are any labels, always returns false: then labelled sources would have to be
// looked at, too.
static bool
stands_still(const struct snapshot_plan *snapshot, uint32_t source)
{
	const struct counter *sums = source_sums(source);
	return !labelled_source_any()
		&& !counter_moved(&sums[snapshot->now], &sums[!snapshot->now]);
}

// Returns true if no count is less than at the snapshot before: counts must only grow.
static bool
never_falls(const struct change *change)
{
	const struct counter *now = &change->now;
	const struct counter *before = &change->before;
	return now->allocs >= before->allocs && now->alloc_bytes >= before->alloc_bytes
		&& now->frees >= before->frees && now->free_bytes >= before->free_bytes;
}

void
selection_look(struct snapshot_plan *snapshot)
{
	uint32_t count = source_count();
	table_grow(&state.order, count * sizeof(uint64_t));
	thread_table_begin(snapshot->now, count);
	labels_begin();
	uint64_t *order = state.order.at;
	size_t room = state.order.bytes / sizeof(*order);
	struct selection holding = {.sources = order};
	struct selection empty = {0};
	bool all = snapshot->is_last || snapshot->is_child;

	snapshot->sources = count - 1;
	state.snapshot = snapshot;
	look_at_all(snapshot, count);
	snapshot->other = entries_change(snapshot, SOURCE_OTHER);
	mapped_look(&snapshot->mapped, snapshot->is_last);
	snapshot->moved = snapshot->mapped.moved
		|| counter_moved(&snapshot->other.now, &snapshot->other.before);
	for (uint32_t i = SOURCE_OTHER + 1; i < count; i++) {
		// A labelled source has no entry. It counts in the entry of its head: the source of the
		// same stack without a label.
		if ((!all && stands_still(snapshot, i)) || labelled_source_is(i))
			continue;
		struct change change = entries_change(snapshot, i);
		bool holds = counter_holds(&change.now);
		bool moved = counter_moved(&change.now, &change.before);
		CHECK(never_falls(&change));
		bool has_room = holding.shown + empty.shown < room;
		snapshot->moved = snapshot->moved || moved;
		if (snapshot->is_child && is_inherited(i, &change)) {
			counter_add(&snapshot->inherited.now, &change.now);
			counter_add(&snapshot->inherited.before, &change.before);
		} else if (holds && (moved || snapshot->is_last)) {
			holding.all++;
			if (has_room)
				order[holding.shown++] = key_of(counter_live(&change.now), i);
		} else if (!holds && moved) {
			empty.all++;
			if (has_room)
				order[room - ++empty.shown] = key_of(counter_churn(&change.now, &change.before), i);
		}
	}
	empty.sources = order + room - empty.shown;
	CHECK(holding.shown + empty.shown <= room);
	CHECK(holding.all + empty.all <= snapshot->sources);
	snapshot->holding = holding;
	snapshot->empty = empty;
	thread_table_look(
		&(struct change){snapshot->total, snapshot->total_before}, snapshot->is_last);
}

void
selection_choose(struct snapshot_plan *snapshot)
{
	snapshot->room = churn_room(snapshot->is_last);
	choose(&snapshot->holding, most_of(snapshot, snapshot->is_last ? PMEM_SOURCES : PMEM_SHOW));
	choose(&snapshot->empty, most_of(snapshot, PMEM_SHOW_EMPTY));
	// Names are looked up first, since the upper bounds of the entries' bytes include the names.
	entries_name_frames(snapshot);
	snapshot->repeated = snapshot->is_last ? PMEM_SHOW : PMEM_SHOW_STACKS;
	snapshot->bytes = snapshot->bytes_anew = lines_other_bytes();
	fit_mapped(snapshot);
	limit_to_room(snapshot);
	sum_rest(snapshot);
	want_threads(&snapshot->holding);
	want_threads(&snapshot->empty);
}

static bool
is_over(uint32_t number, const struct counter *shown)
{
	struct counter sum;
	tally_sum(number, 1, &sum);
	return !counter_holds(&sum) && !counter_moved(&sum, shown) && !mapping_table_holds(number);
}

void
selection_reuse_modules(unsigned now, uint32_t sources)
{
	if (!module_table_is_short())
		return;
	module_table_leave();
	if (!module_table_has_left())
		return;
	// Sources created from now on have no frame in a module marked as left.
	uint32_t count = source_count();
	for (uint32_t i = 1; i < count; i++) {
		const struct source *source = source_get(i);
		if (!source_names_left(source) || (i <= sources && is_over(i, &source_sums(i)[now])))
			continue;
		const struct frame *frame = source->frames;
		for (uint32_t n = 0; n < source->depth; n++, frame++) {
			frame = stack_store_frame(frame);
			module_table_keep(frame->module);
		}
	}
	if (!module_table_has_left())
		return;
	source_sleep();
	symbol_forget();
	emitted_forget_modules();
	module_table_reuse();
}
