#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "base/message.h"
#include "base/memory.h"
#include "log/input.h"
#include "log/complaint.h"
#include "log/parse.h"
#include "log/known.h"
#include "log/accept.h"
#include "log/pending.h"
#include "log/reading.h"

struct reading {
	char *path;
	struct input *input;
	struct line line; // read last
	bool holds_line;  // and still to be taken
	struct complaints complaints;
	struct pending pending;
	struct arena arena;
	struct run **runs;
	size_t run_count, run_room;
	struct run *run; // the one that the last header belongs to; NULL: none
	struct run *last;
	uint64_t snapshots;
};

struct reading *
reading_open(const char *path)
{
	struct input *input = input_open(path);
	if (!input)
		return NULL;
	struct reading *reading = memory_get(1, sizeof(*reading));
	reading->path = memory_text(path, strlen(path));
	reading->input = input;
	reading->complaints.input = input;
	reading->pending.complaints = &reading->complaints;
	reading->pending.rest.kind = SOURCE_REST;
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

// The run of lines that may stand without a header.
static struct run *
current_run(struct reading *reading)
{
	return reading->run ? reading->run : new_run(reading);
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
		complain(&reading->complaints, "a header: expected %s", expected);
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

static void
take_rule(struct reading *reading, const char *line)
{
	uint64_t number;
	const char *expected = parse_rule(line, &number);

	if (expected) {
		complain(&reading->complaints, "a snapshot: expected %s", expected);
		// Its other lines have no snapshot, and need no words of their own.
		reading->pending.is_lost = true;
		return;
	}
	// Without run= a new start is told by the numbers alone.
	struct run *run = current_run(reading);
	if (run->id == 0 && run->snapshots > 0 && number <= run->last_number)
		run = new_run(reading);
	pending_begin(&reading->pending, run, number);
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
		complain(&reading->complaints, "a comment: expected %s", expected);
}

// What is under way is not whole, and will not be. A kill or a full disk may cut a snapshot off,
// and a new header follows; or nothing. `why`: it is something else.
static void
drop_snapshot(struct reading *reading, const char *why)
{
	struct pending *pending = &reading->pending;

	if (pending->progress == NO_SNAPSHOT)
		return;
	pending_end(pending);
	pending->snapshot.run->torn++;
	pending->snapshot.run->damaged += why || pending->is_damaged;
	if (why && !pending->is_damaged)
		complain(&reading->complaints, "snapshot [%" PRIu64 "] is left out: %s",
			pending->snapshot.number, why);
}

// Totals only grow. A number alone may be what is wrong: it stands for nothing else.
static const char *
what_is_wrong(const struct snapshot *snapshot)
{
	const struct run *run = snapshot->run;
	const struct counts *now = &snapshot->total;
	const struct counts *last = &run->total;

	if (run->snapshots == 0 || run->is_seeds)
		return NULL;
	if (now->alloc < last->alloc || now->allocs < last->allocs || now->free < last->free
		|| now->frees < last->frees)
		return "its totals are less than those of the snapshot before";
	if (snapshot->number == run->last_number && now->allocs == last->allocs
		&& now->frees == last->frees)
		return "it is the snapshot before once more";
	return NULL;
}

static const struct snapshot *
end_snapshot(struct reading *reading)
{
	struct pending *pending = &reading->pending;
	struct snapshot *snapshot = &pending->snapshot;

	pending_settle(pending);
	const char *why = what_is_wrong(snapshot);
	if (why) {
		drop_snapshot(reading, why);
		return NULL;
	}
	if (snapshot->run->snapshots > 0 && snapshot->number <= snapshot->run->last_number)
		complain(&reading->complaints, "snapshot [%" PRIu64 "] comes after [%" PRIu64
			"]: expected their numbers to grow", snapshot->number, snapshot->run->last_number);
	accept_snapshot(snapshot, pending->has_emptied, pending->losses);
	pending_end(pending);
	reading->last = snapshot->run;
	reading->snapshots++;
	return snapshot;
}

// A line that ends whatever snapshot is under way.
static void
take_outer(struct reading *reading, enum line_kind kind, char *line)
{
	drop_snapshot(reading, kind == LINE_RULE ? "its entries do not add up to its totals" : NULL);
	if (kind == LINE_RULE)
		take_rule(reading, line);
	else if (kind == LINE_HEADER)
		take_header(reading, line);
	else
		take_comment(reading, kind, line);
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

// Takes the line in. False when a snapshot of the first pmem's ends before it: then it is to be
// taken again.
static bool
take_line(struct reading *reading, struct line *line)
{
	struct pending *pending = &reading->pending;
	enum line_kind kind = look_at(line);
	bool is_outer = kind >= LINE_HEADER && kind <= LINE_RULE;

	if ((is_outer || line->begins_piece) && pending_is_seeds(pending))
		return false;
	if (line->begins_piece)
		drop_snapshot(reading, NULL);
	line->begins_piece = false;
	// A header brings an empty line of its own, which also ends what was cut off before it.
	if (line->before_header && line->length > 0)
		drop_snapshot(reading, NULL);
	else if (is_outer)
		take_outer(reading, kind, line->text);
	else if (kind != LINE_EMPTY)
		pending_take(pending, kind, line->text);
	return true;
}

const struct snapshot *
reading_next(struct reading *reading)
{
	struct pending *pending = &reading->pending;
	const struct snapshot *snapshot = NULL;

	while (!snapshot && (reading->holds_line || input_next(reading->input, &reading->line))) {
		reading->holds_line = !take_line(reading, &reading->line);
		bool is_end = reading->line.length == 0 && pending_adds_up(pending)
			&& !reading->line.before_header;
		if (reading->holds_line || is_end)
			snapshot = end_snapshot(reading);
	}
	if (!snapshot && pending_is_seeds(pending))
		snapshot = end_snapshot(reading);
	return snapshot;
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
	const char *note = NULL;

	// Being written, or cut off by a kill.
	drop_snapshot(reading, NULL);
	if (reading->snapshots > 0)
		return reading->complaints.count == 0;
	for (size_t i = 0; i < reading->run_count; i++)
		if (reading->runs[i]->note_count > 0)
			note = reading->runs[i]->notes[reading->runs[i]->note_count - 1];
	if (note)
		warn("%s: no snapshot in this log; it says: %s", reading_path(reading), note);
	else
		warn("%s: no whole snapshot in it: expected a pmem log, pmem.<pid>.log",
			reading_path(reading));
	return false;
}

void
reading_close(struct reading *reading)
{
	for (size_t i = 0; i < reading->run_count; i++)
		known_free(reading->runs[i]);
	free(reading->runs);
	pending_free(&reading->pending);
	free(reading->path);
	arena_free(&reading->arena);
	input_close(reading->input);
	free(reading);
}
