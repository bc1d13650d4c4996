// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <stdlib.h>

#include "print/leaks_words.h"
#include "service/who_runs.h"

bool
who_runs_some(const struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (!report_is_over(&report->processes[i]) && !report_is_old(&report->processes[i]))
			return true;
	return false;
}

// Says which part of the leaks is of processes that are not over, if some are.
static void
print_living(FILE *to, const struct report *report)
{
	struct report living = report_living(report);
	size_t leaking = report_count(report, SEVERITY_LEAKS), left = report_count(&living, SEVERITY_LEAKS);
	char rate[UNIT_TEXT];

	if (left == leaking)
		;
	else if (left == 0)
		fputs("none of those that leak runs any more\n", to);
	else
		fprintf(to, "%zu of those that leak run%s still, and leak%s %s an hour\n", left,
			left > 1 ? "" : "s", left > 1 ? "" : "s",
			leaks_bytes_text(rate, report_rate(&living, false, NULL)));
	free(living.processes);
}

void
who_runs_print(FILE *to, const struct report *report)
{
	int64_t least = INT64_MAX;
	char age[UNIT_TEXT];

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		least = process->heard > 0 && process->age < least ? process->age : least;
	}
	if (who_runs_some(report))
		print_living(to, report);
	else if (report->count > 1 && least < INT64_MAX)
		fprintf(to, "none of them is known to run: the last was heard %s ago\n",
			unit_duration(age, least));
}
