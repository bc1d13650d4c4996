#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "cli.h"
#include "memory.h"
#include "input.h"
#include "parse.h"
#include "known.h"
#include "reading.h"

enum {
	WARNINGS_MAX = 10, // a log
	DEPTH_MAX = 1024,  // frames of a stack; PMEM_FRAMES is at most 256
};

// What a block's lines have said so far, in this order.
enum progress {
	NO_BLOCK,
	HAS_RULE,
	HAS_CHURN, // in the first pmem's format, entries follow this
	HAS_SUMMARY,
};

struct reading {
	struct input *input;
	struct line line; // read last
	bool holds_line;  // and still to be taken
	char *path;
	struct arena arena;
	struct run **runs;
	size_t run_count, run_room;
	struct run *run; // the one that the last header belongs to
	struct run *last;

	// The block under way.
	enum progress progress;
	bool damaged; // a line of it could not be read
	bool is_lost; // lines outside of any block have been complained of
	char reason[32];
	struct block block;
	struct parsed_summary summary;
	size_t entry_room;
	struct counts sum; // of its entries
	char *losses;      // its line of them, NULL: none
	struct source *open; // whose frames come next, NULL: nobody wants them
	struct frame *frames[DEPTH_MAX];
	unsigned depth;
	struct source rest; // stands for {rest} in entries

	unsigned warnings;
	uint64_t blocks;
	uint64_t torn;
};

// `FILE:LINE: what`, of the line read last.
__attribute__((format(printf, 2, 3))) static void
complain(struct reading *reading, const char *format, ...)
{
	char text[512];
	va_list arguments;

	if (reading->warnings++ >= WARNINGS_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	warn("%s:%" PRIu64 ": %s%s", input_file(reading->input), input_line(reading->input), text,
		reading->warnings == WARNINGS_MAX ? "; more like this is not told" : "");
}

struct reading *
reading_open(const char *path)
{
	struct input *input = input_open(path);
	if (!input)
		return NULL;
	struct reading *reading = memory_get(1, sizeof(*reading));
	reading->input = input;
	reading->path = memory_text(path, strlen(path));
	reading->rest.kind = SOURCE_REST;
	return reading;
}

static struct run *
new_run(struct reading *reading)
{
	struct run *run = known_new(&reading->arena);
	reading->runs = memory_grow(reading->runs, reading->run_count, &reading->run_room,
		sizeof(struct run *));
	reading->runs[reading->run_count++] = run;
	reading->run = run;
	return run;
}

static struct run *
find_run(const struct reading *reading, uint64_t id)
{
	for (size_t i = reading->run_count; i > 0 && id; i--)
		if (reading->runs[i - 1]->id == id)
			return reading->runs[i - 1];
	return NULL;
}

static char *
own(struct reading *reading, const char *text)
{
	return arena_text(&reading->arena, text, strlen(text));
}

static void
take_header(struct reading *reading, char *line)
{
	struct parsed_header header;
	const char *expected = parse_header(line, &header);
	if (expected) {
		complain(reading, "a header: expected %s", expected);
		reading->run = NULL;
		return;
	}
	// Where it is not the first of its run it goes on with that.
	reading->run = find_run(reading, header.run);
	if (reading->run)
		return;
	struct run *run = new_run(reading);
	run->id = header.run;
	run->pid = (long)header.pid;
	run->ppid = (long)header.ppid;
	run->pidns = (long)header.pidns;
	run->start = own(reading, header.start);
	run->start_ms = header.start_ms;
	run->exe = own(reading, header.exe);
	run->host = own(reading, header.host);
	run->show = (unsigned)header.show;
	run->show_empty = (unsigned)header.show_empty;
}

// The run that a line without a header before it belongs to.
static struct run *
current_run(struct reading *reading)
{
	return reading->run ? reading->run : new_run(reading);
}

// What was under way is not whole, and will not be.
static void
drop_block(struct reading *reading, const char *why)
{
	if (reading->progress == NO_BLOCK)
		return;
	reading->progress = NO_BLOCK;
	reading->open = NULL;
	free(reading->losses);
	reading->losses = NULL;
	struct run *run = current_run(reading);
	run->torn++;
	reading->torn++;
	if (why)
		complain(reading, "block [%" PRIu64 "] is left out: %s", reading->block.number, why);
}

static void
begin_block(struct reading *reading, const char *line)
{
	struct block *block = &reading->block;
	struct entry *entries = block->entries;
	const char *expected = parse_rule(line, &block->number);
	uint64_t number = block->number;

	*block = (struct block){.entries = entries, .number = number, .reason = ""};
	reading->sum = (struct counts){0};
	reading->progress = expected ? NO_BLOCK : HAS_RULE;
	reading->damaged = false;
	reading->is_lost = expected != NULL;
	if (expected)
		complain(reading, "a block: expected %s", expected);
	// Without run= a new start is told by the numbers alone.
	if (reading->run && reading->run->id == 0 && reading->run->blocks > 0
		&& number <= reading->run->last_number)
		reading->run = NULL;
}

// The stack of the entry under way has come to its end.
static void
end_stack(struct reading *reading)
{
	if (reading->open)
		known_stack(reading->block.run, reading->open, reading->frames, reading->depth);
	reading->open = NULL;
}

// The block under way has a line that cannot be read. Outside of any block: whatever follows
// is lost until the next one, and that is said once.
static void
damage(struct reading *reading, const char *what, const char *expected)
{
	if (reading->progress == NO_BLOCK && !reading->is_lost)
		complain(reading, "%s: expected %s", what, expected);
	if (reading->progress != NO_BLOCK && !reading->damaged)
		complain(reading, "%s: expected %s; block [%" PRIu64 "] is left out", what, expected,
			reading->block.number);
	reading->damaged = reading->progress != NO_BLOCK;
	reading->is_lost = reading->progress == NO_BLOCK;
	reading->open = NULL;
}

static struct source *
source_of(struct reading *reading, const struct parsed_entry *parsed)
{
	struct run *run = reading->block.run;
	if (parsed->name == ENTRY_REST)
		return &reading->rest;
	if (parsed->name == ENTRY_ID)
		return known_source(run, parsed->id);
	if (!run->other) {
		run->other = arena_get(&reading->arena, sizeof(*run->other));
		run->other->kind = SOURCE_OTHER;
		run->other->now.shown_in = NEVER_SHOWN;
		run->other->entry = NEVER_SHOWN;
	}
	return run->other;
}

static void
take_entry(struct reading *reading, const char *line)
{
	struct block *block = &reading->block;
	struct parsed_entry parsed;
	enum progress wanted = HAS_SUMMARY;

	end_stack(reading);
	const char *expected = parse_entry(line, &parsed);
	if (expected) {
		damage(reading, "an entry", expected);
		return;
	}
	if (parsed.is_seeds)
		wanted = HAS_CHURN;
	if (reading->progress != wanted) {
		damage(reading, "an entry", wanted == HAS_CHURN ? "churn= before it" : "time= before it");
		return;
	}
	if (!block->run)
		block->run = current_run(reading);
	block->run->is_seeds = parsed.is_seeds;
	struct source *source = source_of(reading, &parsed);
	counts_add(&reading->sum, &parsed.counts);
	if (source->kind == SOURCE_STACK && source->depth == 0) {
		reading->open = source;
		reading->depth = 0;
	}
	// The same code loaded twice makes two entries with one id.
	if (source->entry < block->entry_count && block->entries[source->entry].source == source) {
		counts_add(&block->entries[source->entry].counts, &parsed.counts);
		counts_add(&block->entries[source->entry].more, &parsed.more);
		return;
	}
	block->entries = memory_grow(block->entries, block->entry_count, &reading->entry_room,
		sizeof(*block->entries));
	source->entry = block->entry_count;
	block->entries[block->entry_count++] = (struct entry){source, parsed.counts, parsed.more};
	if (source->kind == SOURCE_REST)
		block->rest = parsed.counts;
}

static void
take_frame(struct reading *reading, char *line)
{
	struct parsed_frame frame;

	if (!reading->open)
		return;
	const char *expected = parse_frame(line, &frame);
	if (!expected && frame.number != reading->depth)
		expected = "the frames in order";
	if (!expected && reading->depth == DEPTH_MAX)
		expected = "no more than 1024 frames";
	if (expected) {
		damage(reading, "a frame", expected);
		return;
	}
	reading->frames[reading->depth] = known_frame(reading->block.run, frame.text,
		frame.number == 0);
	reading->depth++;
}

static void
take_summary(struct reading *reading, char *line)
{
	struct block *block = &reading->block;
	struct parsed_summary *summary = &reading->summary;
	const char *expected = parse_summary(line, summary);

	if (reading->progress != HAS_CHURN)
		expected = "churn= before it";
	if (expected) {
		damage(reading, "a block's summary", expected);
		return;
	}
	reading->progress = HAS_SUMMARY;
	block->run = current_run(reading);
	snprintf(reading->reason, sizeof(reading->reason), "%s", summary->reason);
	block->reason = reading->reason;
	block->time_ms = summary->time_ms;
	block->total = summary->total;
	block->sources = summary->sources;
	block->sources_max = summary->sources_max;
	block->shown = summary->shown;
	block->hidden = summary->hidden;
	block->empty_shown = summary->empty_shown;
	block->empty = summary->empty;
	block->has_memory = summary->has_memory;
	block->rss = summary->rss;
	block->file = summary->file;
	block->outside = summary->outside;
}

static void
take_churn(struct reading *reading, const char *line)
{
	struct block *block = &reading->block;
	const char *expected = parse_churn(line, &block->churn, &block->threshold);

	if (reading->progress != HAS_RULE)
		expected = "[NUMBER] and 57 '=' before it";
	if (expected)
		damage(reading, "churn", expected);
	else
		reading->progress = HAS_CHURN;
}

static void
take_losses(struct reading *reading, const char *line)
{
	if (reading->progress != HAS_SUMMARY) {
		damage(reading, "losses", "time= before it");
		return;
	}
	free(reading->losses);
	reading->losses = memory_text(line, strlen(line));
}

static void
take_comment(struct reading *reading, enum line_kind kind, char *line)
{
	struct parsed_module module;
	uint64_t parent;
	const char *expected = NULL;

	if (kind == LINE_MODULE) {
		expected = parse_module(line, &module);
		if (!expected)
			known_module(current_run(reading), &module);
	} else if (kind == LINE_FORKED) {
		expected = parse_forked(line, &parent);
		if (!expected)
			current_run(reading)->forked_from = (long)parent;
	} else if (kind == LINE_NOTE) {
		known_note(current_run(reading), line + strlen(FORMAT_NOTE));
	}
	if (expected)
		complain(reading, "a comment: expected %s", expected);
}

// What had the source in the run's first block, told when it is first seen.
static struct counts
first_of(const struct run *run, const struct entry *entry)
{
	struct counts first = entry->counts;
	if (run->blocks == 0)
		return first;
	struct counts more = entry->more;
	more.live = more.alloc - more.free;
	more.blocks = more.allocs - more.frees;
	counts_subtract(&first, &more);
	return first;
}

// Which of the sources that this block does not show it may have changed all the same.
static void
note_hiding(struct reading *reading)
{
	const struct block *block = &reading->block;
	struct run *run = block->run;
	uint64_t least_live = UINT64_MAX;
	uint64_t least_churn = UINT64_MAX;

	for (size_t i = 0; i < block->entry_count; i++) {
		const struct entry *entry = &block->entries[i];
		uint64_t churn = entry->more.alloc + entry->more.free;
		if (entry->source->kind != SOURCE_STACK)
			continue;
		if (entry->counts.blocks > 0 && entry->counts.live < least_live)
			least_live = entry->counts.live;
		if (entry->counts.blocks == 0 && churn < least_churn)
			least_churn = churn;
	}
	// Shown are the largest, and of those that hold nothing any more, those with most churn:
	// no less than they held before.
	if (block->hidden > 0)
		known_hides(run, least_live);
	if (!reading->summary.has_emptied || block->empty > block->empty_shown)
		known_hides(run, reading->summary.has_emptied ? least_churn : UINT64_MAX);
	if (run->blocks > 0 && block->number != run->last_number + 1) {
		run->missing += block->number - run->last_number - 1;
		known_hides(run, UINT64_MAX);
	}
}

static void
take_into_run(struct reading *reading)
{
	struct block *block = &reading->block;
	struct run *run = block->run;
	struct counts shown = {0};

	note_hiding(reading);
	for (size_t i = 0; i < block->entry_count; i++) {
		const struct entry *entry = &block->entries[i];
		struct source *source = entry->source;
		if (source->kind == SOURCE_REST)
			continue;
		if (source->now.shown_in == NEVER_SHOWN)
			source->first = first_of(run, entry);
		known_set(run, source, &entry->counts);
		counts_add(&shown, &entry->counts);
	}
	struct counts carried = known_sum(run);
	if (run->is_seeds)
		block->total = carried;
	// Calls only grow in number: when the sources that are not shown have together as many as
	// all that is not shown, none of them has moved, and there are no others.
	counts_subtract(&carried, &shown);
	if (carried.allocs == block->rest.allocs && carried.frees == block->rest.frees)
		known_is_certain(run);
}

static const struct block *
end_block(struct reading *reading)
{
	struct block *block = &reading->block;

	end_stack(reading);
	if (!block->run)
		block->run = current_run(reading);
	struct run *run = block->run;
	if (run->blocks > 0 && block->number <= run->last_number) {
		drop_block(reading, "its number does not come after that of the block before");
		return NULL;
	}
	reading->progress = NO_BLOCK;
	take_into_run(reading);
	known_losses(run, reading->losses);
	free(reading->losses);
	reading->losses = NULL;
	if (run->blocks == 0) {
		run->total_first = block->total;
		run->first_number = block->number;
		run->first_time_ms = block->time_ms;
	}
	block->index = run->blocks++;
	run->total = block->total;
	run->last_number = block->number;
	run->last_time_ms = block->time_ms;
	run->ended = strcmp(block->reason, "exit") == 0;
	reading->last = run;
	reading->blocks++;
	return block;
}

// An empty line stands between entries and at a block's end, which is where they add up.
static bool
adds_up(const struct reading *reading)
{
	return reading->progress == HAS_SUMMARY && !reading->damaged
		&& memcmp(&reading->sum, &reading->block.total, sizeof(reading->sum)) == 0;
}

// The first pmem's blocks end where something else begins.
static bool
is_seeds_block(struct reading *reading)
{
	return reading->progress == HAS_CHURN && !reading->damaged && current_run(reading)->id == 0;
}

// A line that ends whatever block is under way.
static void
take_outer(struct reading *reading, enum line_kind kind, char *line)
{
	// A kill, or a full disk, may cut off what a new header follows; nothing else may.
	drop_block(reading, kind != LINE_RULE || reading->damaged
			? NULL : "its entries do not add up to its totals");
	if (kind == LINE_RULE)
		begin_block(reading, line);
	else if (kind == LINE_HEADER)
		take_header(reading, line);
	else
		take_comment(reading, kind, line);
}

// A line of a block.
static void
take_inner(struct reading *reading, enum line_kind kind, char *line)
{
	switch (kind) {
	case LINE_FRAME:
		take_frame(reading, line);
		break;
	case LINE_ENTRY:
		take_entry(reading, line);
		break;
	case LINE_CHURN:
		take_churn(reading, line);
		break;
	case LINE_TIME:
		take_summary(reading, line);
		break;
	case LINE_LOSSES:
		take_losses(reading, line);
		break;
	default:
		damage(reading, "a line", "one of a pmem log");
	}
}

// The kind, of a line that may be anything.
static enum line_kind
look_at(struct line *line)
{
	// As it comes from a machine with other line ends.
	if (line->length > 0 && line->text[line->length - 1] == '\r')
		line->text[--line->length] = '\0';
	if (line->cut || strlen(line->text) != line->length)
		return LINE_UNKNOWN;
	return parse_kind(line->text);
}

// Takes the line in. False when a block of the first pmem's ends before it: then it is to be
// taken again.
static bool
take_line(struct reading *reading, struct line *line)
{
	enum line_kind kind = look_at(line);
	bool is_outer = kind >= LINE_HEADER && kind <= LINE_RULE;

	if ((is_outer || line->begins_piece) && is_seeds_block(reading))
		return false;
	if (line->begins_piece)
		drop_block(reading, NULL);
	line->begins_piece = false;
	if (is_outer)
		take_outer(reading, kind, line->text);
	else if (kind != LINE_EMPTY)
		take_inner(reading, kind, line->text);
	return true;
}

const struct block *
reading_next(struct reading *reading)
{
	const struct block *block = NULL;

	while (reading->holds_line || input_next(reading->input, &reading->line)) {
		reading->holds_line = !take_line(reading, &reading->line);
		bool at_end = reading->line.length == 0 && adds_up(reading);
		if (reading->holds_line || at_end)
			block = end_block(reading);
		if (block)
			return block;
	}
	return is_seeds_block(reading) ? end_block(reading) : NULL;
}

struct run **
reading_runs(const struct reading *reading, size_t *count)
{
	*count = reading->run_count;
	return reading->runs;
}

struct run *
reading_last_run(const struct reading *reading)
{
	return reading->last;
}

const char *
reading_path(const struct reading *reading)
{
	return strcmp(reading->path, "-") == 0 ? "standard input" : reading->path;
}

uint64_t
reading_bytes(const struct reading *reading, uint64_t *of)
{
	return input_bytes(reading->input, of);
}

bool
reading_finish(struct reading *reading)
{
	// Being written, or cut off by a kill.
	drop_block(reading, NULL);
	if (reading->blocks > 0)
		return reading->warnings == 0;
	const char *note = NULL;
	for (size_t i = 0; i < reading->run_count; i++)
		if (reading->runs[i]->note_count > 0)
			note = reading->runs[i]->notes[reading->runs[i]->note_count - 1];
	if (note)
		warn("%s: no block in this log; it says: %s", reading_path(reading), note);
	else
		warn("%s: no block in this log: expected [NUMBER] and 57 '=' before one, and an empty "
		     "line behind", reading_path(reading));
	return false;
}

void
reading_close(struct reading *reading)
{
	for (size_t i = 0; i < reading->run_count; i++)
		known_free(reading->runs[i]);
	free(reading->runs);
	free(reading->block.entries);
	free(reading->losses);
	free(reading->path);
	arena_free(&reading->arena);
	input_close(reading->input);
	free(reading);
}
