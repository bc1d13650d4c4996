// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/memory.h"
#include "report/lines.h"

struct sum {
	struct grouping grouping;
	struct report_line *lines;
	struct report_rates *rates; // rates[n] has the rates of lines[n] in each process
	size_t count, room, rates_room;
};

static struct report_line *
line_of(struct sum *sum, const struct row *row, size_t *number)
{
	bool is_new;

	*number = grouping_number(&sum->grouping, row, &is_new);
	if (is_new) {
		sum->lines = memory_grow(sum->lines, sum->count, &sum->room, sizeof(*sum->lines));
		sum->rates = memory_grow(sum->rates, sum->count, &sum->rates_room, sizeof(*sum->rates));
		sum->lines[sum->count++] = (struct report_line){.row = *row};
	} else if (sum->grouping.by == GROUPING_BY_PLACE) {
		struct row *first = &sum->lines[*number].row;
		grouping_cut(first, row);
		first->id = first->id == row->id ? row->id : 0;
	}
	return &sum->lines[*number];
}

static void
add(struct sum *sum, const struct report_finding *finding, const struct report_process *process)
{
	size_t number;
	struct report_line *line = line_of(sum, &finding->row, &number);
	struct rate_of_process rate = report_rate_of(process, finding->rate);

	bool is_first = report_rates_add(&sum->rates[number], &rate);
	if (is_first) {
		line->processes++;
		line->over += report_is_over(process) || report_is_old(process);
		line->heard = process->heard > line->heard ? process->heard : line->heard;
		line->resident += process->rss;
	}
	line->growth += finding->growth;
	line->is_kept = (line->is_kept || !line->process) && finding->word.verdict == REPORT_KEPT;
	if (finding->rate > line->fastest || !line->process) {
		line->fastest = finding->rate;
		line->process = process;
	}
	if (line->since == 0 || finding->since < line->since) {
		line->since = finding->since;
		line->from_start = finding->or_earlier || finding->since <= process->first;
	}
}

static int
by_rate(const void *left, const void *right)
{
	const struct report_line *a = left, *b = right;

	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	if (a->growth != b->growth)
		return a->growth > b->growth ? -1 : 1;
	return (a->row.id > b->row.id) - (a->row.id < b->row.id);
}

struct report_line *
lines_sum(const struct report *report, enum grouping_by by, bool with_lines, size_t *count)
{
	struct sum sum = {.grouping = {.by = by, .with_lines = with_lines}};

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		for (size_t k = 0; process->has_times && k < process->standing; k++)
			add(&sum, &process->findings[k], process);
	}
	for (size_t i = 0; i < sum.count; i++)
		sum.lines[i].rate = report_rates_highest(&sum.rates[i]);
	if (sum.count > 0)
		qsort(sum.lines, sum.count, sizeof(*sum.lines), by_rate);
	grouping_free(&sum.grouping);
	free(sum.rates);
	*count = sum.count;
	return sum.lines;
}
