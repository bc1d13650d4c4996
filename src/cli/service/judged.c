#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "base/unit.h"
#include "service/service.h"

struct list {
	struct judged *runs;
	size_t count, room;
};

// What is judged of the logs at hand.
static struct {
	struct moment from, to;
} asked;

static struct judged *
judged_of(struct list *list, struct run *run)
{
	for (size_t i = list->count; i > 0; i--)
		if (list->runs[i - 1].run == run)
			return &list->runs[i - 1];
	list->runs = memory_grow(list->runs, list->count, &list->room, sizeof(*list->runs));
	list->runs[list->count] = (struct judged){.run = run, .history = history_open(run)};
	return &list->runs[list->count++];
}

// Whether the snapshot comes before the moment; with `same`, or is it.
static bool
is_before(const struct summary *summary, const struct moment *moment, bool same)
{
	switch (moment->kind) {
	case MOMENT_NUMBER:
		return summary->number < moment->number || (same && summary->number == moment->number);
	case MOMENT_TIME:
		return summary->time_ms < moment->time_ms
			|| (same && summary->time_ms == moment->time_ms);
	default:
		return same;
	}
}

void
judged_settle(char **paths, const struct moment *from, const struct moment *to)
{
	char from_text[UNIT_TEXT];
	char to_text[UNIT_TEXT];

	asked.from = *from;
	asked.to = *to;
	log_settle(paths, &asked.from, &asked.to);
	log_settle_named(paths, &asked.from);
	log_settle_named(paths, &asked.to);
	if (asked.from.kind == MOMENT_TIME && asked.to.kind == MOMENT_TIME
			&& asked.to.time_ms < asked.from.time_ms)
		options_refuse("leaks", "--from is %s, and --to %s is before it",
			unit_time(from_text, asked.from.time_ms), unit_time(to_text, asked.to.time_ms));
	if (asked.from.kind == MOMENT_NUMBER && asked.to.kind == MOMENT_NUMBER
			&& asked.to.number < asked.from.number)
		options_refuse("leaks", "--from is snapshot [%" PRIu64 "], and --to [%" PRIu64
			"] is before it", asked.from.number, asked.to.number);
}

struct judged *
judged_read(struct log *log, size_t *count)
{
	const struct snapshot *snapshot;
	struct list list = {0};

	while ((snapshot = log_next_told(log))) {
		const struct summary *summary = &snapshot->summary;
		if (is_before(summary, &asked.from, false) || !is_before(summary, &asked.to, true))
			continue;
		struct judged *judged = judged_of(&list, snapshot->run);
		if (history_span(judged->history).snapshots == 0)
			judged->first = summary->number;
		if (strcmp(summary->reason, "exit") == 0)
			judged->exit = summary->number;
		else
			judged->last = summary->number;
		judged->last_ms = summary->time_ms;
		judged->wait_ms = summary->wait_ms;
		history_add(judged->history, snapshot);
	}
	*count = list.count;
	return list.runs;
}

bool
judged_is_named(const struct run *run, const struct option_list *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (fnmatch(patterns->texts[i], run->exe, 0) == 0
				|| fnmatch(patterns->texts[i], path_last(run->exe), 0) == 0
				|| fnmatch(patterns->texts[i], run->name, 0) == 0)
			return true;
	return patterns->count == 0;
}
