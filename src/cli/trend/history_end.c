// SPDX-License-Identifier: BSD-2-Clause

#include "trend/history.h"

double
history_last(const struct history *history, size_t number)
{
	return (double)history->tracked[number].last.bytes;
}

double
history_gauge_last(const struct history *history, enum gauge gauge)
{
	const struct series *series = &history->gauges[gauge];
	return series->count > 0 ? (double)series->points[series->count - 1].last : 0;
}

// Returns true if the exit's snapshot says what the source holds. For mapped memory, the snapshot
// always does. For another source, the snapshot must show that source, or all sources that hold
// memory.
static bool
is_told_at_exit(const struct history *history, const struct tracked_source *tracked)
{
	return tracked->is_at_exit || history->exit_shows_all || tracked->source->is_mapped;
}

bool
history_at_exit(const struct history *history, size_t number, double *bytes)
{
	const struct tracked_source *tracked = &history->tracked[number];

	*bytes = tracked->is_at_exit ? (double)tracked->at_exit.bytes : 0;
	return history->has_exit && is_told_at_exit(history, tracked);
}

// Sets *end to the values at exit. If the process is silent and still runs, sets *end to the
// present values. Returns false if the values are unknown.
static bool
end_at(const struct history *history, const struct sample *last, const struct sample *at_exit,
	struct history_end *end)
{
	const struct sample *exit = &history->exit[GAUGE_LIVE];

	if (!history->timeline.has_times || (!history->has_exit && history->silent <= 0))
		return false;
	*end = history->has_exit
		? (struct history_end){exit->clock, (double)at_exit->bytes, (double)exit->calls,
			history->silent > 0}
		: (struct history_end){history->silent, (double)last->bytes,
			(double)history->timeline.calls, true};
	return end->clock > history->timeline.clock;
}

bool
history_end(const struct history *history, size_t number, struct history_end *end)
{
	const struct tracked_source *tracked = &history->tracked[number];
	const struct sample nothing = {0};

	if (history->has_exit && !is_told_at_exit(history, tracked))
		return false;
	return end_at(history, &tracked->last, tracked->is_at_exit ? &tracked->at_exit
		: &nothing, end);
}

bool
history_gauge_end(const struct history *history, enum gauge gauge, struct history_end *end)
{
	struct sample last = {.bytes = (uint64_t)history_gauge_last(history, gauge)};

	if (history->gauges[gauge].count == 0
			|| !end_at(history, &last, &history->exit[gauge], end))
		return false;
	// Only changes of live bytes make the library write a snapshot. Other gauges may have changed
	// right before the exit, though the process was silent.
	end->is_silent = end->is_silent && (gauge == GAUGE_LIVE || !history->has_exit);
	return true;
}

double
history_settled(const struct history *history, double at)
{
	const struct span *spans = history->timeline.spans, *last = spans;

	if (history->timeline.count == 0)
		return 0;
	while (last + 1 < spans + history->timeline.count && last[1].clock_first <= at)
		last++;
	while (spans < last && summary_is_starting(spans->sources_last, last->sources_last))
		spans++;
	return spans->clock_first;
}
