// SPDX-License-Identifier: BSD-2-Clause
// Each source's leak in each process is kept. So a process's leaks can be taken out again if its
// log turns out to be only the beginning of a run that goes on in another log.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "print/disambiguate.h"
#include "print/leaks_words.h"
#include "print/table.h"
#include "rows/row_copy.h"
#include "service/shared.h"

struct leak {
	struct row row;
	double rate, growth;
	// How many processes the source leaks in, and the number of the last one added.
	size_t processes, last;
};

// How a source leaks in one process.
struct part {
	size_t leak, process;
	double rate, growth;
};

static struct {
	struct grouping grouping;
	struct leak *leaks; // leaks[n] is source number n, until is_sorted
	bool is_sorted;     // leaks[] is sorted for printing
	size_t count, room;
	struct part *parts; // in the order in which processes were added
	size_t part_count, part_room;
	struct arena arena; // memory of the leaks' rows
} shared;

void
shared_open(enum grouping_by by, bool with_lines)
{
	shared.grouping.by = by;
	shared.grouping.with_lines = with_lines;
}

static size_t
number_of(const struct row *row)
{
	bool is_new;
	size_t number = grouping_number(&shared.grouping, row, &is_new);

	ASSERT(!shared.is_sorted);
	if (is_new) {
		ASSERT(number == shared.count);
		shared.leaks = memory_grow(shared.leaks, shared.count, &shared.room,
			sizeof(*shared.leaks));
		shared.leaks[shared.count++] = (struct leak){.row = row_copy(&shared.arena, row)};
	} else if (shared.grouping.by == GROUPING_BY_PLACE) {
		struct row *first = &shared.leaks[number].row;
		grouping_cut(first, row);
		first->id = first->id == row->id ? row->id : 0;
	}
	return number;
}

static void
sum_part(const struct part *part)
{
	ASSERT(part->leak < shared.count);
	struct leak *leak = &shared.leaks[part->leak];

	leak->rate += part->rate;
	leak->growth += part->growth;
	leak->processes += leak->processes == 0 || leak->last != part->process;
	leak->last = part->process;
}

void
shared_add(const struct row *row, size_t process, double rate, double growth)
{
	struct part part = {number_of(row), process, rate, growth};

	shared.parts = memory_grow(shared.parts, shared.part_count, &shared.part_room,
		sizeof(*shared.parts));
	shared.parts[shared.part_count++] = part;
	sum_part(&part);
}

void
shared_leave_out(size_t process)
{
	size_t left = 0;

	ASSERT(!shared.is_sorted);
	for (size_t i = 0; i < shared.count; i++)
		shared.leaks[i] = (struct leak){.row = shared.leaks[i].row};
	for (size_t i = 0; i < shared.part_count; i++) {
		if (shared.parts[i].process == process)
			continue;
		sum_part(&shared.parts[i]);
		shared.parts[left++] = shared.parts[i];
	}
	shared.part_count = left;
}

bool
shared_is_any(void)
{
	for (size_t i = 0; i < shared.count; i++)
		if (shared.leaks[i].processes > 1)
			return true;
	return false;
}

static int
by_rate(const void *left, const void *right)
{
	const struct leak *a = left, *b = right;
	return (a->rate < b->rate) - (a->rate > b->rate);
}

// Removes the sources that leak in no process any more, after shared_leave_out(). Sorts the other
// sources by rate, and returns their number.
static size_t
sort_leaks(void)
{
	size_t left = 0;

	for (size_t i = 0; i < shared.count; i++)
		if (shared.leaks[i].processes > 0)
			shared.leaks[left++] = shared.leaks[i];
	shared.is_sorted = true;
	qsort(shared.leaks, left, sizeof(*shared.leaks), by_rate);
	return left;
}

// Returns the texts of the first `count` sources, each different from the others. The caller frees
// texts and array.
static char **
texts_of(size_t count)
{
	struct row *rows = memory_get(count, sizeof(*rows));

	for (size_t i = 0; i < count; i++)
		rows[i] = shared.leaks[i].row;
	char **texts = disambiguate_rows(rows, count);
	free(rows);
	return texts;
}

size_t
shared_print(FILE *to, uint64_t most, size_t count)
{
	static const struct column columns[] = {
		{"an hour", false}, {"growth", false}, {"processes", false}, {"id", true},
		{"where", false},
	};
	char rate[UNIT_TEXT], growth[UNIT_TEXT], processes[UNIT_TEXT * 2], id[UNIT_TEXT];
	size_t all = sort_leaks();
	size_t shown = all < most ? all : (size_t)most;

	char **texts = texts_of(shown);
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < shown; i++) {
		const struct leak *leak = &shared.leaks[i];
		snprintf(processes, sizeof(processes), "%zu of %zu", leak->processes, count);
		snprintf(id, sizeof(id), "{%016" PRIx64 "}", leak->row.id);
		if (leak->row.id == 0)
			id[0] = '\0';
		const char *cells[] = {leaks_bytes_text(rate, leak->rate),
			leaks_bytes_text(growth, leak->growth), processes, id, texts[i]};
		table_add(table, STYLE_PLAIN, cells);
		free(texts[i]);
	}
	table_print(to, table);
	free(texts);
	return all;
}

void
shared_close(void)
{
	free(shared.leaks);
	free(shared.parts);
	arena_free(&shared.arena);
	grouping_free(&shared.grouping);
}
