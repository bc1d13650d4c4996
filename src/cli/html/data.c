// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/moments.h"
#include "html/answer.h"
#include "html/collect.h"
#include "html/data.h"
#include "html/data_text.h"
#include "html/findings.h"
#include "html/groups.h"
#include "html/head.h"
#include "html/kept.h"
#include "html/schedule.h"
#include "html/stacks.h"

enum { SCHEMA = 4 };

// The data that is being written: a row for each source, and the kept moments.
struct writing {
	FILE *to;
	const struct collection *collection;
	struct intern keys; // numbers the rows, by id and kind
	struct grouping places; // numbers the lines of source code that rows are attributed to
	struct intern modules; // numbers modules by name
	struct row *rows;   // rows[n] is row number n
	uint64_t *most;     // most[n] is the most live bytes that row number n ever had
	struct joined *joined;
	size_t row_room, most_room, joined_room;
	struct stacks *stacks;
	struct kept kept;
};

static size_t
source_number(struct writing *writing, const struct source *source)
{
	uint64_t key[] = {source->id, source->kind};
	bool is_new;
	size_t number = intern_number(&writing->keys, key, sizeof(key), &is_new);

	if (is_new) {
		writing->rows = memory_grow(writing->rows, number, &writing->row_room,
			sizeof(*writing->rows));
		writing->most = memory_grow(writing->most, number, &writing->most_room,
			sizeof(*writing->most));
		writing->joined = memory_grow(writing->joined, number, &writing->joined_room,
			sizeof(*writing->joined));
		writing->rows[number] = row_of_source(source);
	} else if (writing->rows[number].depth == 0) {
		writing->rows[number].frames = source->frames;
		writing->rows[number].depth = source->depth;
	}
	return number;
}

// The last change written so far, of the series that is being written.
static struct {
	size_t moment;
	struct counts counts;
	uint64_t most; // the most live bytes in the changes of this series so far
} last;

// Writes a change as differences to the change before. The first number is twice the number of
// moments since that change, plus 1 if the counts are not certain.
static void
write_change(FILE *to, size_t moment, const struct counts *counts, bool is_told)
{
	ASSERT(moment >= last.moment);
	data_numbers(to, 5, (int64_t[]){(int64_t)((moment - last.moment) * 2 + !is_told),
		(int64_t)(counts->live - last.counts.live),
		(int64_t)(counts->blocks - last.counts.blocks),
		(int64_t)(counts->alloc - last.counts.alloc),
		(int64_t)(counts->allocs - last.counts.allocs)});
	last.moment = moment;
	last.counts = *counts;
	last.most = is_told && counts->live > last.most ? counts->live : last.most;
}

static void
write_series(struct writing *writing, size_t run)
{
	const struct run *of = writing->collection->runs[run].run;
	const char *between = "\n";

	fputs(",\n\"series\":[", writing->to);
	for (size_t i = 0; i < run_sources(of); i++) {
		const struct source *source = run_source_at(of, i);
		if (source->now.shown_in == NEVER_SHOWN)
			continue;
		size_t number = source_number(writing, source);
		memset(&last, 0, sizeof(last));
		fprintf(writing->to, "%s[%zu", between, number);
		between = ",\n";
		kept_changes(&writing->kept, run, source, write_change, writing->to);
		fputc(']', writing->to);
		if (last.most > writing->most[number])
			writing->most[number] = last.most;
	}
	fputc(']', writing->to);
}

// The numbers of a moment: where each lies in struct moment_known, or in struct page_moment.
enum when { ALWAYS, WITH_MEMORY, WITH_MAPPED, AFTER_FORK, WHENS };
static const struct moment_column {
	const char *name;
	enum when when;
	bool is_of_page;
	size_t offset;
} columns[] = {
	{"number", ALWAYS, false, offsetof(struct moment_known, summary.number)},
	{"time", ALWAYS, false, offsetof(struct moment_known, summary.time_ms)},
	{"order", ALWAYS, true, offsetof(struct page_moment, order)},
	{"live", ALWAYS, false, offsetof(struct moment_known, summary.total.live)},
	{"blocks", ALWAYS, false, offsetof(struct moment_known, summary.total.blocks)},
	{"alloc", ALWAYS, false, offsetof(struct moment_known, summary.total.alloc)},
	{"allocs", ALWAYS, false, offsetof(struct moment_known, summary.total.allocs)},
	{"least", ALWAYS, true, offsetof(struct page_moment, least)},
	{"most", ALWAYS, true, offsetof(struct page_moment, most)},
	{"rss", WITH_MEMORY, false, offsetof(struct moment_known, summary.rss)},
	{"mapped", WITH_MAPPED, false, offsetof(struct moment_known, summary.mapped.live)},
	{"inherited_live", AFTER_FORK, false, offsetof(struct moment_known, inherited.live)},
	{"inherited_blocks", AFTER_FORK, false, offsetof(struct moment_known, inherited.blocks)},
	{"inherited_alloc", AFTER_FORK, false, offsetof(struct moment_known, inherited.alloc)},
	{"inherited_allocs", AFTER_FORK, false, offsetof(struct moment_known, inherited.allocs)},
};

// Writes the column's number at each kept moment.
static void
write_column(const struct writing *writing, size_t run, const struct moment_column *column)
{
	const struct collected *of = &writing->collection->runs[run];
	const char *between = "";
	uint64_t number;

	fprintf(writing->to, "%s\"%s\":[", column > columns ? ",\n" : "", column->name);
	for (size_t i = 0; i < of->moment_count; i++) {
		const struct page_moment *moment = &of->moments[i];
		const char *in = column->is_of_page ? (const char *)moment : (const char *)moment->known;
		if (!writing->kept.is_kept[run][i])
			continue;
		memcpy(&number, in + column->offset, sizeof(number));
		fprintf(writing->to, "%s%" PRIu64, between, number);
		between = ",";
	}
	fputc(']', writing->to);
}

static void
write_moments(const struct writing *writing, size_t run)
{
	const struct collected *of = &writing->collection->runs[run];
	size_t count = of->moment_count;
	const struct summary *latest = count > 0 ? &of->moments[count - 1].known->summary : NULL;
	bool has[WHENS] = {[ALWAYS] = true, [WITH_MEMORY] = latest && latest->has_memory,
		[WITH_MAPPED] = latest && latest->mapped.allocs > 0, [AFTER_FORK] = of->run->forked_from};

	fputs(",\n\"moments\":{", writing->to);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (has[columns[i].when])
			write_column(writing, run, &columns[i]);
	fputs("}", writing->to);
}

static void
write_findings(struct writing *writing, const struct collected *of)
{
	const char *between = "\n";

	fputs(",\n\"findings\":[", writing->to);
	for (size_t i = 0; i < of->report.count; i++) {
		const struct report_finding *finding = &of->report.findings[i];
		// The page has no sources of mapped memory, and no verdict on {rest}. Their leaks are in the
		// process's sentences (collect.c).
		if (finding->row.is_mapped || finding->row.kind == SOURCE_REST)
			continue;
		// If a source got the line's finding in an earlier process, it gets the line's finding here, too.
		size_t number = source_number(writing, finding->sources[0]);
		for (size_t k = 0; k < finding->stacks; k++) {
			size_t part = source_number(writing, finding->sources[k]);
			const struct joined *joined = &writing->joined[part];
			number = joined->finding && joined->is_leak ? part : number;
			if (!joined->finding)
				writing->joined[part] = (struct joined){.of = &of->report, .finding = finding,
					.is_part = true};
		}
		joined_add(&writing->joined[number], &of->report, finding);
		if (writing->collection->count == 1 || !finding->grows)
			continue;
		fputs(between, writing->to);
		between = ",\n";
		findings_write(writing->to, &of->report, finding, number);
	}
	fputc(']', writing->to);
}

// For each of the page's times, writes the number of the run's last kept moment up to that time.
// Moments are numbered from 0. -1 means that the run has no kept moment by then.
static void
write_places(const struct writing *writing, size_t run)
{
	const struct schedule *schedule = writing->collection->schedule;
	const struct collected *of = &writing->collection->runs[run];
	const char *between = "";
	size_t next = 0;
	int place = -1;

	fputs(",\n\"places\":[", writing->to);
	for (size_t i = 0; i < schedule->time_count; i++) {
		if (!kept_has_time(&writing->kept, i))
			continue;
		for (; next < of->moment_count; next++) {
			if (of->moments[next].known->summary.time_ms > schedule->times[i].time)
				break;
			place += writing->kept.is_kept[run][next];
		}
		fprintf(writing->to, "%s%d", between, place);
		between = ",";
	}
	fputc(']', writing->to);
}

static bool
has_axis(const struct writing *writing)
{
	return writing->collection->count > 1 && writing->collection->schedule->has_times;
}

static void
write_run(struct writing *writing, size_t number)
{
	const struct collected *of = &writing->collection->runs[number];
	const struct run *run = of->run;
	FILE *to = writing->to;

	fprintf(to, "%s{\"log\":%zu,\"pid\":%ld,\"parent\":%ld,\"pidns\":%ld,\"start\":%" PRId64
		",\"ended\":%d,\"snapshots\":%" PRIu64 ",\"first\":%" PRIu64 ",\"last\":%" PRIu64
		",\"peak\":%" PRIu64 ",\"peak_at\":%" PRId64 ",\"sampled\":%" PRIu64 ",\"seeds\":%d",
		number ? ",\n" : "\n", of->log_number, run->pid, run->forked_from, run->pidns,
		run->start_ms, run->ended, run->snapshots, run->first_number, run->last_number, run->peak,
		run->peak_ms, run->sampled, run->is_seeds);
	head_write_run(to, writing->collection, number);
	answer_write_run(to, &of->report, &writing->places);
	data_member(to, "file", path_last(log_path(of->log)));
	data_member(to, "name", run->name[0] ? run->name : path_last(log_path(of->log)));
	data_member(to, "exe", run->exe);
	data_member(to, "command", run->command);
	data_member(to, "host", run->host);
	data_member(to, "unit", run->unit);
	data_lines(to, "words", of->words);
	write_moments(writing, number);
	if (has_axis(writing))
		write_places(writing, number);
	write_findings(writing, of);
	write_series(writing, number);
	fputc('}', to);
}

static void
write_times(const struct writing *writing)
{
	const struct schedule *schedule = writing->collection->schedule;
	const char *between = "";

	fputs(",\n\"times\":[", writing->to);
	for (size_t i = 0; has_axis(writing) && i < schedule->time_count; i++) {
		if (!kept_has_time(&writing->kept, i))
			continue;
		fprintf(writing->to, "%s%" PRId64, between, schedule->times[i].time);
		between = ",";
	}
	fputc(']', writing->to);
}

// Writes a source, and adds it to its line and its module.
static void
write_source(struct writing *writing, size_t number, const char *text, struct member *line,
	struct member *module)
{
	const struct row *row = &writing->rows[number];
	FILE *to = writing->to;
	size_t shown, branch = stacks_add(writing->stacks, row, &shown);
	size_t place = grouping_number(&writing->places, row, NULL);

	fprintf(to, "%s[\"%016" PRIx64 "\",%d,%zu,%zu,%zu,", number ? ",\n" : "\n", row->id, row->kind,
		branch, shown, place);
	data_text(to, text ? text : "");
	fputc(',', to);
	data_text(to, row->by.name ? row->by.name : "");
	fprintf(to, ",%u,", row->by.name ? row->by.percent : 0);
	joined_write(to, &writing->joined[number], writing->collection->count);
	fputc(']', to);
	*line = *module = (struct member){.group = GROUPS_NONE};
	if (row->kind != SOURCE_STACK)
		return;
	line->group = place;
	module->name = stacks_module(writing->stacks, branch);
	if (module->name[0])
		module->group = intern_text(&writing->modules, module->name);
}

static void
write_sources(struct writing *writing)
{
	FILE *to = writing->to;
	size_t count = writing->keys.count;
	struct grouped sources = {writing->rows, writing->joined, writing->most};
	char **texts = groups_texts(&sources, count);
	struct member *lines = memory_get(count, sizeof(*lines));
	struct member *modules = memory_get(count, sizeof(*modules));

	fputs(",\n\"sources\":[", to);
	for (size_t i = 0; i < count; i++) {
		write_source(writing, i, texts[i], &lines[i], &modules[i]);
		free(texts[i]);
	}
	fputc(']', to);
	groups_write(to, "line_groups", &sources, lines, count, 2);
	groups_write(to, "module_groups", &sources, modules, count, 1);
	for (size_t i = 0; i < count; i++)
		joined_free(&writing->joined[i]);
	free(texts);
	free(lines);
	free(modules);
	fputs(",\n", to);
	stacks_write(to, writing->stacks);
}

void
data_write(FILE *to, const struct collection *collection)
{
	struct writing writing = {.to = to, .collection = collection, .stacks = stacks_open(),
		.places = {.by = GROUPING_BY_PLACE}};

	kept_choose(&writing.kept, collection);
	fprintf(to, "{\"schema\":%d,\"has_times\":%d,\"snapshots\":%" PRIu64, SCHEMA,
		collection->schedule->has_times, collection->schedule->snapshots);
	head_write(to, collection);
	answer_write(to, collection, &writing.places);
	data_lines(to, "words", collection->words ? collection->words : "");
	data_lines(to, "notes", collection->notes);
	write_times(&writing);
	fputs(",\n\"runs\":[", to);
	for (size_t i = 0; i < collection->count; i++)
		write_run(&writing, i);
	fputc(']', to);
	write_sources(&writing);
	fputs("}\n", to);
	grouping_free(&writing.places);
	intern_free(&writing.modules);
	kept_free(&writing.kept);
}
