// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <stdlib.h>

#include "base/system.h"
#include "print/leaks_words.h"
#include "service/who_runs.h"

int64_t
who_runs_last(const struct report *report)
{
	int64_t last = 0;

	for (size_t i = 0; i < report->count; i++)
		last = report->processes[i].heard > last ? report->processes[i].heard : last;
	return last;
}

static bool
some_run(const struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (!report_is_over(&report->processes[i]) && !report_is_old(&report->processes[i]))
			return true;
	return false;
}

// Says which part of the leaks is of processes that run, or were heard of lately, if others leak, too.
static void
print_running(FILE *to, const struct report *report)
{
	struct report living = report_living(report);
	size_t leaking = report_count(report, SEVERITY_LEAKS), count = 0;
	char rate[UNIT_TEXT];

	for (size_t i = 0; i < living.count; i++)
		if (!report_is_old(&living.processes[i]))
			living.processes[count++] = living.processes[i];
	living.count = count;
	size_t left = report_count(&living, SEVERITY_LEAKS);
	if (left > 0 && left < leaking)
		fprintf(to, "%zu of those that leak run%s still, and leak%s %s an hour\n", left,
			left > 1 ? "" : "s", left > 1 ? "" : "s",
			leaks_bytes_text(rate, report_rate(&living, false, NULL)));
	else if (left < leaking)
		fputs("none of those that leak is known to run\n", to);
	free(living.processes);
}

void
who_runs_print(FILE *to, const struct report *report)
{
	int64_t last = who_runs_last(report);
	char age[UNIT_TEXT];

	if (some_run(report))
		print_running(to, report);
	else if (report->count > 1 && last > 0)
		fprintf(to, "none of them is known to run: the last was heard %s ago\n",
			unit_duration(age, last < clock_ms(CLOCK_REALTIME) ? clock_ms(CLOCK_REALTIME) - last : 0));
}
