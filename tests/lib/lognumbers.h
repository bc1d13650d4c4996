// lognumbers: whether the numbers of a log's block agree with each other, and with those of
// the block before it; and those of the process's memory. For logfile.c alone.

#ifndef TESTS_LOGNUMBERS_H
#define TESTS_LOGNUMBERS_H

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "logfile.h"

struct parse {
	struct logfile *log;
	const char *path;
	FILE *errors;
	int line;
	int complaints;
	int run;    // that blocks belong to now; -1: none
	bool open;  // the last of blocks[] is being read
	int blanks; // empty lines just before this one
};

static void
complain(struct parse *parse, const char *format, ...)
{
	va_list arguments;
	if (parse->complaints++ > 20)
		return;
	va_start(arguments, format);
	fprintf(parse->errors, "%s:%d: ", parse->path, parse->line);
	vfprintf(parse->errors, format, arguments);
	fprintf(parse->errors, "\n");
	va_end(arguments);
}

static void
add_counts(struct log_counts *sum, const struct log_counts *more)
{
	sum->live += more->live;
	sum->alloc += more->alloc;
	sum->free += more->free;
	sum->blocks += more->blocks;
	sum->allocs += more->allocs;
	sum->frees += more->frees;
	sum->alloc_more += more->alloc_more;
	sum->free_more += more->free_more;
	sum->allocs_more += more->allocs_more;
	sum->frees_more += more->frees_more;
}

static void
check_counts(struct parse *parse, const char *name, const struct log_counts *counts)
{
	// Modulo 2^64 a negative live would pass the first two.
	if (counts->alloc - counts->free != counts->live)
		complain(parse, "{%s}: alloc - free is not live", name);
	if (counts->allocs - counts->frees != counts->blocks)
		complain(parse, "{%s}: allocs - frees is not blocks", name);
	if (counts->free > counts->alloc || counts->frees > counts->allocs)
		complain(parse, "{%s}: more freed than allocated", name);
	if (counts->blocks == 0 && counts->live != 0)
		complain(parse, "{%s}: live bytes without a block", name);
	if (counts->alloc_more > counts->alloc || counts->free_more > counts->free
		|| counts->allocs_more > counts->allocs || counts->frees_more > counts->frees)
		complain(parse, "{%s}: a delta above its total", name);
}

// Whether the entries are of one source: one id may stand for several, where the same code
// was loaded at several addresses. Names may come later than addresses.
static bool
same_source(const struct log_source *a, const struct log_source *b)
{
	if (strcmp(a->id, b->id) != 0 || a->depth != b->depth)
		return false;
	for (int i = 0; i < a->depth; i++) {
		if (strcmp(strrchr(a->frames[i], '['), strrchr(b->frames[i], '[')) != 0)
			return false;
	}
	return true;
}

static const struct log_source *
find_source(const struct log_block *block, const struct log_source *like)
{
	for (int i = 0; i < block->entry_count; i++) {
		if (same_source(&block->entries[i], like))
			return &block->entries[i];
	}
	return NULL;
}

// Against the block before it of the same run. Behind a header that repeats an earlier one
// blocks between them may be in another file.
static void
check_progress(struct parse *parse, const struct log_block *last, const struct log_block *now,
	bool repeated)
{
	if (now->number != last->number + 1 && (!repeated || now->number <= last->number))
		complain(parse, "block %" PRIu64 " follows %" PRIu64, now->number, last->number);
	if (now->total.alloc < last->total.alloc || now->total.free < last->total.free
		|| now->total.allocs < last->total.allocs || now->total.frees < last->total.frees)
		complain(parse, "a total decreased");
	if (now->number != last->number + 1)
		return;
	if (now->total.alloc - last->total.alloc + now->total.free - last->total.free
		!= now->churn)
		complain(parse, "churn is not what the totals grew by");
	for (int i = 0; i < now->entry_count; i++) {
		const struct log_source *entry = &now->entries[i];
		const struct log_source *before = find_source(last, entry);
		if (!before || strcmp(entry->id, "rest") == 0)
			continue;
		if (entry->counts.alloc - entry->counts.alloc_more != before->counts.alloc
			|| entry->counts.free - entry->counts.free_more != before->counts.free
			|| entry->counts.allocs - entry->counts.allocs_more != before->counts.allocs
			|| entry->counts.frees - entry->counts.frees_more != before->counts.frees)
			complain(parse, "{%s}: delta and last total do not make this total", entry->id);
	}
}

static bool
is_source(const struct log_source *entry)
{
	return isxdigit((unsigned char)entry->id[0]) && strlen(entry->id) == 16;
}

// What follows hidden=, if anything does.
static void
read_memory(struct parse *parse, struct log_block *block, const char *line)
{
	int used = 0;
	if (strcmp(line, "\n") == 0)
		return;
	block->has_memory = sscanf(line, " rss=%" SCNu64 " file=%" SCNu64 " outside=%" SCNu64
		" malloc=%" SCNu64 "%%%n", &block->rss, &block->file, &block->outside, &block->malloc,
		&used) == 4 && used > 0 && strcmp(line + used, "\n") == 0;
	if (!block->has_memory)
		complain(parse, "not the process's memory: %s", line);
}

static void
check_memory(struct parse *parse, const struct log_block *block)
{
	uint64_t live = block->total.live;
	uint64_t inside = live < block->rss ? live : block->rss;
	if (!block->has_memory)
		return;
	if (block->rss == 0 || block->rss % 4096 != 0 || block->file > block->rss)
		complain(parse, "rss=%" PRIu64 " file=%" PRIu64, block->rss, block->file);
	else if (block->outside != block->rss - inside || block->malloc != inside * 100 / block->rss)
		complain(parse, "outside= or malloc= does not follow from rss= and live=");
}

static void
check_block(struct parse *parse, struct log_block *block)
{
	struct log_run *run = &parse->log->runs[block->run];
	struct log_counts sum = {0};
	uint64_t shown = 0;
	uint64_t last_live = UINT64_MAX;

	for (int i = 0; i < block->entry_count; i++) {
		const struct log_source *entry = &block->entries[i];
		add_counts(&sum, &entry->counts);
		check_counts(parse, entry->id, &entry->counts);
		parse->log->accounted += entry->counts.blocks;
		if (!is_source(entry))
			continue;
		shown++;
		if (entry->counts.live > last_live)
			complain(parse, "{%s}: not sorted by live", entry->id);
		last_live = entry->counts.live;
		if (entry->depth < 2)
			complain(parse, "{%s}: no stack", entry->id);
	}
	check_counts(parse, "total", &block->total);
	check_memory(parse, block);
	if (sum.live != block->total.live || sum.alloc != block->total.alloc
		|| sum.free != block->total.free || sum.blocks != block->total.blocks
		|| sum.allocs != block->total.allocs || sum.frees != block->total.frees)
		complain(parse, "block %" PRIu64 ": the totals are not the sum of the entries",
			block->number);
	if (sum.alloc_more + sum.free_more != block->churn)
		complain(parse, "churn is not the sum of the deltas");
	if (shown != block->shown)
		complain(parse, "shown=%" PRIu64 ", but %" PRIu64 " entries", block->shown, shown);
	if (run->last >= 0)
		check_progress(parse, &parse->log->blocks[run->last], block, run->repeated);
	run->repeated = false;
	run->last = (int)(block - parse->log->blocks);
}

#endif
