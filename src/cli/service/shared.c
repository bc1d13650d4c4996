// What a source leaks is summed by its number, which is its place in an array until that is sorted
// to be printed.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "print/print.h"
#include "print/table.h"
#include "rows/alike.h"
#include "service/shared.h"

struct leak {
	uint64_t id;
	char *where;
	double rate, growth;
	size_t processes, last; // the last of them
};

static struct {
	struct alike alike;
	struct leak *leaks; // by their numbers
	size_t count, room;
} shared;

void
shared_open(bool by_name, bool with_lines)
{
	shared.alike.by_name = by_name;
	shared.alike.with_lines = with_lines;
}

size_t
shared_number(const struct source *source)
{
	struct row row = row_of_source(source);
	bool is_new;
	size_t number = alike_number(&shared.alike, &row, &is_new);

	if (is_new) {
		shared.leaks = memory_grow(shared.leaks, shared.count, &shared.room,
			sizeof(*shared.leaks));
		shared.leaks[shared.count++] = (struct leak){.id = row.id, .where = row_text(&row)};
	}
	return number;
}

void
shared_add(size_t number, size_t process, double rate, double growth)
{
	struct leak *leak = &shared.leaks[number];

	leak->rate += rate;
	leak->growth += growth;
	leak->processes += leak->processes == 0 || leak->last != process;
	leak->last = process;
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

size_t
shared_print(uint64_t most, size_t count)
{
	static const struct column columns[] = {
		{"an hour", false}, {"growth", false}, {"processes", false}, {"id", true},
		{"where", false},
	};
	char rate[UNIT_TEXT], growth[UNIT_TEXT], processes[UNIT_TEXT * 2], id[UNIT_TEXT];

	qsort(shared.leaks, shared.count, sizeof(*shared.leaks), by_rate);
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < shared.count && i < most; i++) {
		const struct leak *leak = &shared.leaks[i];
		snprintf(processes, sizeof(processes), "%zu of %zu", leak->processes, count);
		snprintf(id, sizeof(id), "{%016" PRIx64 "}", leak->id);
		const char *cells[] = {leaks_bytes_text(rate, leak->rate),
			leaks_bytes_text(growth, leak->growth), processes, id, leak->where};
		table_add(table, STYLE_PLAIN, cells);
	}
	table_print(table);
	return shared.count;
}

void
shared_close(void)
{
	for (size_t i = 0; i < shared.count; i++)
		free(shared.leaks[i].where);
	free(shared.leaks);
	alike_free(&shared.alike);
}
