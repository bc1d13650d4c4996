// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "report/lines.h"
#include "report/script.h"
#include "rows/attribution.h"

// A line while its processes are added.
struct sum {
	struct report_line line;
	struct report_rates rates, resident; // its rates and the memory, in each process
	double rate;                         // the sum of the rates
};

struct sums {
	struct grouping grouping;
	struct intern services, keys; // a key has the line's number
	struct sum *sums;
	size_t count, room;
};

// Adds up the processes of one service. Others may have the same line, as an interpreter's.
static struct sum *
sum_of(struct sums *sums, const struct row *row, const char *service)
{
	bool is_new;
	size_t key[] = {grouping_number(&sums->grouping, row, NULL), intern_text(&sums->services, service)};
	size_t number = intern_number(&sums->keys, key, sizeof(key), &is_new);

	if (is_new) {
		sums->sums = memory_grow(sums->sums, sums->count, &sums->room, sizeof(*sums->sums));
		sums->sums[sums->count++] = (struct sum){.line.row = *row};
	} else if (sums->grouping.by == GROUPING_BY_PLACE) {
		struct row *first = &sums->sums[number].line.row;
		grouping_cut(first, row);
		first->id = first->id == row->id ? row->id : 0;
	}
	return &sums->sums[number];
}

static void
add(struct sum *sum, const struct report_finding *finding, const struct report_process *process)
{
	struct report_line *line = &sum->line;
	struct rate_of_process rate = report_rate_of(process, finding->since, finding->rate);

	if (report_rates_add(&sum->rates, &rate)) {
		struct rate_of_process rss = report_rate_of(process, process->first, process->rss);
		bool is_past = report_is_over(process) || report_is_old(process);
		report_rates_add(&sum->resident, &rss);
		line->processes++;
		line->over += is_past;
		line->ended += process->has_ended;
		line->heard = process->heard > line->heard ? process->heard : line->heard;
		line->resident += is_past ? 0 : process->rss;
	}
	sum->rate += finding->rate;
	line->confidence = fmin(line->process ? line->confidence : 1, finding->confidence);
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
	struct sums sums = {.grouping = {.by = by, .with_lines = with_lines}};

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		for (size_t k = 0; process->has_times && k < process->standing; k++)
			add(sum_of(&sums, &process->findings[k].row, process->name), &process->findings[k],
				process);
	}
	struct report_line *lines = memory_get(sums.count, sizeof(*lines));
	for (size_t i = 0; i < sums.count; i++) {
		struct sum *sum = &sums.sums[i];
		double most = report_rates_highest(&sum->resident);
		lines[i] = sum->line;
		lines[i].rate = report_rates_highest(&sum->rates);
		lines[i].is_sum = lines[i].rate >= sum->rate * 0.999;
		lines[i].resident = lines[i].over < lines[i].processes ? lines[i].resident : most;
	}
	qsort(lines, sums.count, sizeof(*lines), by_rate);
	grouping_free(&sums.grouping);
	intern_free(&sums.services);
	intern_free(&sums.keys);
	free(sums.sums);
	*count = sums.count;
	return lines;
}

// Returns the interpreter if the line is one of its own functions. Only for perl and lua, whose scripts
// have no lines on stacks.
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
		into->confidence = fmin(into->confidence, line.confidence);
		into->from_start = line.since < into->since ? line.from_start : into->from_start;
		into->since = line.since < into->since ? line.since : into->since;
	}
	memory_sort(lines, left, sizeof(*lines), by_rate);
	return left;
}

size_t
lines_choose(struct report_line *lines, size_t count, size_t most, double least)
{
	size_t others = most, left = 0;

	if (count <= most)
		return count;
	struct report_line *all = memory_get(count, sizeof(*all));
	bool *is_shown = memory_get(count, sizeof(*is_shown));
	for (size_t i = 0; i < count && others > 0; i++) {
		size_t k = 0;
		while (k < i && lines[k].process != lines[i].process)
			k++;
		is_shown[i] = k == i;
		others -= k == i;
	}
	for (size_t i = 0; i < count && others > 0 && lines[i].rate >= least; i++) {
		others -= !is_shown[i];
		is_shown[i] = true;
	}
	memcpy(all, lines, count * sizeof(*all));
	for (size_t i = 0; i < count; i++)
		if (is_shown[i])
			lines[left++] = all[i];
	size_t shown = left;
	for (size_t i = 0; i < count; i++)
		if (!is_shown[i])
			lines[left++] = all[i];
	free(is_shown);
	free(all);
	return shown;
}
