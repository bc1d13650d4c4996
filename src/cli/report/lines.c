// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/lines.h"
#include "report/script.h"
#include "rows/attribution.h"

struct sum {
	struct grouping grouping;
	struct report_line *lines;
	// rates[n] has the rates of lines[n] in each process, resident[n] the memory of each, sums[n] a sum
	struct report_rates *rates, *resident;
	double *sums;
	size_t count, room, rates_room, resident_room, sums_room;
};

static struct report_line *
line_of(struct sum *sum, const struct row *row, size_t *number)
{
	bool is_new;

	*number = grouping_number(&sum->grouping, row, &is_new);
	if (is_new) {
		sum->lines = memory_grow(sum->lines, sum->count, &sum->room, sizeof(*sum->lines));
		sum->rates = memory_grow(sum->rates, sum->count, &sum->rates_room, sizeof(*sum->rates));
		sum->resident = memory_grow(sum->resident, sum->count, &sum->resident_room,
			sizeof(*sum->resident));
		sum->sums = memory_grow(sum->sums, sum->count, &sum->sums_room, sizeof(*sum->sums));
		sum->sums[sum->count] = 0;
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
		struct rate_of_process rss = report_rate_of(process, process->rss);
		bool is_past = report_is_over(process) || report_is_old(process);
		report_rates_add(&sum->resident[number], &rss);
		line->processes++;
		line->over += is_past;
		line->ended += process->has_ended;
		line->heard = process->heard > line->heard ? process->heard : line->heard;
		line->resident += is_past ? 0 : process->rss;
	}
	sum->sums[number] += finding->rate;
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
	for (size_t i = 0; i < sum.count; i++) {
		struct report_line *line = &sum.lines[i];
		double most = report_rates_highest(&sum.resident[i]);
		line->rate = report_rates_highest(&sum.rates[i]);
		line->is_sum = line->rate >= sum.sums[i] * 0.999;
		line->resident = line->over < line->processes ? line->resident : most;
	}
	if (sum.count > 0)
		qsort(sum.lines, sum.count, sizeof(*sum.lines), by_rate);
	grouping_free(&sum.grouping);
	free(sum.rates);
	free(sum.resident);
	free(sum.sums);
	*count = sum.count;
	return sum.lines;
}

// Returns the interpreter if the line is a function of its own, and no stack has lines of its programs.
static const char *
interpreter_of(const struct report_line *line)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, &line->row);
	const struct resolved_frame *shown = attribution_shown(stack.frames, stack.count);
	const char *found = resolved_is_line(shown) ? NULL : script_interpreter(resolved_module(shown));
	return found && (strcmp(found, "perl") == 0 || strcmp(found, "lua") == 0) ? found : NULL;
}

static bool
is_one(const struct report_line *a, const struct report_line *b)
{
	bool are_same = a->process == b->process
		|| (a->processes > 1 && strcmp(a->process->name, b->process->name) == 0);

	return are_same && a->processes == b->processes && a->is_kept == b->is_kept
		&& a->row.is_mapped == b->row.is_mapped && a->interpreter && a->interpreter == b->interpreter;
}

size_t
lines_fold(struct report_line *lines, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		struct report_line line = lines[i], *into = lines;
		line.interpreter = interpreter_of(&line);
		line.functions = 1;
		while (into < &lines[left] && !is_one(into, &line))
			into++;
		if (into == &lines[left]) {
			lines[left++] = line;
			continue;
		}
		into->functions++;
		into->rate += line.rate;
		into->growth += line.growth;
		into->from_start = line.since < into->since ? line.from_start : into->from_start;
		into->since = line.since < into->since ? line.since : into->since;
	}
	if (left > 0)
		qsort(lines, left, sizeof(*lines), by_rate);
	return left;
}
