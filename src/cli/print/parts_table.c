// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/system.h"
#include "print/parts_table.h"
#include "print/table.h"

enum {
	CELL = UNIT_TEXT + 1, // a number, preceded by a ~ if it is not certain
	LARGEST = 3,          // how many labels parts_add_largest_labels() names
};

// A thread or a label, or the sum of several.
struct part {
	const char *name;
	struct counts now, before; // a thread has neither live bytes nor `before`
	uint64_t weight;           // by which the parts are sorted, and have their shares
	const struct thread *thread; // NULL for a label or a sum
	const struct run *run;       // the thread's
	bool is_exact;
};

struct parts {
	struct part *parts;
	size_t count, room;
	struct intern names; // of labels: those of several processes with one name are one part
	bool by_label, is_sampled, are_of_several;
};

static uint64_t
weight_of(const struct parts *parts, const struct counts *counts)
{
	return parts->by_label ? counts->live : counts->alloc + counts->free;
}

static void
add_part(struct parts *parts, const struct part *part)
{
	parts->parts = memory_grow(parts->parts, parts->count, &parts->room, sizeof(*part));
	parts->parts[parts->count++] = *part;
}

static void
add_threads(struct parts *parts, const struct profile_run *of)
{
	const struct threads *threads = &of->at_moment->more->threads;

	for (size_t i = 0; i < threads->count; i++) {
		const struct thread *thread = &threads->threads[i];
		add_part(parts, &(struct part){.name = thread->name, .now = thread->now, .thread = thread,
			.run = of->run,
			.is_exact = !parts->is_sampled && thread->told_in + 1 >= threads->moved_unshown});
	}
}

static void
add_labels(struct parts *parts, const struct profile_run *of)
{
	const struct labels *labels = &of->at_moment->more->labels;

	for (size_t i = 0; i < labels->count; i++) {
		const struct label *label = &labels->labels[i];
		struct counts before = of->base_moment ? moment_label(of->base_moment, label->name)
			: (struct counts){0};
		bool is_new;
		size_t number = intern_number(&parts->names, label->name, strlen(label->name), &is_new);
		if (is_new)
			add_part(parts, &(struct part){.name = label->name, .is_exact = true});
		counts_add(&parts->parts[number].now, &label->now);
		counts_add(&parts->parts[number].before, &before);
	}
}

static int
by_weight(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (!a->thread || !b->thread)
		return strcmp(a->name, b->name);
	return (a->thread->id > b->thread->id) - (a->thread->id < b->thread->id);
}

void
parts_add_largest_labels(struct clip *clip, const struct run *run)
{
	size_t count = run->labels.count, held = 0;
	struct part *parts = memory_get(count, sizeof(*parts));

	for (size_t i = 0; i < count; i++) {
		const struct label *label = &run->labels.labels[i];
		parts[i] = (struct part){.name = label->name, .weight = label->now.live};
		held += label->now.live > 0;
	}
	memory_sort(parts, count, sizeof(*parts), by_weight);
	for (size_t i = 0; i < held && i < LARGEST; i++)
		clip_format(clip, "%s%s %s", i == 0 ? "live by label: " : ", ", parts[i].name,
			unit_bytes(UNIT_ROOM, parts[i].weight));
	if (held > LARGEST)
		clip_format(clip, ", and %zu more", held - LARGEST);
	if (held > 0)
		clip_line(clip, " (pmem report --by label)");
	free(parts);
}

// Writes a number by unit_bytes() or unit_count(), with a ~ before it if it is not certain.
static char *
cell_text(char text[CELL], const struct part *part, char *(*write)(char *text, uint64_t number),
	uint64_t number)
{
	text[0] = '~';
	write(text + !part->is_exact, number);
	return text;
}

static void
print_label(struct text_table *table, const struct part *part, unsigned tenths, enum style style)
{
	const struct counts *now = &part->now;

	table_add(table, style, (const char *const[]){unit_bytes(UNIT_ROOM, now->live),
		unit_tenths(UNIT_ROOM, tenths), unit_count(UNIT_ROOM, now->blocks),
		unit_signed_bytes(UNIT_ROOM, (int64_t)(now->live - part->before.live)),
		unit_bytes(UNIT_ROOM, now->alloc), unit_count(UNIT_ROOM, now->allocs), part->name});
}

static void
print_thread(struct text_table *table, const struct part *part, unsigned tenths, enum style style,
	bool is_of_several)
{
	const struct counts *now = &part->now;
	char alloc[CELL], freed[CELL], allocs[CELL], frees[CELL], id[UNIT_TEXT] = "";
	char *process = part->thread && is_of_several
		? memory_format(" of %s %ld", path_last(part->run->exe), part->run->pid) : memory_text("", 0);
	char *name = memory_format("%s%s", part->name, process);

	if (part->thread)
		snprintf(id, sizeof(id), "%" PRIu64, part->thread->id);
	table_add(table, style, (const char *const[]){
		cell_text(alloc, part, unit_bytes, now->alloc), cell_text(freed, part, unit_bytes, now->free),
		unit_tenths(UNIT_ROOM, tenths), cell_text(allocs, part, unit_count, now->allocs),
		cell_text(frees, part, unit_count, now->frees), id, name});
	free(process);
	free(name);
}

static void
print_part(struct text_table *table, const struct parts *parts, const struct part *part, unsigned tenths,
	enum style style)
{
	if (parts->by_label)
		print_label(table, part, tenths, style);
	else
		print_thread(table, part, tenths, style, parts->are_of_several);
}

// Prints the first `shown` parts. The next one is the sum of the others.
static void
print_parts(FILE *to, const struct parts *parts, size_t shown, const struct part *total)
{
	static const struct column of_threads[] = {{"allocated", false}, {"freed", false},
		{"share", false}, {"allocs", true}, {"frees", true}, {"id", true}, {"thread", false}};
	static const struct column of_labels[] = {{"live", false}, {"share", false}, {"blocks", true},
		{"growth", false}, {"allocated", false}, {"allocs", true}, {"label", false}};
	uint64_t *weights = memory_get(shown + 1, sizeof(*weights));
	unsigned *tenths = memory_get(shown + 1, sizeof(*tenths));
	const struct part *others = &parts->parts[shown];
	struct text_table *table = table_open(parts->by_label ? of_labels : of_threads,
		sizeof(of_threads) / sizeof(*of_threads));
	bool is_exact = true;

	for (size_t i = 0; i <= shown; i++)
		weights[i] = parts->parts[i].weight;
	share_split(tenths, SHARE_WHOLE, weights, shown + 1);
	for (size_t i = 0; i < shown; i++) {
		print_part(table, parts, &parts->parts[i], tenths[i], STYLE_PLAIN);
		is_exact &= parts->parts[i].is_exact;
	}
	if (parts->by_label || others->now.allocs + others->now.frees > 0)
		print_part(table, parts, others, tenths[shown], STYLE_DIM);
	print_part(table, parts, total, total->weight > 0 ? SHARE_WHOLE : 0, STYLE_BOLD);
	if (parts->is_sampled)
		table_add_text(table, parts->by_label ? "all numbers are estimated by sampling"
			: "~: estimated by sampling");
	else if (!is_exact)
		table_add_text(table, "~: when it was last told of; what it has done since is among the "
			"others");
	table_print(to, table);
	free(weights);
	free(tenths);
}

void
parts_table_print(FILE *to, const struct profile *profile, bool by_label, uint64_t count,
	unsigned around)
{
	struct parts parts = {.by_label = by_label, .is_sampled = profile->is_sampled,
		.are_of_several = profile->run_count > 1};
	struct part total = {.name = "total", .is_exact = by_label || !profile->is_sampled};
	uint64_t most = table_most_lines(count, around);

	for (size_t i = 0; i < profile->run_count; i++) {
		(by_label ? add_labels : add_threads)(&parts, &profile->runs[i]);
		counts_add(&total.now, &profile->runs[i].at.total);
		counts_add(&total.before, &profile->runs[i].base.total);
	}
	for (size_t i = 0; i < parts.count; i++)
		parts.parts[i].weight = weight_of(&parts, &parts.parts[i].now);
	total.weight = weight_of(&parts, &total.now);
	memory_sort(parts.parts, parts.count, sizeof(*parts.parts), by_weight);
	size_t shown = parts.count < most ? parts.count : (size_t)most;
	struct part others = total;
	others.name = !by_label ? "others" : shown < parts.count ? "others, and no label" : "no label";
	for (size_t i = 0; i < shown; i++) {
		counts_subtract(&others.now, &parts.parts[i].now);
		counts_subtract(&others.before, &parts.parts[i].before);
	}
	others.weight = weight_of(&parts, &others.now);
	parts.parts = memory_room(parts.parts, shown + 1, &parts.room, sizeof(others));
	parts.parts[shown] = others;
	print_parts(to, &parts, shown, &total);
	intern_free(&parts.names);
	free(parts.parts);
}
