#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "logfile.h"
#include "tally.h"

struct parse {
	struct logfile *log;
	const char *path;
	FILE *errors;
	int line;
	int complaints;
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

const struct log_block *
log_last(const struct logfile *log)
{
	return log->block_count ? &log->blocks[log->block_count - 1] : NULL;
}

const struct log_source *
log_by_id(const struct log_block *block, const char *id)
{
	for (int i = 0; i < block->entry_count; i++) {
		if (strcmp(block->entries[i].id, id) == 0)
			return &block->entries[i];
	}
	return NULL;
}

static bool
frame_is_in(const char *frame, const char *function)
{
	const char *symbol = strchr(frame, '(');
	size_t length = strlen(function);
	return symbol && strncmp(symbol + 1, function, length) == 0 && symbol[1 + length] == '+';
}

const struct log_source *
log_from(const struct log_block *block, const char *function)
{
	const struct log_source *found = NULL;
	for (int i = 0; i < block->entry_count; i++) {
		const struct log_source *source = &block->entries[i];
		if (source->depth < 2 || !frame_is_in(source->frames[1], function))
			continue;
		if (found) {
			fprintf(stderr, "two sources are called by %s\n", function);
			exit(1);
		}
		found = source;
	}
	return found;
}

uint64_t
log_loss(const struct log_block *block, const char *name)
{
	for (int i = 0; i < block->loss_count; i++) {
		if (strcmp(block->losses[i].name, name) == 0)
			return block->losses[i].count;
	}
	return 0;
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

// Against the block before it of the same run.
static void
check_progress(struct parse *parse, const struct log_block *last, const struct log_block *now)
{
	if (now->number != last->number + 1)
		complain(parse, "block %" PRIu64 " follows %" PRIu64, now->number, last->number);
	if (now->total.alloc < last->total.alloc || now->total.free < last->total.free
		|| now->total.allocs < last->total.allocs || now->total.frees < last->total.frees)
		complain(parse, "a total decreased");
	if (now->total.alloc - last->total.alloc + now->total.free - last->total.free
		!= now->churn)
		complain(parse, "churn is not what the totals grew by");
	for (int i = 0; i < now->entry_count; i++) {
		const struct log_source *entry = &now->entries[i];
		const struct log_source *before = log_by_id(last, entry->id);
		if (!before || strcmp(entry->id, "rest") == 0)
			continue;
		if (entry->counts.alloc - entry->counts.alloc_more != before->counts.alloc
			|| entry->counts.free - entry->counts.free_more != before->counts.free
			|| entry->counts.allocs - entry->counts.allocs_more != before->counts.allocs
			|| entry->counts.frees - entry->counts.frees_more != before->counts.frees)
			complain(parse, "{%s}: delta and last total do not make this total", entry->id);
	}
}

static void
end_block(struct parse *parse)
{
	struct logfile *log = parse->log;
	struct log_counts sum = {0};
	uint64_t shown = 0;
	uint64_t last_live = UINT64_MAX;

	if (log->block_count == 0)
		return;
	struct log_block *block = &log->blocks[log->block_count - 1];
	for (int i = 0; i < block->entry_count; i++) {
		const struct log_source *entry = &block->entries[i];
		add_counts(&sum, &entry->counts);
		check_counts(parse, entry->id, &entry->counts);
		log->accounted += entry->counts.blocks;
		if (!isxdigit((unsigned char)entry->id[0]) || strlen(entry->id) != 16)
			continue;
		shown++;
		if (entry->counts.live > last_live)
			complain(parse, "{%s}: not sorted by live", entry->id);
		last_live = entry->counts.live;
		if (entry->depth < 2)
			complain(parse, "{%s}: no stack", entry->id);
	}
	check_counts(parse, "total", &block->total);
	if (sum.live != block->total.live || sum.alloc != block->total.alloc
		|| sum.free != block->total.free || sum.blocks != block->total.blocks
		|| sum.allocs != block->total.allocs || sum.frees != block->total.frees)
		complain(parse, "block %" PRIu64 ": the totals are not the sum of the entries",
			block->number);
	if (sum.alloc_more + sum.free_more != block->churn)
		complain(parse, "churn is not the sum of the deltas");
	if (shown != block->shown)
		complain(parse, "shown=%" PRIu64 ", but %" PRIu64 " entries", block->shown, shown);
	if (log->block_count > 1 && block[-1].run == block->run)
		check_progress(parse, &block[-1], block);
}

static void
read_losses(struct parse *parse, struct log_block *block, const char *line)
{
	int used;
	struct log_loss loss;
	while (sscanf(line, " %39[a-z_]=%" SCNu64 "%n", loss.name, &loss.count, &used) == 2) {
		if (block->loss_count < LOG_LOSSES_MAX)
			block->losses[block->loss_count++] = loss;
		line += used;
	}
	if (*line != '\n')
		complain(parse, "not NAME=COUNT: %s", line);
}

static void
read_entry(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_block *block = &log->blocks[log->block_count - 1];
	struct log_source entry = {0};
	struct log_counts *counts = &entry.counts;
	int used = 0;

	int fields = sscanf(line,
		"{%16[a-z0-9]} live:%" SCNu64 ", alloc:%" SCNu64 "/%" SCNu64 ", free:%" SCNu64
		"/%" SCNu64 ", blocks:%" SCNu64 ", allocs:%" SCNu64 "/%" SCNu64 ", frees:%" SCNu64
		"/%" SCNu64 "%n",
		entry.id, &counts->live, &counts->alloc_more, &counts->alloc, &counts->free_more,
		&counts->free, &counts->blocks, &counts->allocs_more, &counts->allocs,
		&counts->frees_more, &counts->frees, &used);
	if (log->block_count == 0 || fields != 11 || line[used] != '\n') {
		complain(parse, "not an entry: %s", line);
		return;
	}
	block->entries = grown(block->entries, block->entry_count, sizeof(*block->entries));
	block->entries[block->entry_count++] = entry;
}

static bool
is_frame(const char *text)
{
	const char *address = strstr(text, "[0x");
	int used = 0;
	uint64_t value;

	if (address != text) {
		const char *offset = strrchr(text, '+');
		if (!strchr(text, '(') || !offset || sscanf(offset, "+0x%" SCNx64 ")%n", &value, &used) != 1
			|| offset + used + 1 != strrchr(text, '['))
			return false;
		address = strrchr(text, '[');
	}
	return address && sscanf(address, "[0x%" SCNx64 "]%n", &value, &used) == 1
		&& address[used] == '\n';
}

static void
read_frame(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_block *block = log->block_count ? &log->blocks[log->block_count - 1] : NULL;
	struct log_source *entry
		= block && block->entry_count ? &block->entries[block->entry_count - 1] : NULL;
	int number;
	int used = 0;

	if (!entry || sscanf(line, "  {%d} %n", &number, &used) != 1 || number != entry->depth
		|| used == 0 || !is_frame(line + used) || entry->depth == LOG_FRAMES_MAX) {
		complain(parse, "not a frame: %s", line);
		return;
	}
	if (number == 0 && !strstr(line, "libpmem"))
		complain(parse, "frame 0 is no hook: %s", line);
	entry->frames[entry->depth++] = strdup(line + used);
}

static void
read_comment(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	unsigned long start, end;
	char build_id[64];
	int used = 0;

	if (strncmp(line, "# pmem ", 7) == 0) {
		log->runs = grown(log->runs, log->run_count, sizeof(*log->runs));
		struct log_run *run = &log->runs[log->run_count++];
		run->header = strdup(line);
		if (sscanf(line, "# pmem 1 pid=%ld ppid=%ld start=%*d-%*d-%*dT%*d:%*d:%*fZ exe=%n",
			    &run->pid, &run->ppid, &used) != 2 || used == 0)
			complain(parse, "not a header: %s", line);
	} else if (strncmp(line, "# forked from pid=", 18) == 0 && log->run_count > 0) {
		log->runs[log->run_count - 1].forked_from = strtol(line + 18, NULL, 10);
	} else if (sscanf(line, "# module 0x%lx-0x%lx %63s %n", &start, &end, build_id, &used) == 3
		&& used && start < end && line[used] > ' ') {
		log->modules++;
	} else if (strncmp(line, "# note ", 7) != 0) {
		complain(parse, "not a comment: %s", line);
	}
}

static void
read_rule(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	int used = 0;

	end_block(parse);
	log->blocks = grown(log->blocks, log->block_count, sizeof(*log->blocks));
	struct log_block *block = &log->blocks[log->block_count++];
	block->run = log->run_count - 1;
	if (sscanf(line, "[%" SCNu64 "]%n", &block->number, &used) != 1
		|| strspn(line + used, "=") != 57)
		complain(parse, "not the head of a block: %s", line);
}

static void
read_summary(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_block *block = log->block_count ? &log->blocks[log->block_count - 1] : NULL;
	int used = 0;

	if (!block) {
		complain(parse, "before any block: %s", line);
		return;
	}
	struct log_counts *total = &block->total;
	if (line[0] == 'c') {
		if (sscanf(line, "churn=%" SCNu64 "/%" SCNu64 "%n", &block->churn,
			    &block->threshold, &used) != 2 || line[used] != '\n')
			complain(parse, "not a churn line: %s", line);
	} else if (sscanf(line,
			   "time=%*d-%*d-%*dT%*d:%*d:%*fZ reason=%15s live=%" SCNu64 "/%" SCNu64
			   " alloc=%" SCNu64 "/%" SCNu64 " free=%" SCNu64 "/%" SCNu64
			   " sources=%" SCNu64 "/%" SCNu64 " shown=%" SCNu64 " hidden=%" SCNu64 "%n",
			   block->reason, &total->live, &total->blocks, &total->alloc, &total->allocs,
			   &total->free, &total->frees, &block->sources, &block->sources_max,
			   &block->shown, &block->hidden, &used) != 11 || line[used] != '\n') {
		complain(parse, "not a summary: %s", line);
	}
}

static void
read_line(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;

	if (line[0] == '#')
		read_comment(parse, line);
	else if (line[0] == '[')
		read_rule(parse, line);
	else if (strncmp(line, "churn=", 6) == 0 || strncmp(line, "time=", 5) == 0)
		read_summary(parse, line);
	else if (strncmp(line, "losses ", 7) == 0 && log->block_count)
		read_losses(parse, &log->blocks[log->block_count - 1], line + 6);
	else if (line[0] == '{')
		read_entry(parse, line);
	else if (line[0] == ' ')
		read_frame(parse, line);
	else if (line[0] != '\n')
		complain(parse, "not a line of a log: %s", line);
}

static void
tally_log(const struct logfile *log, int complaints)
{
	tally("snapshots", (uint64_t)log->block_count);
	uint64_t allocs = 0;
	for (int i = 0; i < log->block_count; i++) {
		const struct log_block *block = &log->blocks[i];
		for (int k = 0; k < block->entry_count; k++)
			allocs += block->entries[k].counts.allocs_more;
	}
	tally("blocks", allocs);
	tally("differences", (uint64_t)complaints);
}

int
log_read(struct logfile *log, const char *path, FILE *errors)
{
	struct parse parse = {.log = log, .path = path, .errors = errors};
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	FILE *file = fopen(path, "r");

	memset(log, 0, sizeof(*log));
	if (!file)
		return -1;
	while ((length = getline(&line, &size, file)) > 0) {
		parse.line++;
		if (line[length - 1] != '\n')
			complain(&parse, "cut off");
		else if (memchr(line, '\0', (size_t)length))
			complain(&parse, "a zero byte");
		else
			read_line(&parse, line);
	}
	end_block(&parse);
	if (log->run_count == 0)
		complain(&parse, "no header");
	free(line);
	fclose(file);
	tally_log(log, parse.complaints);
	return parse.complaints;
}
