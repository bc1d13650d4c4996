// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/message.h"
#include "report/failure.h"
#include "report/jobs.h"

bool
failure_is_asked(const struct failure_limits *limits)
{
	return limits->leaks != UINT64_MAX || limits->leaks_of_all != UINT64_MAX
		|| limits->outside != UINT64_MAX || limits->unjudged;
}

static bool
grows(const struct report_process *process, enum gauge gauge)
{
	return process->gauges[gauge].word.verdict == REPORT_LEAKS;
}

// Returns true if live memory surely grows, and sources explain less than half of that. Growth that has
// stopped or is too early explains it, too.
static bool
grows_without_source(const struct report_process *process)
{
	double explained = process->growth_unseen;

	for (size_t i = 0; i < process->leaks; i++)
		explained += process->findings[i].growth;
	return grows(process, GAUGE_LIVE) && explained * 2 < process->gauges[GAUGE_LIVE].growth;
}

// Returns the rate at which the process leaks, in bytes an hour. With `lost`, what it freed as it ended
// does not count.
static double
leak_rate(const struct report_process *process, const struct failure_limits *limits, bool *is_leak)
{
	double rate = process->rate - (limits->lost ? process->held_rate : 0);

	*is_leak = false;
	for (size_t i = 0; i < process->standing; i++)
		*is_leak |= !limits->lost || process->findings[i].word.verdict != REPORT_KEPT;
	// Nobody knows how much of all live memory the process freed as it ended.
	if (limits->is_part || (limits->lost && process->has_ended) || !grows_without_source(process))
		return rate;
	*is_leak = true;
	return fmax(rate, process->gauges[GAUGE_LIVE].rate_low);
}

static bool
leaks(const struct report_process *process, const struct failure_limits *limits)
{
	bool is_leak;
	double rate = leak_rate(process, limits, &is_leak);
	return limits->leaks != UINT64_MAX && is_leak && round(rate) >= (double)limits->leaks;
}

static bool
grows_outside(const struct report_process *process, const struct failure_limits *limits)
{
	uint64_t limit = limits->outside > limits->least ? limits->outside : limits->least;

	double all = process->outside.bytes + process->outside.mapped;
	// Memory that the program mapped itself has sources, which are judged like others.
	double rate = all > 0 ? process->gauges[GAUGE_OUTSIDE].rate * process->outside.bytes / all : 0;

	return limits->outside != UINT64_MAX && grows(process, GAUGE_OUTSIDE) && rate > 0
		&& round(rate) >= (double)limit;
}

bool
failure_is_open(const struct report_process *process)
{
	bool is_open = report_is_unjudged(&process->gauges[GAUGE_OUTSIDE].word);

	for (size_t i = 0; i < process->leaks; i++)
		is_open |= report_is_unjudged(&process->findings[i].word);
	return report_is_unjudged(&process->word) || (process->word.verdict == REPORT_OUTSIDE && is_open);
}

int
failure_of_process(const struct report_process *process, const struct failure_limits *limits)
{
	if (leaks(process, limits))
		return EXIT_LEAK;
	if (grows_outside(process, limits))
		return EXIT_OUTSIDE;
	return limits->unjudged && failure_is_open(process) ? EXIT_UNJUDGED : 0;
}

int
failure_of_job(const struct report_job *job, const struct failure_limits *limits)
{
	return limits->unjudged && (report_is_unjudged(&job->word) || job->word.verdict == REPORT_LEAKS)
		? EXIT_UNJUDGED : 0;
}

double
failure_rate_of_all(const struct report *report, const struct failure_limits *limits)
{
	struct report_rates rates = {0};
	bool is_leak;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		struct rate_of_process of
			= report_rate_of(process, report_leaks_since(process), leak_rate(process, limits, &is_leak));
		if (process->has_times)
			report_rates_add(&rates, &of);
	}
	return report_rates_highest(&rates);
}

bool
failure_of_sum(const struct report *report, const struct failure_limits *limits)
{
	double rate = failure_rate_of_all(report, limits);
	return rate > 0 && round(rate) >= (double)limits->leaks_of_all;
}

static int
worse(int a, int b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

int
failure_of_report(const struct report *report, const struct failure_limits *limits)
{
	int worst = failure_of_sum(report, limits) ? EXIT_LEAK : 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		if (process->job == 0 || process->fails != EXIT_UNJUDGED)
			worst = worse(worst, process->fails);
	}
	for (size_t i = 0; report->jobs && i < report->jobs->count; i++)
		worst = worse(worst, failure_of_job(&report->jobs->jobs[i], limits));
	return worst;
}
