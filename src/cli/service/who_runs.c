// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

// Returns how many processes the kernel has killed for memory in this process's control group since its last
// snapshot. The number comes from the logs of other processes in the group.
static uint64_t
killed_since(const struct report *report, const struct report_process *gone)
{
	uint64_t most = gone->limit.oom_kills;

	for (size_t i = 0; i < report->count && !gone->limit.is_machine; i++) {
		const struct report_process *process = &report->processes[i];
		bool is_of_group = !process->limit.is_machine && process->limit.most == gone->limit.most
			&& strcmp(process->host, gone->host) == 0;
		if (is_of_group && process->heard >= gone->heard && process->limit.oom_kills > most)
			most = process->limit.oom_kills;
	}
	return most - gone->limit.oom_kills;
}

// Prints why processes that leak have ended without a last snapshot, if that is known: "; 4 that leak (~)
// were killed, or called _exit(); the kernel has killed 2 for memory".
static void
print_gone(FILE *to, const struct report *report)
{
	static const double full = 0.95;
	uint64_t killed = 0;
	size_t count = 0, at_limit = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		const struct limit *limit = &process->limit;
		if (process->severity != SEVERITY_LEAKS || !process->is_gone || process->has_ended)
			continue;
		uint64_t since = killed_since(report, process);
		killed = since > killed ? since : killed;
		at_limit += limit->most > 0 && (double)limit->used >= full * (double)limit->most;
		count++;
	}
	if (count == 0)
		return;
	fprintf(to, "; %zu that leak%s (~) %s killed, or called _exit()", count, count > 1 ? "" : "s",
		count > 1 ? "were" : "was");
	if (killed > 0)
		fprintf(to, "; the kernel has killed %" PRIu64 " for memory", killed);
	else if (at_limit > 0)
		fprintf(to, "; memory was full at the last snapshot of %zu", at_limit);
}

// Prints the share of the leaks in processes that run, or wrote recently, if other processes leak, too.
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
		fprintf(to, "%zu of those that leak run%s still, and leak%s %s an hour", left,
			left > 1 ? "" : "s", left > 1 ? "" : "s",
			leaks_bytes_text(rate, report_rate(&living, false, NULL)));
	else if (left < leaking)
		fputs("none of those that leak is known to run", to);
	if (left < leaking) {
		print_gone(to, report);
		fputc('\n', to);
	}
	free(living.processes);
}

void
who_runs_print(FILE *to, const struct report *report)
{
	int64_t last = who_runs_last(report);
	char age[UNIT_TEXT];

	if (some_run(report)) {
		print_running(to, report);
	} else if (report->count > 1 && last > 0) {
		fprintf(to, "none is known to run, last heard %s ago",
			unit_duration(age, last < clock_ms(CLOCK_REALTIME) ? clock_ms(CLOCK_REALTIME) - last : 0));
		print_gone(to, report);
		fputc('\n', to);
	}
}
