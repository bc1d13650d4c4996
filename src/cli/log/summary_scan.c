// SPDX-License-Identifier: BSD-2-Clause
// Each snapshot that log.h returns has a readable line [NUMBER]===, followed by a line time=. So
// this module, which looks for these two lines, finds at least the same snapshots.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "log/input.h"
#include "log/line.h"
#include "log/log.h"
#include "log/summary_scan.h"

struct scan {
	struct summaries *of;
	size_t room;
	struct scanned_snapshot next; // the snapshot whose lines are being read
	bool has_rule, has_summary;   // true if its line [NUMBER]===, or its line time=, was read
	bool is_unsure;
};

static void
add(struct summaries *of, size_t *room, const struct scanned_snapshot *one)
{
	of->all = memory_grow(of->all, of->count, room, sizeof(*of->all));
	of->all[of->count++] = *one;
}

// Adds the snapshot whose lines were read, if it has both of its lines.
static void
end(struct scan *scan)
{
	if (scan->has_rule && scan->has_summary)
		add(scan->of, &scan->room, &scan->next);
	// Snapshots of pmem's first version have no line time=. A log of that version is not
	// scanned.
	scan->is_unsure |= scan->has_rule && !scan->has_summary;
	scan->has_rule = scan->has_summary = false;
}

static void
take(struct scan *scan, const struct line *line)
{
	if (line->kind == LINE_HEADER) {
		end(scan);
		scan->next.run = line->header.run;
		scan->is_unsure |= line->expected != NULL;
	} else if (line->kind == LINE_RULE) {
		end(scan);
		scan->has_rule = true;
		scan->next.number = line->summary.number;
		scan->is_unsure |= scan->next.run == 0;
	} else if (line->kind == LINE_TIME && !line->expected) {
		scan->next.time_ms = line->summary.time_ms;
		scan->next.live = line->summary.total.live;
		scan->next.inherited = line->summary.inherited;
		scan->next.is_exit = strcmp(line->summary.reason, "exit") == 0;
		scan->has_summary = true;
	}
}

static void
parse(struct line *line, struct raw_line *raw)
{
	if (raw->length > 0 && raw->text[raw->length - 1] == '\r')
		raw->text[raw->length - 1] = '\0';
	line_parse(line, raw->text);
}

bool
summary_scan(const char *path, struct summaries *of)
{
	struct scan scan = {.of = of};
	struct raw_line raw;
	struct line line;
	struct input *input = input_open(path);
	uint64_t size;

	*of = (struct summaries){0};
	if (!input)
		return false;
	while (!scan.is_unsure && input_next(input, &raw)) {
		// Nearly all lines are entries and frames. They begin with these characters, and
		// are skipped.
		if (raw.text[0] == ' ' || raw.text[0] == '{')
			continue;
		parse(&line, &raw);
		take(&scan, &line);
	}
	end(&scan);
	of->bytes = input_bytes(input, &size);
	input_close(input);
	if (!scan.is_unsure && of->count > 0)
		return true;
	free(of->all);
	*of = (struct summaries){0};
	return false;
}

bool
summary_read(const char *path, struct summaries *of)
{
	struct log *log = log_open(path);
	const struct snapshot *snapshot;
	size_t room = 0;
	uint64_t size;

	*of = (struct summaries){0};
	while (log && (snapshot = log_next_told(log))) {
		const struct summary *summary = &snapshot->summary;
		const struct run *run = snapshot->run;
		add(of, &room, &(struct scanned_snapshot){summary->time_ms, summary->total.live,
			summary->inherited, run->id ? run->id : (uintptr_t)run, summary->number, run->ended});
	}
	if (!log)
		return false;
	of->bytes = log_bytes(log, &size);
	log_close(log);
	return true;
}

uint64_t
summary_scan_process(const char *path)
{
	struct input *input = input_open(path);
	struct line line = {0};
	struct raw_line raw;

	while (input && line.kind != LINE_HEADER && line.kind != LINE_RULE && input_next(input, &raw))
		parse(&line, &raw);
	uint64_t number = 0;
	if (line.kind == LINE_HEADER && !line.expected) {
		number = line.header.pid + 1;
		for (const char *at = line.header.host; at && *at; at++)
			number = number * 31 + (unsigned char)*at;
	}
	if (input)
		input_close(input);
	return number;
}

// A change of one log's live bytes. `live` is the number of bytes; a decrease is stored modulo
// 2^64.
struct change {
	int64_t time_ms;
	uint64_t live;
};

// Compares two changes for qsort(), by time. At the same time, decreases come before increases.
static int
by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time_ms != b->time_ms)
		return a->time_ms < b->time_ms ? -1 : 1;
	return ((int64_t)a->live > (int64_t)b->live) - ((int64_t)a->live < (int64_t)b->live);
}

bool
summary_peak(const struct summaries *logs, size_t count, int64_t *time_ms)
{
	struct change *changes = NULL;
	size_t change_count = 0, room = 0;
	uint64_t live = 0, most = 0;
	bool has_most = false, has_times = true;
	int64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t before = 0;
		for (size_t k = 0; k < logs[i].count; k++) {
			const struct scanned_snapshot *of = &logs[i].all[k];
			// A fork's child shares its {inherited} memory with its parent. This memory is counted
			// for the parent only.
			uint64_t now = of->live - of->inherited;
			changes = memory_room(changes, change_count + 2, &room, sizeof(*changes));
			changes[change_count++] = (struct change){of->time_ms, now - before};
			// The last snapshot of an ended process counts for one millisecond. Then its bytes are
			// gone.
			if (of->is_exit)
				changes[change_count++] = (struct change){of->time_ms + 1, -now};
			before = of->is_exit ? 0 : now;
			has_times &= of->time_ms != 0;
		}
	}
	memory_sort(changes, change_count, sizeof(*changes), by_time);
	for (size_t i = 0; i < change_count; i++) {
		live += changes[i].live;
		bool is_all = i + 1 == change_count || changes[i + 1].time_ms != changes[i].time_ms;
		if (!is_all || (has_most && live <= most))
			continue;
		has_most = true;
		most = live;
		at = changes[i].time_ms;
	}
	free(changes);
	if (has_times && has_most)
		*time_ms = at;
	return has_times && has_most;
}

bool
summary_peak_of(char **paths, int64_t *time_ms)
{
	struct summaries *logs = NULL;
	size_t count = 0, room = 0;
	bool is_read = true;

	// Errors are not reported here: profile_load() reads the logs again and reports them.
	message_is_quiet = true;
	for (; *paths && is_read; paths++) {
		logs = memory_grow(logs, count, &room, sizeof(*logs));
		is_read = strcmp(*paths, "-") != 0 && summary_read(*paths, &logs[count++]);
	}
	message_is_quiet = false;
	is_read = is_read && summary_peak(logs, count, time_ms);
	while (count > 0)
		free(logs[--count].all);
	free(logs);
	return is_read;
}
