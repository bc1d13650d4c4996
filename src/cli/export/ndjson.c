// SPDX-License-Identifier: BSD-2-Clause
// Writes a log as JSON objects, one a line (ndjson.org), for data bases of logs. Each entry of a
// snapshot is an object of kind `source`, `other`, `inherited` or `rest`. After a snapshot's
// entries comes an object of kind `total`, which is their sum. Logs of pmem's first version have no
// totals. For these logs, `total` is the sum of the last known counts.
//
// Each object has: time pid exe host run snapshot (its number) reason, label if the snapshot has
// one, kind, then live blocks alloc allocs free frees. Then follow alloc_delta, allocs_delta,
// free_delta and frees_delta: the changes since the run's snapshot before.
//
// An entry also has id where stack (innermost first, as in the log). It has thread thread_id
// thread_percent if one thread has allocated more than half. It has unseen if its blocks may be
// freed without the library's knowledge. It has file line function language if `where` is a line of
// source code. Entries of mapped memory have kinds of their own: `mapped`, `mapped_other`,
// `mapped_inherited` and `mapped_rest`. Their numbers are mapped mappings map maps unmap unmaps, as
// in the log, and deltas of the last four.
//
// A total also has churn threshold sources sources_max shown hidden empty_shown empty; rss file outside
// shmem if known; losses if there are any; labels if some have changed. It has the numbers of mapped memory
// if the program has mapped any. In a sampled log all numbers are estimates, and live_error is the standard
// error of live. A total then has sampled exact_alloc exact_allocs exact_frees.
//
// Lines are held back until they have HELD_BYTES bytes. So the functions of many snapshots are
// looked up together. For each source, only the end of the source's line is kept. So memory grows
// with the number of sources, not with the log.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/unit.h"
#include "rows/attribution.h"
#include "symbols/symbols.h"
#include "export/export.h"

enum { HELD_BYTES = 32 << 20 };

// The end of a source's line, which is the same in each snapshot: id, where, stack and so on.
struct tail {
	char *text;     // NULL until needed
	bool is_wanted; // selected by --match and --not
};

// A line that is held back.
struct held_line {
	size_t end;                  // the offset in `held` where the line ends, without its tail
	bool is_wanted;              // selected by --thread
	const struct source *source; // NULL for a total, which has no tail
};

// The member `kind` for each kind of source: first for malloc's blocks, then for mapped memory.
static const char *const kinds[][2] = {
	[SOURCE_STACK] = {"source", "mapped"},
	[SOURCE_OTHER] = {"other", "mapped_other"},
	[SOURCE_INHERITED] = {"inherited", "mapped_inherited"},
	[SOURCE_REST] = {"rest", "mapped_rest"},
};

struct stream {
	FILE *to;
	const struct stack_match *match;
	struct compose held;
	bool holds; // true while `held` has lines that are held back
	struct held_line *lines;
	size_t line_count, line_room;
	struct intern sources; // numbers the sources, by address
	struct tail *tails;    // tails[n] is the tail of source number n
	size_t tails_room;
	struct symbols_wanted wanted; // frames of new sources, whose names were not looked up yet
};

// Returns the members that all objects of a snapshot have first. The caller frees the text.
static char *
make_head(const struct snapshot *snapshot)
{
	const struct summary *summary = &snapshot->summary;
	const struct run *run = snapshot->run;
	struct compose head;

	compose_begin(&head);
	FILE *to = head.to;
	if (summary->time_ms == 0)
		fputs("{\"time\":null", to);
	else
		fprintf(to, "{\"time\":\"%s\"", unit_iso_time(UNIT_ROOM, summary->time_ms));
	fprintf(to, ",\"pid\":%ld,\"exe\":", run->pid);
	json_text(to, run->exe);
	fputs(",\"host\":", to);
	json_text(to, run->host);
	fprintf(to, ",\"run\":\"%016" PRIx64 "\",\"snapshot\":%" PRIu64 ",\"reason\":", run->id,
		summary->number);
	json_text(to, summary->reason);
	if (summary->label[0]) {
		fputs(",\"label\":", to);
		json_text(to, summary->label);
	}
	fputs(",\"kind\":", to);
	return compose_end(&head);
}

static void
print_named(FILE *to, const struct counts *now, const struct counts *before,
	const char *const names[6])
{
	uint64_t values[] = {now->live, now->blocks, now->alloc, now->allocs, now->free, now->frees};
	uint64_t then[] = {0, 0, before->alloc, before->allocs, before->free, before->frees};

	for (int i = 0; i < 6; i++)
		fprintf(to, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", names[i], values[i]);
	for (int i = 2; i < 6; i++)
		fprintf(to, ",\"%s_delta\":%" PRIu64, names[i], values[i] - then[i]);
}

static void
print_counts(FILE *to, const struct counts *now, const struct counts *before)
{
	static const char *const names[] = {"live", "blocks", "alloc", "allocs", "free", "frees"};
	print_named(to, now, before, names);
}

static void
print_mapped(FILE *to, const struct counts *now, const struct counts *before)
{
	static const char *const names[] = {"mapped", "mappings", "map", "maps", "unmap", "unmaps"};
	print_named(to, now, before, names);
}

// For a sampled log, prints the standard error of live.
static void
print_error(FILE *to, const struct run *run, const struct counts *counts)
{
	if (run->sampled > 0)
		fprintf(to, ",\"live_error\":%.0f", sqrt(certainty_variance(run, counts)));
}

// Prints the thread that has allocated most of a source, if its share is more than half.
static void
print_share(FILE *to, const struct share *by)
{
	if (!by->name)
		return;
	fputs(",\"thread\":", to);
	json_text(to, by->name);
	fprintf(to, ",\"thread_id\":%" PRIu64 ",\"thread_percent\":%u", by->id, by->percent);
}

static void
print_line(FILE *to, const struct resolved_frame *resolved)
{
	if (!resolved_is_line(resolved))
		return;
	fputs(",\"file\":", to);
	json_text(to, resolved->frame->file);
	fprintf(to, ",\"line\":%u,\"function\":", resolved->frame->line);
	json_text(to, resolved->frame->function);
	fprintf(to, ",\"language\":\"%s\"", resolved->frame->language);
}

static void
make_tail(struct tail *tail, const struct source *source, const struct stack_match *match)
{
	struct row row = row_of_source(source);
	size_t count;
	const struct resolved_frame *frames = export_frames(&row, &count);
	struct compose text;

	compose_begin(&text);
	FILE *to = text.to;
	tail->is_wanted = match_frames(match, frames, count);
	if (source->kind == SOURCE_STACK)
		fprintf(to, ",\"id\":\"%016" PRIx64 "\",\"where\":", source->id);
	else
		fprintf(to, ",\"id\":\"%s\",\"where\":", kinds[source->kind][source->is_mapped]);
	json_text(to, export_where(frames, count));
	fputs(",\"stack\":", to);
	for (size_t i = count; i-- > 0;) {
		fputc(i == count - 1 ? '[' : ',', to);
		json_text(to, export_name(&frames[i]));
	}
	fputc(']', to);
	print_line(to, attribution_own(frames, count));
	fputs("}\n", to);
	tail->text = compose_end(&text);
}

static const struct tail *
source_tail(struct stream *stream, const struct source *source)
{
	size_t number = intern_number(&stream->sources, &source, sizeof(source), NULL);

	stream->tails = memory_grow(stream->tails, number, &stream->tails_room,
		sizeof(*stream->tails));
	struct tail *tail = &stream->tails[number];
	if (!tail->text)
		make_tail(tail, source, stream->match);
	return tail;
}

// Prints the labels that have changed since the snapshot before.
static void
print_labels(FILE *to, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->label_count; i++) {
		fputs(i == 0 ? ",\"labels\":[{\"name\":" : ",{\"name\":", to);
		json_text(to, snapshot->labels[i].name);
		fputc(',', to);
		print_counts(to, &snapshot->labels[i].now, &snapshot->labels[i].before);
		fputs(i + 1 == snapshot->label_count ? "}]" : "}", to);
	}
}

static void
print_total(FILE *to, const struct snapshot *snapshot)
{
	const struct summary *summary = &snapshot->summary;
	const struct run *run = snapshot->run;

	fputs("\"total\",", to);
	print_counts(to, &summary->total, &summary->before);
	print_error(to, run, &summary->total);
	if (summary->has_exact)
		fprintf(to, ",\"sampled\":%" PRIu64 ",\"exact_alloc\":%" PRIu64 ",\"exact_allocs\":%" PRIu64
			",\"exact_frees\":%" PRIu64, run->sampled, summary->exact.alloc,
			summary->exact.allocs, summary->exact.frees);
	fprintf(to, ",\"churn\":%" PRIu64 ",\"threshold\":%" PRIu64 ",\"sources\":%" PRIu64
		",\"sources_max\":%" PRIu64 ",\"shown\":%" PRIu64 ",\"hidden\":%" PRIu64
		",\"empty_shown\":%" PRIu64 ",\"empty\":%" PRIu64,
		summary->churn, summary->threshold, summary->sources, summary->sources_max,
		summary->shown, summary->hidden, summary->empty_shown, summary->empty);
	if (summary->has_memory)
		fprintf(to, ",\"rss\":%" PRIu64 ",\"file\":%" PRIu64 ",\"outside\":%" PRIu64,
			summary->rss, summary->file, summary->outside);
	if (summary->has_shared)
		fprintf(to, ",\"shmem\":%" PRIu64, summary->shared);
	if (summary->mapped.allocs > 0) {
		fputc(',', to);
		print_mapped(to, &summary->mapped, &snapshot->mapped->summary.before);
	}
	for (size_t i = 0; i < run->loss_count; i++) {
		fputs(i == 0 ? ",\"losses\":{" : ",", to);
		json_text(to, run->losses[i].name);
		fprintf(to, ":%" PRIu64 "%s", run->losses[i].count, i + 1 == run->loss_count ? "}" : "");
	}
	print_labels(to, snapshot);
	fputs("}\n", to);
}

static void
end_line(struct stream *stream, const struct source *source, bool is_wanted)
{
	stream->lines = memory_grow(stream->lines, stream->line_count, &stream->line_room,
		sizeof(*stream->lines));
	stream->lines[stream->line_count++] = (struct held_line){(size_t)ftello(stream->held.to),
		is_wanted, source};
}

static void
hold_entries(struct stream *stream, const struct snapshot *snapshot, const char *head)
{
	FILE *to = stream->held.to;

	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		bool is_mapped = entry->source->is_mapped, is_new;
		intern_number(&stream->sources, &entry->source, sizeof(entry->source), &is_new);
		if (is_new)
			symbols_want(&stream->wanted, entry->source->frames, entry->source->depth);
		fprintf(to, "%s\"%s\",", head, kinds[entry->source->kind][is_mapped]);
		(is_mapped ? print_mapped : print_counts)(to, &entry->now, &entry->before);
		print_error(to, snapshot->run, &entry->now);
		print_share(to, &entry->by);
		fputs(entry->is_unseen ? ",\"unseen\":true" : "", to);
		end_line(stream, entry->source, match_thread(stream->match, &entry->by));
	}
}

static void
hold_snapshot(struct stream *stream, const struct snapshot *snapshot)
{
	char *head = make_head(snapshot);

	if (!stream->holds)
		compose_begin(&stream->held);
	stream->holds = true;
	hold_entries(stream, snapshot, head);
	hold_entries(stream, snapshot->mapped, head);
	fputs(head, stream->held.to);
	print_total(stream->held.to, snapshot);
	end_line(stream, NULL, true);
	free(head);
}

static void
release(struct stream *stream)
{
	size_t begin = 0;

	if (!stream->holds)
		return;
	char *held = compose_end(&stream->held);
	stream->holds = false;
	symbols_resolve_wanted(&stream->wanted);
	for (size_t i = 0; i < stream->line_count; i++) {
		const struct held_line *line = &stream->lines[i];
		const struct tail *tail = line->source ? source_tail(stream, line->source) : NULL;
		bool is_wanted = line->is_wanted && (!tail || tail->is_wanted);
		ASSERT(line->end >= begin);
		if (is_wanted)
			fwrite(held + begin, 1, line->end - begin, stream->to);
		if (is_wanted && tail)
			fputs(tail->text, stream->to);
		begin = line->end;
	}
	free(held);
	stream->line_count = 0;
}

static bool
export_log(FILE *to, const char *path, const struct stack_match *match)
{
	struct stream stream = {.to = to, .match = match};
	struct log *log = log_open(path);
	const struct snapshot *snapshot;

	if (!log)
		return false;
	while ((snapshot = log_next_told(log))) {
		hold_snapshot(&stream, snapshot);
		if (ftello(stream.held.to) > HELD_BYTES)
			release(&stream);
	}
	release(&stream);
	bool good = log_finish(log);
	for (size_t i = 0; i < stream.tails_room; i++)
		free(stream.tails[i].text);
	free(stream.tails);
	free(stream.lines);
	intern_free(&stream.sources);
	log_close(log);
	return good;
}

bool
export_ndjson(FILE *to, char **paths, const struct stack_match *match)
{
	bool good = true;
	for (; *paths; paths++)
		good &= export_log(to, *paths, match);
	return good;
}
