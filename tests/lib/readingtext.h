// readingtext: what log.h says of a log, as text: for tests that compare it with what they
// expect.

#ifndef TESTS_READINGTEXT_H
#define TESTS_READINGTEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "log/log.h"

// BYTES/CALLS of live, alloc, free.
static inline void
print_counts(FILE *to, const struct counts *counts)
{
	fprintf(to, " %" PRIu64 "/%" PRIu64 " %" PRIu64 "/%" PRIu64 " %" PRIu64 "/%" PRIu64,
		counts->live, counts->blocks, counts->alloc, counts->allocs, counts->free,
		counts->frees);
}

static inline void
print_name_of(FILE *to, const struct source *source)
{
	if (source->kind == SOURCE_STACK)
		fprintf(to, "{%016" PRIx64 "}", source->id);
	else
		fputs(source->kind == SOURCE_OTHER ? "{other}" : "{rest}", to);
}

static inline size_t
run_number(const struct log *log, const struct run *run)
{
	size_t count;
	struct run **runs = log_runs(log, &count);
	size_t i = 0;
	while (i < count && runs[i] != run)
		i++;
	return i;
}

static inline void
print_snapshot(FILE *to, const struct log *log, const struct snapshot *snapshot)
{
	const struct summary *summary = &snapshot->summary;

	fprintf(to, "run %zu snapshot %" PRIu64 " [%" PRIu64 "] time %" PRId64 " reason '%s' churn %"
		PRIu64 "/%" PRIu64 " total", run_number(log, snapshot->run), summary->place - 1,
		summary->number, summary->time_ms, summary->reason, summary->churn, summary->threshold);
	print_counts(to, &summary->total);
	fprintf(to, " sources %" PRIu64 "/%" PRIu64 " shown %" PRIu64 " hidden %" PRIu64
		" emptied %" PRIu64 "/%" PRIu64, summary->sources, summary->sources_max, summary->shown,
		summary->hidden, summary->empty_shown, summary->empty);
	if (summary->has_memory)
		fprintf(to, " rss %" PRIu64 " file %" PRIu64 " outside %" PRIu64, summary->rss,
			summary->file, summary->outside);
	fputc('\n', to);
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct counts *now = &snapshot->entries[i].now;
		const struct counts *before = &snapshot->entries[i].before;
		fputs("  ", to);
		print_name_of(to, snapshot->entries[i].source);
		print_counts(to, now);
		fprintf(to, " more %" PRIu64 "/%" PRIu64 " %" PRIu64 "/%" PRIu64 "\n",
			now->alloc - before->alloc, now->allocs - before->allocs, now->free - before->free,
			now->frees - before->frees);
	}
}

// Names in a log are any bytes.
static inline void
print_escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text >= 0x20 && *text <= 0x7e)
			fputc(*text, to);
		else
			fprintf(to, "<%02x>", (unsigned char)*text);
	}
}

static inline void
print_frame(FILE *to, const struct frame *frame)
{
	fprintf(to, "    %u%s ", frame->number, frame->is_hook ? " hook" : "");
	print_escaped(to, *frame->function ? frame->function : "?");
	if (frame->language) {
		fputs(" of '", to);
		print_escaped(to, frame->file);
		fprintf(to, "' line %u, %s\n", frame->line, frame->language);
		return;
	}
	fprintf(to, " + 0x%" PRIx64 " in ", frame->offset);
	print_escaped(to, frame->module ? frame->module->path : "?");
	fprintf(to, " at 0x%" PRIx64 "\n", frame->address);
}

static inline void
print_source(FILE *to, const struct run *run, const struct source *source)
{
	fputs("  ", to);
	print_name_of(to, source);
	fputs(" now", to);
	print_counts(to, &source->now.counts);
	fputs(source_is_exact(run, source) ? " exact" : " or not", to);
	fputc('\n', to);
	for (unsigned i = 0; i < source->depth; i++)
		print_frame(to, source->frames[i]);
}

static inline void
print_run(FILE *to, const struct log *log, const struct run *run)
{
	fprintf(to, "run %zu: id %016" PRIx64 " pid %ld ppid %ld forked from %ld pidns %ld exe '",
		run_number(log, run), run->id, run->pid, run->ppid, run->forked_from, run->pidns);
	print_escaped(to, run->exe);
	fputs("' host '", to);
	print_escaped(to, run->host);
	fprintf(to, "' start %s %" PRId64 " show %u empty %u%s\n", run->start, run->start_ms,
		run->show, run->show_empty, run->is_seeds ? " seeds" : "");
	fprintf(to, "  snapshots %" PRIu64 " torn %" PRIu64 " missing %" PRIu64 "%s total", run->snapshots,
		run->torn, run->missing, run->ended ? " ended" : "");
	print_counts(to, &run->total);
	fputs(" first", to);
	print_counts(to, &run->total_first);
	fputc('\n', to);
	for (size_t i = 0; i < run->module_count; i++) {
		const struct module *module = run->modules[i];
		fprintf(to, "  module 0x%" PRIx64 "-0x%" PRIx64 " '%s' ", module->start, module->end,
			module->build_id);
		print_escaped(to, module->path);
		fputc('\n', to);
	}
	if (run->command[0]) {
		fprintf(to, "  name ");
		print_escaped(to, run->name);
		fprintf(to, " unit '%s' command ", run->unit);
		print_escaped(to, run->command);
		fputc('\n', to);
	}
	for (size_t i = 0; i < run->note_count; i++)
		fprintf(to, "  note %s\n", run->notes[i]);
	for (size_t i = 0; i < run->loss_count; i++)
		fprintf(to, "  loss %s %" PRIu64 "\n", run->losses[i].name, run->losses[i].count);
	for (size_t i = 0; i < run->source_count; i++)
		print_source(to, run, run->sources[i]);
	if (run->other)
		print_source(to, run, run->other);
}

// All of it, to its end.
static inline void
print_log(FILE *to, struct log *log)
{
	const struct snapshot *snapshot;
	size_t count;
	while ((snapshot = log_next(log)))
		print_snapshot(to, log, snapshot);
	struct run **runs = log_runs(log, &count);
	for (size_t i = 0; i < count; i++)
		print_run(to, log, runs[i]);
	fprintf(to, "%s\n", log_finish(log) ? "good" : "bad");
}

#endif
