// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/system.h"
#include "print/table.h"
#include "print/threads_table.h"

enum { CELL = UNIT_TEXT + 1 };

struct thread_line {
	struct counts counts;
	const struct thread *thread; // NULL for the sum of several threads
	const struct run *run;
	bool is_exact;
};

struct thread_lines {
	struct thread_line *lines;
	size_t count, room;
	struct counts others; // the totals less the counts of the threads with a line
	struct counts total;
	bool is_sampled; // true if the log is sampled: then all numbers are estimates
};

static uint64_t
churn(const struct counts *counts)
{
	return counts->alloc + counts->free;
}

static int
by_churn(const void *left, const void *right)
{
	const struct thread_line *a = left;
	const struct thread_line *b = right;
	uint64_t churn_a = churn(&a->counts);
	uint64_t churn_b = churn(&b->counts);

	if (churn_a != churn_b)
		return churn_a > churn_b ? -1 : 1;
	return (a->thread->id > b->thread->id) - (a->thread->id < b->thread->id);
}

// Adds the run's threads, and subtracts from `others` what the log last said of each thread. Counts
// only grow. So what was last said is never too much, and `others` does not become negative.
static void
add_run(struct thread_lines *lines, const struct profile_run *of)
{
	const struct threads *threads = &of->at_moment->more->threads;

	counts_add(&lines->others, &of->at.total);
	for (size_t i = 0; i < threads->count; i++) {
		const struct thread *thread = &threads->threads[i];
		lines->lines = memory_grow(lines->lines, lines->count, &lines->room,
			sizeof(*lines->lines));
		lines->lines[lines->count++] = (struct thread_line){thread->now, thread, of->run,
			!lines->is_sampled && thread->told_in + 1 >= threads->moved_unshown};
		counts_subtract(&lines->others, &thread->now);
	}
	counts_add(&lines->total, &of->at.total);
}

static char *
bytes_text(char text[CELL], const struct thread_line *line, uint64_t bytes)
{
	text[0] = '~';
	unit_bytes(text + !line->is_exact, bytes);
	return text;
}

static char *
count_text(char text[CELL], const struct thread_line *line, uint64_t count)
{
	text[0] = '~';
	unit_count(text + !line->is_exact, count);
	return text;
}

static void
print_line(struct text_table *table, const struct thread_line *line, const char *what,
	unsigned tenths, enum style style)
{
	char alloc[CELL], freed[CELL], allocs[CELL], frees[CELL], id[CELL], share[CELL];

	snprintf(id, sizeof(id), "%" PRIu64, line->thread ? line->thread->id : 0);
	snprintf(share, sizeof(share), "%u.%u%%", tenths / 10, tenths % 10);
	table_add(table, style, (const char *const[]){
		bytes_text(alloc, line, line->counts.alloc), bytes_text(freed, line, line->counts.free),
		share, count_text(allocs, line, line->counts.allocs),
		count_text(frees, line, line->counts.frees), line->thread ? id : "", what});
}

static void
print_thread(struct text_table *table, const struct thread_line *line, bool several,
	unsigned tenths)
{
	char text[512];

	if (several)
		snprintf(text, sizeof(text), "%s of %s %ld", line->thread->name,
			path_last(line->run->exe), line->run->pid);
	else
		snprintf(text, sizeof(text), "%s", line->thread->name);
	print_line(table, line, text, tenths, STYLE_PLAIN);
}

static void
print_lines(FILE *to, const struct thread_lines *lines, size_t shown, bool several)
{
	static const struct column columns[] = {{"allocated", false}, {"freed", false},
		{"share", false}, {"allocs", true}, {"frees", true}, {"id", true}, {"thread", false}};
	struct thread_line others = {.counts = lines->others, .is_exact = !lines->is_sampled};
	struct thread_line total = {.counts = lines->total, .is_exact = !lines->is_sampled};
	uint64_t *parts = memory_get(shown + 1, sizeof(*parts));
	unsigned *tenths = memory_get(shown + 1, sizeof(*tenths));
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(columns[0]));
	struct counts sum = lines->others;
	bool is_exact = true;

	for (size_t i = 0; i < shown; i++) {
		parts[i] = churn(&lines->lines[i].counts);
		counts_add(&sum, &lines->lines[i].counts);
	}
	ASSERT(memcmp(&sum, &lines->total, sizeof(sum)) == 0);
	parts[shown] = churn(&others.counts);
	share_split(tenths, SHARE_WHOLE, parts, shown + 1);
	for (size_t i = 0; i < shown; i++) {
		print_thread(table, &lines->lines[i], several, tenths[i]);
		is_exact &= lines->lines[i].is_exact;
	}
	if (others.counts.allocs + others.counts.frees > 0)
		print_line(table, &others, "others", tenths[shown], STYLE_DIM);
	print_line(table, &total, "total", churn(&total.counts) > 0 ? SHARE_WHOLE : 0, STYLE_BOLD);
	if (lines->is_sampled)
		table_add_text(table, "~: estimated by sampling");
	else if (!is_exact)
		table_add_text(table, "~: when it was last told of; what it has done since is among the "
			"others");
	table_print(to, table);
	free(parts);
	free(tenths);
}

void
threads_table_print(FILE *to, const struct profile *profile, uint64_t count, unsigned around)
{
	struct thread_lines lines = {.is_sampled = profile->is_sampled};
	uint64_t most = table_most_lines(count, around);

	for (size_t i = 0; i < profile->run_count; i++)
		add_run(&lines, &profile->runs[i]);
	if (lines.count > 1)
		qsort(lines.lines, lines.count, sizeof(*lines.lines), by_churn);
	size_t shown = lines.count < most ? lines.count : (size_t)most;
	for (size_t i = shown; i < lines.count; i++)
		counts_add(&lines.others, &lines.lines[i].counts);
	print_lines(to, &lines, shown, profile->run_count > 1);
	free(lines.lines);
}
