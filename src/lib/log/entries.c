// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "format.h"
#include "base/text.h"
#include "elf/module.h"
#include "sources/stack_store.h"
#include "stacks/script_line.h"
#include "sources/source.h"
#include "names/jit_name.h"
#include "names/symbol.h"
#include "sources/labelled_source.h"
#include "log/thread_table.h"
#include "log/emitted.h"
#include "log/trail.h"
#include "log/entries.h"

enum {
	// Upper bounds of a line's bytes, names excluded. A number counts as 20 digits.
	ENTRY_BYTES = 320 + THREAD_TABLE_MOST_BYTES,
	FRAME_LINE_BYTES = 64,
};

static const struct words {
	char live[10], alloc[10], free[10], blocks[12], allocs[10], frees[10];
} of_blocks = {" live:", ", alloc:", ", free:", ", blocks:", ", allocs:", ", frees:"},
	of_maps = {" mapped:", ", map:", ", unmap:", ", mappings:", ", maps:", ", unmaps:"};

// State while the entries of one snapshot are written.
struct entries {
	struct text *text;
	const struct snapshot_plan *snapshot;
	bool last_has_stack;
	const struct words *words; // of_maps for memory that the program maps itself, or of_blocks
};

void
entries_add_labels(
	const struct snapshot_plan *snapshot, uint32_t source, struct change *change)
{
	for (uint32_t i = labelled_source_get(source).first; i != 0;
		 i = labelled_source_get(i).next) {
		if (i > snapshot->sources)
			continue;
		counter_add(&change->now, &source_sums(i)[snapshot->now]);
		counter_add(&change->before, &source_sums(i)[!snapshot->now]);
	}
}

static void
write_counts(struct text *text, const struct words *words, const struct change *change)
{
	const struct counter *now = &change->now;
	const struct counter *before = &change->before;

	text_named(text, words->live, counter_live(now));
	text_pair(text, words->alloc, now->alloc_bytes - before->alloc_bytes, now->alloc_bytes);
	text_pair(text, words->free, now->free_bytes - before->free_bytes, now->free_bytes);
	text_named(text, words->blocks, now->allocs - now->frees);
	text_pair(text, words->allocs, now->allocs - before->allocs, now->allocs);
	text_pair(text, words->frees, now->frees - before->frees, now->frees);
}

void
entries_write_blocks(struct text *text, const struct change *change)
{
	write_counts(text, &of_blocks, change);
}

// Marks an entry if some of its blocks may be freed without our seeing it. An entry counts the
// blocks of its source, and of the labelled sources with the same stack.
static void
write_unseen(struct text *text, uint32_t number)
{
	bool is_unseen = source_is_unseen(number);

	for (uint32_t i = labelled_source_get(number).first; i != 0 && !is_unseen;
		 i = labelled_source_get(i).next)
		is_unseen = source_is_unseen(i);
	text_string(text, is_unseen ? FORMAT_UNSEEN : "");
}

// Writes a frame as backtrace_symbols() does: MODULE(SYMBOL+0xOFFSET) [0xADDRESS]. Code outside of
// any file has no MODULE. A script line is written as its text.
static void
write_frame(struct text *text, uint32_t number, struct frame frame)
{
	const struct module *module = module_get(frame.module);
	struct symbol symbol;
	bool is_named = symbol_get(frame, &symbol);

	text_string(text, "  {");
	text_number(text, number);
	text_string(text, "} ");
	if (script_line_is(frame.pc)) {
		uint32_t length;
		const char *line = script_line_text(frame.pc, &length);
		text_bytes(text, line, length);
		text_string(text, "\n");
		return;
	}
	if (module)
		text_bytes(text, module->name, module->name_length);
	if (module || is_named) {
		text_string(text, "(");
		if (is_named)
			text_bytes(text, symbol.name, symbol.name_length);
		text_string(text, "+0x");
		text_hex(text, is_named ? symbol.offset : frame.pc - module->base, 1);
		text_string(text, ") ");
	}
	text_string(text, "[0x");
	text_hex(text, frame.pc, 1);
	text_string(text, "]\n");
}

// Returns true if the names of all frames are final. If some name is not known yet, the stack must
// be written again later.
static bool
is_settled(const struct source *source)
{
	const struct frame *frame = source->frames;
	for (uint32_t i = 0; i < source->depth; i++, frame++) {
		frame = stack_store_frame(frame);
		if (!symbol_is_settled(*frame))
			return false;
	}
	return true;
}

// Begins an entry. If this entry or the last one has a stack, an empty line goes before. Entries of
// one line each have no empty lines between them, so that twenty fit on a screen.
static void
begin_entry(struct entries *entries, bool has_stack)
{
	if (has_stack || entries->last_has_stack)
		text_string(entries->text, "\n");
	entries->last_has_stack = has_stack;
	text_string(entries->text, "{");
}

static void
write_entry(struct entries *entries, uint32_t number, uint32_t place, bool has_stack)
{
	const struct source *source = source_get(number);
	bool is_mapped = entries->words == &of_maps;
	struct change change = is_mapped ? mapped_change(number)
		: entries_change(entries->snapshot, number);
	struct text *text = entries->text;

	begin_entry(entries, has_stack);
	text_hex(text, source->id, 16);
	text_string(text, "}");
	write_counts(text, entries->words, &change);
	// A stack with labels has one source for each label. The entry shows the sum of these sources.
	// For each of these sources it is known which thread has allocated most, but not for the sum.
	if (!is_mapped && labelled_source_get(number).first == 0)
		thread_table_write_most(text, number);
	if (!is_mapped)
		write_unseen(text, number);
	else if (mapped_resident[place].asked > 0)
		text_pair(text, FORMAT_RESIDENT, mapped_resident[place].bytes, mapped_resident[place].asked);
	if (!has_stack)
		trail_write(text, source);
	text_string(text, "\n");
	if (!has_stack)
		return;
	const struct frame *frame = source->frames;
	for (uint32_t i = 0; i < source->depth; i++, frame++) {
		frame = stack_store_frame(frame);
		write_frame(text, i, *frame);
	}
	emitted_add_stack(number, is_settled(source));
}

static void
write_selection(struct entries *entries, const struct selection *selection)
{
	for (uint32_t i = 0; i < selection->shown; i++) {
		uint32_t source = (uint32_t)selection->sources[i];
		write_entry(entries, source, i, entries_tell_stack(entries->snapshot, source, i));
	}
}

static void
write_sum(struct entries *entries, const char *name, const struct change *change)
{
	if (change->now.allocs == 0)
		return;
	begin_entry(entries, false);
	text_string(entries->text, name);
	text_string(entries->text, "}");
	write_counts(entries->text, entries->words, change);
	if (change == &entries->snapshot->other)
		write_unseen(entries->text, SOURCE_OTHER);
	text_string(entries->text, "\n");
}

// Requests the names of the frames of stacks that will be written. Only a limited number can be
// requested at a time. When that number is reached, looks up the requested names, and returns
// false. With `all`, goes on instead, until all names have been looked up.
static bool
name_frames(const struct selection *selection, bool all)
{
	for (uint32_t i = 0; i < selection->shown; i++) {
		const struct source *source = source_get((uint32_t)selection->sources[i]);
		if (emitted_has_stack((uint32_t)selection->sources[i]))
			continue;
		const struct frame *frame = source->frames;
		for (uint32_t n = 0; n < source->depth; n++, frame++) {
			frame = stack_store_frame(frame);
			while (!symbol_want(*frame, n == 0)) {
				symbol_look_up();
				if (!all)
					return false;
			}
		}
	}
	return true;
}

void
entries_name_frames(const struct snapshot_plan *snapshot)
{
	if (jit_name_look(snapshot->is_last))
		emitted_forget();
	if (name_frames(&snapshot->mapped.shown, snapshot->is_last)
		&& name_frames(&snapshot->holding, snapshot->is_last)
		&& name_frames(&snapshot->empty, snapshot->is_last))
		symbol_look_up();
}

bool
entries_tell_stack(const struct snapshot_plan *snapshot, uint32_t source, uint32_t place)
{
	struct change change = entries_change(snapshot, source);
	bool holds = counter_holds(&change.now);
	return !emitted_has_stack(source) || (holds && place < snapshot->repeated);
}

size_t
entries_bytes(uint32_t number, bool stack)
{
	const struct source *source = source_get(number);
	const struct frame *frame = source->frames;
	size_t bytes = ENTRY_BYTES + TRAIL_BYTES;

	for (uint32_t i = 0; stack && i < source->depth; i++, frame++) {
		frame = stack_store_frame(frame);
		bytes += FRAME_LINE_BYTES;
		if (script_line_is(frame->pc)) {
			uint32_t length;
			script_line_text(frame->pc, &length);
			bytes += length;
			continue;
		}
		const struct module *module = module_get(frame->module);
		struct symbol symbol;
		bytes += module ? module->name_length : 0;
		bytes += symbol_get(*frame, &symbol) ? symbol.name_length : 0;
	}
	return bytes;
}

size_t
entries_sums_bytes(void)
{
	return 5 * ENTRY_BYTES;
}

void
entries_write(struct text *text, const struct snapshot_plan *snapshot)
{
	struct entries entries = {.text = text, .snapshot = snapshot, .words = &of_blocks,
		.last_has_stack = true};

	write_selection(&entries, &snapshot->holding);
	write_selection(&entries, &snapshot->empty);
	write_sum(&entries, FORMAT_OTHER, &snapshot->other);
	write_sum(&entries, FORMAT_INHERITED, &snapshot->inherited);
	write_sum(&entries, FORMAT_REST, &snapshot->rest);
	entries.words = &of_maps;
	write_selection(&entries, &snapshot->mapped.shown);
	write_sum(&entries, FORMAT_OTHER, &snapshot->mapped.other);
	write_sum(&entries, FORMAT_REST, &snapshot->mapped.rest);
}
