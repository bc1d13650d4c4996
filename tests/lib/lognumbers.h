// lognumbers: what the head of a log's snapshot says, and whether the snapshot's numbers agree with
// each other, with those of the snapshot before it, and with what a snapshot has to show. For
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
	int run;    // that snapshots belong to now; -1: none
	int version; // of the format, as the last header has it
	struct log_source *entry; // the last one, for its frames; NULL: there was none
	bool open;  // the last of snapshots[] is being read
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

// The numbers of an entry, of blocks or of mapped memory, by its words.
#define COUNTS(live, alloc, free, blocks, allocs, frees) \
	live ":%" SCNu64 ", " alloc ":%" SCNu64 "/%" SCNu64 ", " free ":%" SCNu64 "/%" SCNu64 \
	", " blocks ":%" SCNu64 ", " allocs ":%" SCNu64 "/%" SCNu64 ", " frees ":%" SCNu64 "/%" SCNu64 "%n"
#define OF_BLOCKS COUNTS("live", "alloc", "free", "blocks", "allocs", "frees")
#define OF_MAPS COUNTS("mapped", "map", "unmap", "mappings", "maps", "unmaps")

// How long the text of that format is; 0: it is none.
static int
read_counts(const char *text, const char *format, struct log_counts *counts)
{
	int used = 0;

	return sscanf(text, format,
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
find_source(const struct log_snapshot *snapshot, const struct log_source *like)
{
	for (int i = 0; i < snapshot->entry_count; i++) {
		if (same_source(&snapshot->entries[i], like))
			return &snapshot->entries[i];
	}
	return NULL;
}

// Against the snapshot before it of the same run. Behind a header that repeats an earlier one
// snapshots between them may be in another file.
static void
check_progress(struct parse *parse, const struct log_snapshot *last,
	const struct log_snapshot *now, bool repeated)
{
	if (now->number != last->number + 1 && (!repeated || now->number <= last->number))
		complain(parse, "snapshot %" PRIu64 " follows %" PRIu64, now->number, last->number);
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

// Behind all else, where the program asked for the snapshot.
static bool
read_label(struct log_snapshot *snapshot, const char *line)
{
	int used = 0;
	bool is_asked = strcmp(snapshot->reason, "asked") == 0;
	if (!is_asked)
		return strcmp(line, "\n") == 0;
	return sscanf(line, " label=%403s%n", snapshot->label, &used) == 1
		&& strcmp(line + used, "\n") == 0;
}

// What ends the line where blocks are sampled.
static bool
read_sample(struct log_snapshot *snapshot, const char *line)
{
	struct log_counts *exact = &snapshot->exact;
	int used = 0;
	return sscanf(line, " sampled=%" SCNu64 " exact=%" SCNu64 "/%" SCNu64 "/%" SCNu64 "%n",
		&snapshot->sampled, &exact->alloc, &exact->allocs, &exact->frees, &used) == 4
		&& snapshot->sampled > 0 && read_label(snapshot, line + used);
}

// The process's memory. From format 5 on it is a line of its own, whose first field may be any, and what
// is not there is 0, or as the others say.
static const char *
read_memory(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	int used = 0;
	snapshot->has_memory = sscanf(line, " rss=%" SCNu64 " file=%" SCNu64 " outside=%" SCNu64
		" malloc=%" SCNu64 "%%%n", &snapshot->rss, &snapshot->file, &snapshot->outside,
		&snapshot->malloc, &used) == 4 && used > 0;
	line += used;
	used = 0;
	if (sscanf(line, " hwm=%" SCNu64 "%n", &snapshot->hwm, &used) == 1) {
		line += used;
		if (parse->version >= 5 && snapshot->hwm <= snapshot->rss)
			complain(parse, "hwm= is not above rss=");
	} else if (parse->version >= 5) {
		snapshot->hwm = snapshot->rss;
	}
	used = 0;
	if (sscanf(line, " threads=%" SCNu64 "%n", &snapshot->alive, &used) == 1)
		line += used;
	used = 0;
	if (sscanf(line, " shmem=%" SCNu64 "%n", &snapshot->shared, &used) == 1) {
		line += used;
		if (parse->version >= 5 && snapshot->shared == 0)
			complain(parse, "shmem=0");
	} else if (parse->version >= 5 && strncmp(line, " shmem=-", 8) == 0) {
		line += 8;
	}
	used = 0;
	struct log_counts *mapped = &snapshot->mapped;
	if (sscanf(line, " mapped=%" SCNu64 "/%" SCNu64 "%n", &mapped->live, &mapped->blocks, &used) == 2) {
		line += used;
		used = 0;
		mapped->alloc = mapped->live;
		mapped->allocs = mapped->blocks;
		if (sscanf(line, " map=%" SCNu64 "/%" SCNu64 "%n", &mapped->alloc, &mapped->allocs, &used) == 2)
			line += used;
		used = 0;
		mapped->free = mapped->alloc - mapped->live;
		mapped->frees = mapped->allocs - mapped->blocks;
		if (parse->version < 5 && sscanf(line, " unmap=%" SCNu64 "/%" SCNu64 "%n", &mapped->free,
				&mapped->frees, &used) == 2)
			line += used;
	}
	used = 0;
	if (sscanf(line, " cgroup=%" SCNu64 "/%" SCNu64 "%n", &snapshot->used, &snapshot->most, &used) == 2
			|| sscanf(line, " machine=%" SCNu64 "/%" SCNu64 "%n", &snapshot->used, &snapshot->most,
				&used) == 2)
		line += used;
	used = 0;
	if (sscanf(line, " oom_kills=%" SCNu64 "%n", &snapshot->oom_kills, &used) == 1)
		line += used;
	used = 0;
	if (sscanf(line, " swap=%" SCNu64 "/%" SCNu64 "%n", &snapshot->swap_used, &snapshot->swap_most,
			&used) == 2)
		line += used;
	used = 0;
	uint64_t of[6];
	if (sscanf(line, " stacks=%" SCNu64 " counters=%" SCNu64 " walks=%" SCNu64 " lines=%" SCNu64
			" tags=%" SCNu64 " names=%" SCNu64 "%n", &of[0], &of[1], &of[2], &of[3], &of[4], &of[5],
			&used) == 6) {
		line += used;
		for (int i = 0; i < 6; i++)
			snapshot->tables += of[i];
		if (snapshot->tables <= snapshot->rss / 10)
			complain(parse, "tables that are small");
	}
	return line;
}

static void
read_memory_line(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	const char *end = read_memory(parse, snapshot, line + strlen("memory"));
	if (parse->version < 5 || snapshot->sources_max == 0 || *end != '\n' || end[-1] == 'y')
		complain(parse, "not the process's memory: %s", line);
}

// What follows emptied=, if anything does.
static void
read_rest(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	int used = 0;
	bool is_child = parse->version > 1 && parse->log->runs[snapshot->run].forked_from > 0;
	snapshot->has_inherited = sscanf(line, " inherited=%" SCNu64 "/%" SCNu64 "%n",
		&snapshot->inherited, &snapshot->inherited_blocks, &used) == 2;
	if (snapshot->has_inherited != is_child)
		complain(parse, "inherited= in a child, and nowhere else: %s", line);
	line += used;
	if (read_label(snapshot, line) || read_sample(snapshot, line))
		return;
	if (parse->version < 5)
		line = read_memory(parse, snapshot, line);
	if (!read_label(snapshot, line) && !read_sample(snapshot, line))
		complain(parse, "not the end of a summary: %s", line);
}

// peak=BYTES@TIME, which format 1 has not; what follows it. From format 5 on it has no date, where that is
// the snapshot's.
static const char *
read_peak(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	int used = 0;
	if (parse->version >= 5 && sscanf(line, " peak=%" SCNu64 "@%*2d:%*2d:%*2d.%*3dZ%n", &snapshot->peak,
			&used) == 1 && used > 0) {
		snapshot->has_peak = true;
		return line + used;
	}
	snapshot->has_peak = sscanf(line, " peak=%" SCNu64 "@%*d-%*d-%*dT%*d:%*d:%*fZ%n",
		&snapshot->peak, &used) == 1 && used > 0;
	return line + used;
}

// The time= line. False: it is none.
static bool
read_totals(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	struct log_counts *total = &snapshot->total;
	int used = 0;

	if (sscanf(line,
		    "time=%*d-%*d-%*dT%*d:%*d:%*fZ reason=%15s live=%" SCNu64 "/%" SCNu64
		    " alloc=%" SCNu64 "/%" SCNu64 "%n",
		    snapshot->reason, &total->live, &total->blocks, &total->alloc, &total->allocs, &used) != 5)
		return false;
	line += used;
	total->free = total->alloc - total->live;
	total->frees = total->allocs - total->blocks;
	if (parse->version < 5) {
		if (sscanf(line, " free=%" SCNu64 "/%" SCNu64 "%n", &total->free, &total->frees, &used) != 2)
			return false;
		line += used;
	}
	line = read_peak(parse, snapshot, line);
	if (snapshot->has_peak != (parse->version > 1)
		|| sscanf(line, " sources=%" SCNu64 "/%" SCNu64 " shown=%" SCNu64 "%n", &snapshot->sources,
			&snapshot->sources_max, &snapshot->shown, &used) != 3)
		return false;
	line += used;
	used = 0;
	bool has_hidden = sscanf(line, " hidden=%" SCNu64 "%n", &snapshot->hidden, &used) == 1;
	line += used;
	used = 0;
	bool has_emptied = sscanf(line, " emptied=%" SCNu64 "/%" SCNu64 "%n", &snapshot->empty_shown,
		&snapshot->empty, &used) == 2;
	line += used;
	// From format 5 on each is there where it is not 0.
	if (parse->version < 5 ? !has_hidden || !has_emptied
		: has_hidden != (snapshot->hidden > 0) || has_emptied != (snapshot->empty > 0))
		return false;
	read_rest(parse, snapshot, line);
	return true;
}

static void
read_summary(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_snapshot *snapshot = &log->snapshots[log->snapshot_count - 1];
	int used = 0;

	if (line[0] != 'c') {
		if (!read_totals(parse, snapshot, line))
			complain(parse, "not a summary: %s", line);
	} else if (sscanf(line, "churn=%" SCNu64 "/%" SCNu64 "%n", &snapshot->churn,
			&snapshot->threshold,
			   &used) != 2 || line[used] != '\n') {
		complain(parse, "not a churn line: %s", line);
	}
}

static void
check_memory(struct parse *parse, const struct log_snapshot *snapshot)
{
	uint64_t live = snapshot->total.live;
	uint64_t inside = live < snapshot->rss ? live : snapshot->rss;
	if (snapshot->has_peak && snapshot->peak < live)
		complain(parse, "peak=%" PRIu64 " is below live", snapshot->peak);
	if (!snapshot->has_memory)
		return;
	if (snapshot->rss == 0 || snapshot->rss % 4096 != 0 || snapshot->file > snapshot->rss)
		complain(parse, "rss=%" PRIu64 " file=%" PRIu64, snapshot->rss, snapshot->file);
	else if (snapshot->outside != snapshot->rss - inside
			|| snapshot->malloc != inside * 100 / snapshot->rss)
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
check_order(struct parse *parse, const struct log_snapshot *snapshot,
	const struct log_source *entry, const struct log_source *last)
{
	const struct log_counts *counts = &entry->counts;
	bool all = strcmp(snapshot->reason, "exit") == 0;

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
check_shown(struct parse *parse, const struct log_snapshot *snapshot)
{
	const struct log_run *run = &parse->log->runs[snapshot->run];
	const struct log_source *last = NULL;
	const struct log_source *rest = NULL;
	uint64_t holding = 0;
	uint64_t empty = 0;
	bool all = strcmp(snapshot->reason, "exit") == 0;

	for (int i = 0; i < snapshot->entry_count; i++) {
		const struct log_source *entry = &snapshot->entries[i];
		if (strcmp(entry->id, "rest") == 0)
			rest = entry;
		if (!is_source(entry))
			continue;
		check_order(parse, snapshot, entry, last);
		last = entry;
		holding += entry->counts.blocks > 0;
		empty += entry->counts.blocks == 0;
	}
	if (holding != snapshot->shown || (!all && holding > knob(run, " show=")))
		complain(parse, "shown=%" PRIu64 ", but %" PRIu64 " entries", snapshot->shown,
			holding);
	if (empty != snapshot->empty_shown || empty > snapshot->empty
		|| empty > knob(run, " show_empty="))
		complain(parse, "emptied=%" PRIu64 "/%" PRIu64 ", but %" PRIu64 " entries",
			snapshot->empty_shown, snapshot->empty, empty);
	if (!rest || snapshot->hidden > 0)
		return;
	if (all && rest->counts.blocks > 0)
		complain(parse, "the last snapshot has hidden=0, and {rest} holds memory");
	if (empty == snapshot->empty && has_moved(&rest->counts))
		complain(parse, "all that moved is here, and {rest} moved");
}

static void
check_snapshot(struct parse *parse, const struct log_snapshot *snapshot)
{
	struct log_counts sum = {0};

	for (int i = 0; i < snapshot->entry_count; i++) {
		const struct log_source *entry = &snapshot->entries[i];
		add_counts(&sum, &entry->counts);
		check_counts(parse, entry->id, &entry->counts);
		parse->log->accounted += entry->counts.blocks;
	}
	check_counts(parse, "total", &snapshot->total);
	check_memory(parse, snapshot);
	if (sum.live != snapshot->total.live || sum.alloc != snapshot->total.alloc
		|| sum.free != snapshot->total.free || sum.blocks != snapshot->total.blocks
		|| sum.allocs != snapshot->total.allocs || sum.frees != snapshot->total.frees)
		complain(parse, "snapshot %" PRIu64 ": the totals are not the sum of the entries",
			snapshot->number);
	const struct log_source *inherited = log_by_id(snapshot, "inherited");
	if (snapshot->inherited != (inherited ? inherited->counts.live : 0)
		|| snapshot->inherited_blocks != (inherited ? inherited->counts.blocks : 0)
		|| (inherited && inherited->counts.allocs_more > 0))
		complain(parse, "inherited= is not what is in {inherited}, or that was allocated from");
	if (sum.alloc_more + sum.free_more != snapshot->churn)
		complain(parse, "churn is not the sum of the deltas");
	check_shown(parse, snapshot);
}

#endif
