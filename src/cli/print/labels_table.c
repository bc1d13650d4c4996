// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "print/labels_table.h"
#include "print/table.h"

enum { LARGEST = 3 }; // how many labels the line of labels_add_largest() names

struct label_line {
	const char *name;
	struct counts now, before;
};

struct label_lines {
	struct label_line *lines;
	size_t count, room;
	struct label_line others; // memory without a label
	struct label_line total;
	struct intern names;
	bool is_sampled;
};

// Returns the line of the label with this name. Labels of several processes with one name share a
// line.
static struct label_line *
line_of(struct label_lines *lines, const char *name)
{
	bool is_new;
	size_t number = intern_number(&lines->names, name, strlen(name) + 1, &is_new);

	if (is_new) {
		ASSERT(number == lines->count);
		lines->lines = memory_grow(lines->lines, lines->count, &lines->room,
			sizeof(*lines->lines));
		lines->lines[lines->count++] = (struct label_line){.name = name};
	}
	return &lines->lines[number];
}

static void
add_run(struct label_lines *lines, const struct profile_run *of)
{
	const struct labels *labels = &of->at_moment->more->labels;

	counts_add(&lines->total.now, &of->at.total);
	counts_add(&lines->total.before, &of->base.total);
	for (size_t i = 0; i < labels->count; i++) {
		struct label_line *line = line_of(lines, labels->labels[i].name);
		counts_add(&line->now, &labels->labels[i].now);
		if (!of->base_moment)
			continue;
		struct counts before = moment_label(of->base_moment, labels->labels[i].name);
		counts_add(&line->before, &before);
	}
}

static int
by_live(const void *left, const void *right)
{
	const struct label_line *a = left;
	const struct label_line *b = right;

	if (a->now.live != b->now.live)
		return a->now.live > b->now.live ? -1 : 1;
	return strcmp(a->name, b->name);
}

void
labels_add_largest(struct clip *clip, const struct run *run)
{
	size_t count = run->labels.count, held = 0;
	struct label_line *lines = memory_get(count, sizeof(*lines));
	char live[UNIT_TEXT];

	for (size_t i = 0; i < count; i++) {
		lines[i] = (struct label_line){run->labels.labels[i].name, run->labels.labels[i].now, {0}};
		held += lines[i].now.live > 0;
	}
	if (count > 1)
		qsort(lines, count, sizeof(*lines), by_live);
	for (size_t i = 0; i < held && i < LARGEST; i++)
		clip_format(clip, "%s%s %s", i == 0 ? "live by label: " : ", ", lines[i].name,
			unit_bytes(live, lines[i].now.live));
	if (held > LARGEST)
		clip_format(clip, ", and %zu more", held - LARGEST);
	if (held > 0) {
		clip_text(clip, " (pmem report --by label)");
		clip_end_line(clip);
	}
	free(lines);
}

static void
print_line(struct text_table *table, const struct label_line *line, unsigned tenths,
	enum style style)
{
	char live[UNIT_TEXT], share[UNIT_TEXT], blocks[UNIT_TEXT], growth[UNIT_TEXT];
	char alloc[UNIT_TEXT], allocs[UNIT_TEXT];

	table_add(table, style, (const char *const[]){unit_bytes(live, line->now.live),
		unit_tenths(share, tenths), unit_count(blocks, line->now.blocks),
		unit_signed_bytes(growth, (int64_t)(line->now.live - line->before.live)),
		unit_bytes(alloc, line->now.alloc), unit_count(allocs, line->now.allocs), line->name});
}

static void
print_lines(FILE *to, const struct label_lines *lines, size_t shown)
{
	static const struct column columns[] = {{"live", false}, {"share", false}, {"blocks", true},
		{"growth", false}, {"allocated", false}, {"allocs", true}, {"label", false}};
	uint64_t *parts = memory_get(shown + 1, sizeof(*parts));
	unsigned *tenths = memory_get(shown + 1, sizeof(*tenths));
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(columns[0]));

	for (size_t i = 0; i < shown; i++)
		parts[i] = lines->lines[i].now.live;
	parts[shown] = lines->others.now.live;
	share_split(tenths, SHARE_WHOLE, parts, shown + 1);
	for (size_t i = 0; i < shown; i++)
		print_line(table, &lines->lines[i], tenths[i], STYLE_PLAIN);
	print_line(table, &lines->others, tenths[shown], STYLE_DIM);
	print_line(table, &lines->total, lines->total.now.live > 0 ? SHARE_WHOLE : 0, STYLE_BOLD);
	if (lines->is_sampled)
		table_add_text(table, "all numbers are estimated by sampling");
	table_print(to, table);
	free(parts);
	free(tenths);
}

void
labels_table_print(FILE *to, const struct profile *profile, uint64_t count, unsigned around)
{
	struct label_lines lines = {.is_sampled = profile->is_sampled, .others.name = "no label",
		.total.name = "total"};
	uint64_t most = table_most_lines(count, around);

	for (size_t i = 0; i < profile->run_count; i++)
		add_run(&lines, &profile->runs[i]);
	if (lines.count > 1)
		qsort(lines.lines, lines.count, sizeof(*lines.lines), by_live);
	size_t shown = lines.count < most ? lines.count : (size_t)most;
	if (shown < lines.count)
		lines.others.name = "others, and no label";
	lines.others.now = lines.total.now;
	lines.others.before = lines.total.before;
	for (size_t i = 0; i < shown; i++) {
		counts_subtract(&lines.others.now, &lines.lines[i].now);
		counts_subtract(&lines.others.before, &lines.lines[i].before);
	}
	print_lines(to, &lines, shown);
	intern_free(&lines.names);
	free(lines.lines);
}
