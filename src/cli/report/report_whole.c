// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <string.h>

#include "log/run.h"
#include "report/report.h"
#include "symbols/symbols.h"
#include "trend/finding.h"

// Returns true if most growth is of leaks that keep more than half of the blocks that they allocate.
static bool
keeps_most(const struct report_process *process)
{
	const struct leak_sum *sum = &process->sums[STANDS];
	double kept = 0;

	for (size_t i = 0; i < process->standing; i++) {
		const struct report_finding *finding = &process->findings[i];
		if (finding->word.verdict == REPORT_LEAKS && finding->allocs > 0
				&& finding->growth_blocks * 2 > finding->allocs)
			kept += finding->growth;
	}
	return sum->held < sum->count && kept * 2 > sum->growth - sum->held_growth;
}

// Returns how long the leaks have not grown, if that is long and the process was hardly at work. So
// the pause does not show that they have stopped.
static double
idle_of(const struct report_process *process)
{
	static const double long_ms = 60e3;
	const struct leak_sum *sum = &process->sums[STANDS];
	double still = sum->known - sum->grew;
	bool is_long = process->has_times && still >= long_ms && still * 10 >= sum->grew - sum->began;

	return sum->count > 0 && is_long ? still : 0;
}

// Returns the moment from which on live memory fell, if it fell only as the process ended.
static int64_t
fell_of(const struct report_process *process, const struct findings *findings,
	const struct history_span *span)
{
	static const double at_last = 1.0 / 32;
	const struct finding *live = &findings->gauges[GAUGE_LIVE];
	double end = (double)(span->duration + span->silent);

	return report_fell_back(process) && span->has_exit && end - live->high <= at_last * end
		? span->start + (int64_t)ceil(live->high) : 0;
}

// A process that leaks may also grow elsewhere, or outside malloc, for too short a time to judge.
static void
add_ask_again(struct report_process *process, const struct findings *findings,
	const struct history_span *span)
{
	double wait = findings->ask_again - (double)(span->duration + span->silent);
	bool may_ask = process->word.verdict == REPORT_EARLY || process->severity == SEVERITY_LEAKS
		|| process->gauges[GAUGE_OUTSIDE].word.verdict == REPORT_EARLY;

	if (!may_ask || process->has_ended || wait < 1)
		return;
	process->ask_again = span->start + (int64_t)ceil(findings->ask_again);
	process->ask_in = process->heard > process->last ? 0 : (int64_t)ceil(wait);
}

static void
add_burst(struct report_process *process, const struct burst *burst)
{
	struct symbols_wanted wanted = {0};

	process->burst = (struct report_burst){.growth = burst->growth, .now = burst->now,
		.since = process->first + (int64_t)burst->began, .of_row = burst->of_source};
	if (burst->growth <= 0 || !burst->source) {
		process->burst.of_row = 0;
		return;
	}
	symbols_want(&wanted, burst->source->frames, burst->source->depth);
	symbols_resolve_wanted(&wanted);
	process->burst.row = row_of_source(burst->source);
}

// Sets growth, and the rate of resident memory. Growth before the first leak is no part of that rate.
static void
add_growth(struct report_process *process, const struct findings *findings, struct history *history,
	const struct history_span *span)
{
	struct trend_point points[TREND_MAX];
	double began = findings->leaks[STANDS].began, ms = (double)span->duration - began;

	if (history_gauge(history, GAUGE_LIVE, points) > 0)
		process->growth = process->live_last - points[0].floor;
	process->rss_rate = process->gauges[GAUGE_RSS].rate;
	if (process->standing == 0 || ms <= 0)
		return;
	double grew = finding_growth_since(points, history_gauge(history, GAUGE_RSS, points), began);
	process->rss_rate = fmin(process->rss_rate, history_rate(span, grew / ms));
}

void
report_add_whole(struct report_process *process, const struct findings *findings,
	struct history *history, double min_time)
{
	static const double much = 0.1;
	const struct finding *live = &findings->gauges[GAUGE_LIVE];
	struct history_span of_history = history_span(history), *span = &of_history;
	bool grows = verdict_is_leak(live->trend.verdict);

	for (enum standing i = 0; i < STANDINGS; i++) {
		struct leak_sum *sum = &process->sums[i];
		sum->slope = history_rate(span, sum->slope);
		sum->mapped_slope = history_rate(span, sum->mapped_slope);
		sum->held_slope = history_rate(span, sum->held_slope);
	}
	memcpy(process->of_history, findings->of_verdict, sizeof(process->of_history));
	process->growth_unseen = findings->growth_unseen;
	process->growth_live = findings->growth;
	process->unseen = findings->unseen;
	process->touched = findings->touched;
	process->memory = findings->memory;
	process->is_impossible = findings->is_impossible;
	// Growth at the start that the log did not show is not counted beside leaks that began later.
	double beside = findings->growth_of_all - findings->leaks[STANDS].growth;
	process->hides_growth = findings_hide_growth(findings)
		|| (findings->leaks[STANDS].count > 0 && findings->left_out == 0 && grows
			&& findings->growth_untold >= much * findings->growth
			&& beside >= much * findings->growth_of_all);
	process->rest_leaks = findings->rest_leaks;
	process->is_live_leak = grows && live->standing == STANDS;
	process->is_cut_short = findings->is_cut_short;
	process->outside_grows = findings_memory_grows(findings, GAUGE_OUTSIDE, min_time);
	process->files_grow = findings_memory_grows(findings, GAUGE_FILE, min_time);
	process->has_exit = span->has_exit;
	process->stands_still = history_stands_still(span, min_time);
	process->has_few = span->windows < TREND_LEAST;
	process->is_crowded = span->snapshots > span->windows;
	process->silent = span->silent;
	process->has_mapped = process->of->mapped->total.allocs > 0;
	process->fell = fell_of(process, findings, span);
	process->keeps_most = keeps_most(process);
	process->idle = idle_of(process);
	add_growth(process, findings, history, span);
	add_burst(process, &findings->burst);
	add_ask_again(process, findings, span);
}
