// SPDX-License-Identifier: BSD-2-Clause
// Writes in words which processes the page shows.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "base/unit.h"
#include "print/leaks_words.h"
#include "html/collect.h"
#include "html/data_text.h"
#include "html/head.h"
#include "html/schedule.h"
#include "log/log.h"
#include "log/moments.h"

enum { NAMES_MOST = 6 }; // the most names of programs that are listed

char *
head_title(const struct collection *collection)
{
	const struct run *run = collection->runs[0].run;
	bool is_one_program = true;

	for (size_t i = 1; i < collection->count; i++)
		is_one_program = is_one_program && strcmp(collection->runs[i].run->name, run->name) == 0;
	// Logs of pmem's first version do not name the program. For these, the log's name is shown.
	const char *name = run->name[0] ? run->name : path_last(log_path(collection->runs[0].log));
	if (collection->count == 1 && run->pid == 0)
		return memory_text(name, strlen(name));
	if (collection->count == 1)
		return memory_format("%s %ld", name, run->pid);
	if (is_one_program)
		return memory_format("%s, %zu processes", name, collection->count);
	return memory_format("%zu processes", collection->count);
}

static void
add_names(FILE *to, const struct collection *collection)
{
	size_t programs = 0;

	for (size_t i = 0; i < collection->count && programs < NAMES_MOST; i++) {
		const char *name = collection->runs[i].run->name;
		size_t k = 0;
		while (k < i && strcmp(collection->runs[k].run->name, name) != 0)
			k++;
		if (k == i)
			fprintf(to, "%s%s", programs++ ? ", " : "", name);
	}
}

// Writes a text like "122 snapshots in 10m 49s, from 2026-11-23 03:33:30Z on".
static void
add_span(FILE *to, const struct collection *collection)
{
	uint64_t snapshots = 0;
	int64_t first = INT64_MAX, last = 0;

	for (size_t i = 0; i < collection->count; i++) {
		const struct page_moment *moments = collection->runs[i].moments;
		size_t count = collection->runs[i].moment_count;
		int64_t begin = count ? moments[0].known->summary.time_ms : INT64_MAX;
		int64_t end = count ? moments[count - 1].known->summary.time_ms : 0;
		snapshots += collection->runs[i].run->snapshots;
		first = begin < first ? begin : first;
		last = end > last ? end : last;
	}
	fprintf(to, "%s snapshot%s", unit_count(UNIT_ROOM, snapshots), snapshots == 1 ? "" : "s");
	if (!collection->schedule->has_times || last <= first)
		return;
	fprintf(to, " in %s", unit_duration(UNIT_ROOM, last - first));
	fprintf(to, ", from %s on", unit_time(UNIT_ROOM, first));
}

// Returns the text of the member at this offset in struct run, if all runs have the same text
// there. Otherwise returns "".
static const char *
common(const struct collection *collection, size_t offset)
{
	const char *first = NULL;

	for (size_t i = 0; i < collection->count; i++) {
		const char *text = *(char *const *)((const char *)collection->runs[i].run + offset);
		if (!text || (first && strcmp(text, first) != 0))
			return "";
		first = text;
	}
	return first ? first : "";
}

static char *
about(const struct collection *collection)
{
	const struct run *run = collection->runs[0].run;
	const char *unit = common(collection, offsetof(struct run, unit));
	const char *host = common(collection, offsetof(struct run, host));
	bool is_one = collection->count == 1, ended = true;
	struct compose text;

	compose_begin(&text);
	if (unit[0])
		fprintf(text.to, "of %s · ", unit);
	if (host[0])
		fprintf(text.to, "on %s · ", host);
	if (is_one && run->start_ms)
		fprintf(text.to, "started %s · ", unit_time(UNIT_ROOM, run->start_ms));
	if (!is_one) {
		add_names(text.to, collection);
		fputs(" · ", text.to);
	}
	add_span(text.to, collection);
	for (size_t i = 0; i < collection->count; i++)
		ended = ended && collection->runs[i].run->ended;
	fputs(ended ? " · ended" : "", text.to);
	return compose_end(&text);
}

void
head_write(FILE *to, const struct collection *collection)
{
	char *title = head_title(collection), *lines = about(collection);

	data_member(to, "title", title);
	data_member(to, "about", lines);
	free(title);
	free(lines);
}

void
head_write_run(FILE *to, const struct collection *collection, size_t run)
{
	head_write(to, &(struct collection){.runs = &collection->runs[run], .count = 1,
		.schedule = collection->schedule});
}
