// lognumbers: what the head of a log's block says, and whether the block's numbers agree with
// each other, with those of the block before it, and with what a block has to show. For
// logfile.c alone.

#ifndef TESTS_LOGNUMBERS_H
#define TESTS_LOGNUMBERS_H

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "logfile.h"

struct parse {
	struct logfile *log;
	const char *path;
	FILE *errors;
	int line;
	int complaints;
	int run;    // that blocks belong to now; -1: none
	int version; // of the format, as the last header has it
	bool open;  // the last of blocks[] is being read
	int blanks; // empty lines just before this one
	void *told; // sources whose stacks stand behind the last header, by id
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

static void *
grown(void *items, int count, size_t size)
{
	items = realloc(items, (size_t)(count + 1) * size);
	if (!items)
		abort();
	memset((char *)items + (size_t)count * size, 0, size);
	return items;
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

// "live:N, alloc:DELTA/TOTAL, ..." of a source or a label. How long that is; 0: it is none.
static int
read_counts(const char *text, struct log_counts *counts)
{
	int used = 0;

	return sscanf(text, "live:%" SCNu64 ", alloc:%" SCNu64 "/%" SCNu64 ", free:%" SCNu64 "/%" SCNu64
		", blocks:%" SCNu64 ", allocs:%" SCNu64 "/%" SCNu64 ", frees:%" SCNu64 "/%" SCNu64 "%n",
		&counts->live, &counts->alloc_more, &counts->alloc, &counts->free_more, &counts->free,
		&counts->blocks, &counts->allocs_more, &counts->allocs, &counts->frees_more,
		&counts->frees, &used) == 10 ? used : 0;
}

static bool
is_delta_above(const struct log_counts *counts)
{
	return counts->alloc_more > counts->alloc || counts->free_more > counts->free
		|| counts->allocs_more > counts->allocs || counts->frees_more > counts->frees;
}

// Whether the deltas are what came since then.
static bool
goes_on(const struct log_counts *now, const struct log_counts *before)
{
	return now->alloc - now->alloc_more == before->alloc
		&& now->free - now->free_more == before->free
		&& now->allocs - now->allocs_more == before->allocs
		&& now->frees - now->frees_more == before->frees;
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
	if (is_delta_above(counts))
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
	if (now->exact.alloc < last->exact.alloc || now->exact.allocs < last->exact.allocs
		|| now->exact.frees < last->exact.frees || now->sampled != last->sampled)
		complain(parse, "exact= decreased, or sampled= is another");
	if (now->has_peak && now->peak < last->peak)
		complain(parse, "the peak decreased");
	if (now->total.alloc - last->total.alloc + now->total.free - last->total.free
		!= now->churn)
		complain(parse, "churn is not what the totals grew by");
	for (int i = 0; i < now->entry_count; i++) {
		const struct log_source *entry = &now->entries[i];
		const struct log_source *before = find_source(last, entry);
		if (!before || strcmp(entry->id, "rest") == 0 || strcmp(entry->id, "inherited") == 0)
			continue;
		if (!goes_on(&entry->counts, &before->counts))
			complain(parse, "{%s}: delta and last total do not make this total", entry->id);
	}
}

static bool
is_source(const struct log_source *entry)
{
	return isxdigit((unsigned char)entry->id[0]) && strlen(entry->id) == 16;
}

// Behind all else, where the program asked for the block.
static bool
read_label(struct log_block *block, const char *line)
{
	int used = 0;
	bool is_asked = strcmp(block->reason, "asked") == 0;
	if (!is_asked)
		return strcmp(line, "\n") == 0;
	return sscanf(line, " label=%403s%n", block->label, &used) == 1
		&& strcmp(line + used, "\n") == 0;
}

// What ends the line where blocks are sampled.
static bool
read_sample(struct log_block *block, const char *line)
{
	struct log_counts *exact = &block->exact;
	int used = 0;
	return sscanf(line, " sampled=%" SCNu64 " exact=%" SCNu64 "/%" SCNu64 "/%" SCNu64 "%n",
		&block->sampled, &exact->alloc, &exact->allocs, &exact->frees, &used) == 4
		&& block->sampled > 0 && read_label(block, line + used);
}

// What follows emptied=, if anything does.
static void
read_memory(struct parse *parse, struct log_block *block, const char *line)
{
	int used = 0;
	bool is_child = parse->version > 1 && parse->log->runs[block->run].forked_from > 0;
	block->has_inherited = sscanf(line, " inherited=%" SCNu64 "/%" SCNu64 "%n",
		&block->inherited, &block->inherited_blocks, &used) == 2;
	if (block->has_inherited != is_child)
		complain(parse, "inherited= in a child, and nowhere else: %s", line);
	line += used;
	used = 0;
	if (read_label(block, line) || read_sample(block, line))
		return;
	block->has_memory = sscanf(line, " rss=%" SCNu64 " file=%" SCNu64 " outside=%" SCNu64
		" malloc=%" SCNu64 "%%%n", &block->rss, &block->file, &block->outside, &block->malloc,
		&used) == 4 && used > 0;
	line += used;
	used = 0;
	if (sscanf(line, " hwm=%" SCNu64 "%n", &block->hwm, &used) == 1)
		line += used;
	block->has_memory = block->has_memory
		&& (read_label(block, line) || read_sample(block, line));
	if (!block->has_memory)
		complain(parse, "not the process's memory: %s", line);
}

// peak=BYTES@TIME, which format 1 has not; what follows it.
static const char *
read_peak(struct log_block *block, const char *line)
{
	int used = 0;
	block->has_peak = sscanf(line, " peak=%" SCNu64 "@%*d-%*d-%*dT%*d:%*d:%*fZ%n", &block->peak,
		&used) == 1 && used > 0;
	return line + used;
}

// The time= line. False: it is none.
static bool
read_totals(struct parse *parse, struct log_block *block, const char *line)
{
	struct log_counts *total = &block->total;
	int used = 0;

	if (sscanf(line,
		    "time=%*d-%*d-%*dT%*d:%*d:%*fZ reason=%15s live=%" SCNu64 "/%" SCNu64
		    " alloc=%" SCNu64 "/%" SCNu64 " free=%" SCNu64 "/%" SCNu64 "%n",
		    block->reason, &total->live, &total->blocks, &total->alloc, &total->allocs,
		    &total->free, &total->frees, &used) != 7)
		return false;
	line = read_peak(block, line + used);
	if (block->has_peak != (parse->version > 1))
		return false;
	if (sscanf(line,
		    " sources=%" SCNu64 "/%" SCNu64 " shown=%" SCNu64 " hidden=%" SCNu64
		    " emptied=%" SCNu64 "/%" SCNu64 "%n",
		    &block->sources, &block->sources_max, &block->shown, &block->hidden,
		    &block->empty_shown, &block->empty, &used) != 6)
		return false;
	read_memory(parse, block, line + used);
	return true;
}

static void
read_summary(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_block *block = &log->blocks[log->block_count - 1];
	int used = 0;

	if (line[0] != 'c') {
		if (!read_totals(parse, block, line))
			complain(parse, "not a summary: %s", line);
	} else if (sscanf(line, "churn=%" SCNu64 "/%" SCNu64 "%n", &block->churn, &block->threshold,
			   &used) != 2 || line[used] != '\n') {
		complain(parse, "not a churn line: %s", line);
	}
}

static void
check_memory(struct parse *parse, const struct log_block *block)
{
	uint64_t live = block->total.live;
	uint64_t inside = live < block->rss ? live : block->rss;
	if (block->has_peak && block->peak < live)
		complain(parse, "peak=%" PRIu64 " is below live", block->peak);
	if (!block->has_memory)
		return;
	if (block->rss == 0 || block->rss % 4096 != 0 || block->file > block->rss)
		complain(parse, "rss=%" PRIu64 " file=%" PRIu64, block->rss, block->file);
	else if (block->outside != block->rss - inside || block->malloc != inside * 100 / block->rss)
		complain(parse, "outside= or malloc= does not follow from rss= and live=");
}

static bool
has_moved(const struct log_counts *counts)
{
	return counts->alloc_more || counts->free_more || counts->allocs_more
		|| counts->frees_more;
}

// First those that hold memory, largest live first; then those that do not, most churn first.
static void
check_order(struct parse *parse, const struct log_block *block, const struct log_source *entry,
	const struct log_source *last)
{
	const struct log_counts *counts = &entry->counts;
	bool all = strcmp(block->reason, "exit") == 0;

	if (entry->depth < 2)
		complain(parse, "{%s}: no stack", entry->id);
	if (!has_moved(counts) && (counts->blocks == 0 || !all))
		complain(parse, "{%s}: has not moved", entry->id);
	if (!last)
		return;
	const struct log_counts *before = &last->counts;
	if (before->blocks == 0 && counts->blocks > 0)
		complain(parse, "{%s}: behind one that holds nothing", entry->id);
	else if (counts->blocks > 0 && counts->live > before->live)
		complain(parse, "{%s}: not sorted by live", entry->id);
	else if (before->blocks == 0
		&& counts->alloc_more + counts->free_more > before->alloc_more + before->free_more)
		complain(parse, "{%s}: not sorted by churn", entry->id);
}

static uint64_t
knob(const struct log_run *run, const char *name)
{
	const char *at = strstr(run->header, name);
	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

// How many entries there are, and what is in {rest} then.
static void
check_shown(struct parse *parse, const struct log_block *block)
{
	const struct log_run *run = &parse->log->runs[block->run];
	const struct log_source *last = NULL;
	const struct log_source *rest = NULL;
	uint64_t holding = 0;
	uint64_t empty = 0;
	bool all = strcmp(block->reason, "exit") == 0;

	for (int i = 0; i < block->entry_count; i++) {
		const struct log_source *entry = &block->entries[i];
		if (strcmp(entry->id, "rest") == 0)
			rest = entry;
		if (!is_source(entry))
			continue;
		check_order(parse, block, entry, last);
		last = entry;
		holding += entry->counts.blocks > 0;
		empty += entry->counts.blocks == 0;
	}
	if (holding != block->shown || (!all && holding > knob(run, " show=")))
		complain(parse, "shown=%" PRIu64 ", but %" PRIu64 " entries", block->shown, holding);
	if (empty != block->empty_shown || empty > block->empty
		|| empty > knob(run, " show_empty="))
		complain(parse, "emptied=%" PRIu64 "/%" PRIu64 ", but %" PRIu64 " entries",
			block->empty_shown, block->empty, empty);
	if (!rest || block->hidden > 0)
		return;
	if (all && rest->counts.blocks > 0)
		complain(parse, "the last block has hidden=0, and {rest} holds memory");
	if (empty == block->empty && has_moved(&rest->counts))
		complain(parse, "all that moved is here, and {rest} moved");
}

static void
check_block(struct parse *parse, const struct log_block *block)
{
	struct log_counts sum = {0};

	for (int i = 0; i < block->entry_count; i++) {
		const struct log_source *entry = &block->entries[i];
		add_counts(&sum, &entry->counts);
		check_counts(parse, entry->id, &entry->counts);
		parse->log->accounted += entry->counts.blocks;
	}
	check_counts(parse, "total", &block->total);
	check_memory(parse, block);
	if (sum.live != block->total.live || sum.alloc != block->total.alloc
		|| sum.free != block->total.free || sum.blocks != block->total.blocks
		|| sum.allocs != block->total.allocs || sum.frees != block->total.frees)
		complain(parse, "block %" PRIu64 ": the totals are not the sum of the entries",
			block->number);
	const struct log_source *inherited = log_by_id(block, "inherited");
	if (block->inherited != (inherited ? inherited->counts.live : 0)
		|| block->inherited_blocks != (inherited ? inherited->counts.blocks : 0)
		|| (inherited && inherited->counts.allocs_more > 0))
		complain(parse, "inherited= is not what is in {inherited}, or that was allocated from");
	if (sum.alloc_more + sum.free_more != block->churn)
		complain(parse, "churn is not the sum of the deltas");
	check_shown(parse, block);
}

#endif
