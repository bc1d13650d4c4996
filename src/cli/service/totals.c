// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "print/leaks_words.h"
#include "service/programs.h"
#include "service/totals.h"

// Returns the rate of the process's largest line. A line may be several functions of an interpreter.
static double
largest_of(const struct report_process *process, const struct report_line *lines, size_t count)
{
	double largest = 0;

	for (size_t i = 0; i < process->standing; i++)
		largest = fmax(largest, process->findings[i].rate);
	for (size_t i = 0; i < count; i++)
		if (lines[i].processes == 1 && lines[i].process == process)
			largest = fmax(largest, lines[i].rate);
	return largest;
}

static int
by_rate(const void *left, const void *right)
{
	const struct report_process *a = ((const struct report_line *)left)->process;
	const struct report_process *b = ((const struct report_line *)right)->process;

	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	return (a > b) - (a < b);
}

// Chooses one line of each process that leaks in at least three lines. The process must leak much more than
// its largest line. Returns the number of processes.
static size_t
choose(struct report_line *chosen, const struct report_line *lines, size_t count)
{
	enum { FEW = 3 };
	static const double much = 1.1;
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		const struct report_process *process = lines[i].process;
		size_t k = 0;
		while (k < left && chosen[k].process != process)
			k++;
		if (lines[i].processes == 1 && k == left && process->standing >= FEW
				&& process->rate >= much * largest_of(process, lines, count))
			chosen[left++] = lines[i];
	}
	memory_sort(chosen, left, sizeof(*chosen), by_rate);
	return left;
}

void
totals_print(FILE *to, const struct report *report, const struct report_line *lines, size_t count,
	bool all)
{
	enum { MOST = 4 };
	struct report_line *chosen = memory_get(count, sizeof(*chosen));
	size_t found = report_count(report, SEVERITY_LEAKS) > 1 ? choose(chosen, lines, count) : 0;
	char rate[UNIT_TEXT];

	for (size_t i = 0; i < found && (all || i < MOST); i++) {
		char *process = programs_of_line(&chosen[i]);
		fprintf(to, "%s%s%s in %s", i > 0 ? ", " : "in all: ",
			leaks_bytes_text(rate, chosen[i].process->rate), i > 0 ? "" : " an hour", process);
		free(process);
	}
	if (found > 0)
		fputc('\n', to);
	free(chosen);
}
