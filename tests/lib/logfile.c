#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lognumbers.h"
#include "logmapped.h"
#include "logtold.h"
#include "logcarry.h"
#include "logthreads.h"
#include "loglabels.h"
#include "tally.h"

enum { LINE_SIZE = 4096 }; // no line of ours is longer

const struct log_snapshot *
log_last(const struct logfile *log)
{
	return log->snapshot_count ? &log->snapshots[log->snapshot_count - 1] : NULL;
}

const struct log_source *
log_by_id(const struct log_snapshot *snapshot, const char *id)
{
	for (int i = 0; i < snapshot->entry_count; i++) {
		if (strcmp(snapshot->entries[i].id, id) == 0)
			return &snapshot->entries[i];
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

static const struct log_source *
find_from(const struct log_snapshot *snapshot, const char *function, bool holds)
{
	const struct log_source *found = NULL;
	for (int i = 0; i < snapshot->entry_count; i++) {
		const struct log_source *source = &snapshot->entries[i];
		if (source->depth < 2 || (source->counts.blocks > 0) != holds
			|| !frame_is_in(source->frames[1], function))
			continue;
		if (found) {
			fprintf(stderr, "two sources are called by %s\n", function);
			exit(1);
		}
		found = source;
	}
	return found;
}

const struct log_source *
log_from(const struct log_snapshot *snapshot, const char *function)
{
	return find_from(snapshot, function, true);
}

const struct log_source *
log_empty_from(const struct log_snapshot *snapshot, const char *function)
{
	return find_from(snapshot, function, false);
}

const struct log_source *
log_mapped_by(const struct log_snapshot *snapshot, const char *function)
{
	for (int i = 0; i < snapshot->map_count; i++) {
		const struct log_source *source = &snapshot->maps[i];
		for (int k = 1; k < source->depth; k++) {
			if (frame_is_in(source->frames[k], function))
				return source;
		}
	}
	return NULL;
}

struct log_counts
log_sum(const struct log_snapshot *snapshot, const char *text)
{
	struct log_counts sum = {0};
	for (int i = 0; i < snapshot->entry_count; i++) {
		const struct log_source *source = &snapshot->entries[i];
		if (source->depth > 1 && strstr(source->frames[1], text))
			add_counts(&sum, &source->counts);
	}
	return sum;
}

const struct log_thread *
log_thread(const struct log_snapshot *snapshot, const char *name)
{
	const struct log_thread *found = NULL;
	for (int i = 0; i < snapshot->thread_count; i++) {
		if (strcmp(snapshot->threads[i].name, name) == 0)
			found = &snapshot->threads[i];
	}
	return found;
}

const struct log_label *
log_label(const struct log_snapshot *snapshot, const char *name)
{
	for (int i = 0; i < snapshot->label_count; i++) {
		if (strcmp(snapshot->labels[i].name, name) == 0)
			return &snapshot->labels[i];
	}
	return NULL;
}

const struct log_thread *
log_thread_by_id(const struct log_snapshot *snapshot, const char *id)
{
	for (int i = 0; i < snapshot->thread_count; i++) {
		if (strcmp(snapshot->threads[i].id, id) == 0)
			return &snapshot->threads[i];
	}
	return NULL;
}

uint64_t
log_loss(const struct log_snapshot *snapshot, const char *name)
{
	for (int i = 0; i < snapshot->loss_count; i++) {
		if (strcmp(snapshot->losses[i].name, name) == 0)
			return snapshot->losses[i].count;
	}
	return 0;
}

bool
log_lost_nothing(const struct log_snapshot *snapshot)
{
	uint64_t is_short = log_loss(snapshot, "stacks_short");
	return snapshot->loss_count == (is_short > 0) && is_short < 100;
}

// Whether entries are missing that must stand behind those there are.
static bool
lacks_entries(const struct log_snapshot *snapshot)
{
	uint64_t shown = 0;
	uint64_t allocs = 0;
	for (int i = 0; i < snapshot->entry_count; i++) {
		shown += is_source(&snapshot->entries[i]);
		allocs += snapshot->entries[i].counts.allocs;
	}
	uint64_t maps = 0;
	for (int i = 0; i < snapshot->map_count; i++)
		maps += snapshot->maps[i].counts.allocs;
	return shown < snapshot->shown + snapshot->empty_shown || maps < snapshot->mapped.allocs
		|| (allocs < snapshot->total.allocs && !log_by_id(snapshot, "rest"));
}

// At what follows a snapshot. An empty line ends it; a header brings one of its own.
static void
end_snapshot(struct parse *parse, bool may_be_torn, int own_blanks)
{
	struct logfile *log = parse->log;

	if (!parse->open)
		return;
	parse->open = false;
	struct log_snapshot *snapshot = &log->snapshots[log->snapshot_count - 1];
	bool ended = parse->blanks > own_blanks;
	if (may_be_torn && (!ended || lacks_entries(snapshot))) {
		log->snapshot_count--;
		log->torn++;
		return;
	}
	if (!ended)
		complain(parse, "snapshot %" PRIu64 " has no end", snapshot->number);
	for (int i = 0; i < snapshot->entry_count; i++)
		take_stack(parse, &snapshot->entries[i]);
	for (int i = 0; i < snapshot->map_count; i++)
		take_stack(parse, &snapshot->maps[i]);
	if (snapshot->run < 0) {
		complain(parse, "a snapshot without a header");
		return;
	}
	check_threads(parse, snapshot);
	check_labels(parse, snapshot);
	int last = log->runs[snapshot->run].last;
	check_mapped(parse, snapshot, last >= 0 ? &log->snapshots[last] : NULL);
	take_snapshot(parse, snapshot);
}

static void
read_losses(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	int used;
	struct log_loss loss;
	while (sscanf(line, " %39[a-z_]=%" SCNu64 "%n", loss.name, &loss.count, &used) == 2) {
		if (snapshot->loss_count < LOG_LOSSES_MAX)
			snapshot->losses[snapshot->loss_count++] = loss;
		if (strcmp(loss.name, "checks_failed") == 0)
			complain(parse, "what the library relies on did not hold: %s", line);
		line += used;
	}
	if (*line != '\n')
		complain(parse, "not NAME=COUNT: %s", line);
}

static void
read_entry(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_snapshot *snapshot = &log->snapshots[log->snapshot_count - 1];
	struct log_source entry = {0};
	int used = 0;

	sscanf(line, "{%16[a-z0-9]} %n", entry.id, &used);
	bool is_mapped = used > 0 && strncmp(line + used, "mapped:", 7) == 0;
	int counts = used == 0 ? 0
		: read_counts(line + used, is_mapped ? OF_MAPS : OF_BLOCKS, &entry.counts);
	const char *at = line + used + counts;
	bool is_entry = counts > 0 && (is_mapped || read_most(&entry, &at));
	if (is_entry && !is_mapped)
		read_unseen(&entry, &at);
	if (is_mapped)
		read_resident(parse, &entry, &at);
	if (!is_entry
		|| (*at != '\n' && strncmp(at, " < ", 3) != 0)) {
		complain(parse, "not an entry: %s", line);
		return;
	}
	if (*at != '\n')
		entry.trail = strndup(at, strlen(at) - 1);
	struct log_source **entries = is_mapped ? &snapshot->maps : &snapshot->entries;
	int *count = is_mapped ? &snapshot->map_count : &snapshot->entry_count;
	if (!is_mapped && snapshot->map_count > 0)
		complain(parse, "behind entries of mapped memory: %s", line);
	*entries = grown(*entries, *count, sizeof(**entries));
	(*entries)[*count] = entry;
	parse->entry = &(*entries)[(*count)++];
}

// "PATH:LINE in FUNCTION [LANGUAGE]", with the newline. A path may have such words in it, too.
static bool
is_line_frame(const char *text)
{
	const char *language = strrchr(text, '[');
	if (!language || language < text + 2 || language[-1] != ' ')
		return false;
	size_t letters = strspn(language + 1, "abcdefghijklmnopqrstuvwxyz");
	if (letters == 0 || strcmp(language + 1 + letters, "]\n") != 0)
		return false;
	for (const char *in = text; (in = strstr(in, " in ")) && in + 4 < language - 1; in++) {
		const char *digit = in;
		while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
			digit--;
		if (digit < in && digit > text + 1 && digit[-1] == ':')
			return true;
	}
	return false;
}

static bool
is_frame(const char *text)
{
	const char *address = strstr(text, "[0x");
	int used = 0;
	uint64_t value;

	if (is_line_frame(text))
		return true;
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
	struct log_source *entry = parse->entry;
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

static bool
same_run(const char *a, const char *b)
{
	a = strstr(a, " run=");
	b = strstr(b, " run=");
	return a && b && strncmp(a, b, strlen(" run=0123456789abcdef")) == 0;
}

static void
read_header(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	struct log_run run = {.last = -1};
	int used = 0;

	end_snapshot(parse, true, 1);
	forget_told(parse);
	if (sscanf(line, "# pmem %d pid=%ld ppid=%ld start=%*d-%*d-%*dT%*d:%*d:%*fZ exe=%n",
		    &parse->version, &run.pid, &run.ppid, &used) != 3 || used == 0
		|| parse->version < 1 || parse->version > 5)
		complain(parse, "not a header: %s", line);
	log->headers++;
	for (parse->run = 0; parse->run < log->run_count; parse->run++) {
		if (same_run(log->runs[parse->run].header, line)) {
			log->runs[parse->run].repeated = true;
			return;
		}
	}
	log->runs = grown(log->runs, log->run_count++, sizeof(*log->runs));
	run.header = strdup(line);
	log->runs[parse->run] = run;
}

// What was read of it is there, and of more than nothing.
static void
read_map(struct parse *parse, const char *line)
{
	unsigned long inode, bytes, read;
	int used = 0;

	if (sscanf(line, "# map inode=%lu bytes=%lu read=%lu %n", &inode, &bytes, &read, &used) != 3
		|| used == 0 || inode == 0 || read == 0 || read > bytes || line[used] <= ' ')
		complain(parse, "not a map: %s", line);
	parse->log->maps++;
}

static void
read_comment(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	unsigned long start, end;
	char build_id[64];
	int used = 0;

	if (strncmp(line, "# pmem ", 7) == 0) {
		read_header(parse, line);
		return;
	}
	end_snapshot(parse, false, 0);
	if (parse->run < 0) {
		complain(parse, "before any header: %s", line);
	} else if (strncmp(line, "# forked from pid=", 18) == 0) {
		log->runs[parse->run].forked_from = strtol(line + 18, NULL, 10);
	} else if (sscanf(line, "# module 0x%lx-0x%lx %63s %n", &start, &end, build_id, &used) == 3
		&& used && start < end && line[used] > ' ') {
		log->modules++;
	} else if (strncmp(line, "# map inode=", 12) == 0) {
		read_map(parse, line);
	} else if (sscanf(line, "# moved 0x%lx%n", &start, &used) == 1 && line[used] == '\n') {
		log->moved++;
	} else if (strncmp(line, "# note ", 7) == 0) {
		log->notes = grown(log->notes, log->note_count, sizeof(*log->notes));
		log->notes[log->note_count++] = strdup(line + 7);
	} else if (strncmp(line, "# command ", 10) == 0 || strncmp(line, "# comm ", 7) == 0
		|| strncmp(line, "# cwd /", 7) == 0 || strncmp(line, "# cgroup /", 10) == 0) {
		log->titles = grown(log->titles, log->title_count, sizeof(*log->titles));
		log->titles[log->title_count++] = strdup(line + 2);
	} else {
		complain(parse, "not a comment: %s", line);
	}
}

static void
read_rule(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;
	int used = 0;

	// Behind a header or modules there is one empty line; behind a snapshot, its own.
	end_snapshot(parse, false, 0);
	log->snapshots = grown(log->snapshots, log->snapshot_count, sizeof(*log->snapshots));
	struct log_snapshot *snapshot = &log->snapshots[log->snapshot_count++];
	parse->open = true;
	parse->entry = NULL;
	snapshot->run = parse->run;
	if (sscanf(line, "[%" SCNu64 "]%n", &snapshot->number, &used) != 1
		|| strspn(line + used, "=") != 57)
		complain(parse, "not the head of a snapshot: %s", line);
}

static void
read_line(struct parse *parse, const char *line)
{
	struct logfile *log = parse->log;

	if (line[0] == '#')
		read_comment(parse, line);
	else if (line[0] == '[')
		read_rule(parse, line);
	else if (!parse->open)
		complain(parse, "outside a snapshot: %s", line);
	else if (strncmp(line, "churn=", 6) == 0 || strncmp(line, "time=", 5) == 0)
		read_summary(parse, line);
	else if (strncmp(line, "memory ", 7) == 0)
		read_memory_line(parse, &log->snapshots[log->snapshot_count - 1], line);
	else if (strncmp(line, "losses ", 7) == 0)
		read_losses(parse, &log->snapshots[log->snapshot_count - 1], line + 6);
	else if (strncmp(line, "label ", 6) == 0)
		read_label_line(parse, &log->snapshots[log->snapshot_count - 1], line);
	else if (strncmp(line, "thread ", 7) == 0)
		read_thread(parse, &log->snapshots[log->snapshot_count - 1], line);
	else if (line[0] == '{')
		read_entry(parse, line);
	else if (line[0] == ' ')
		read_frame(parse, line);
	else
		complain(parse, "not a line of a log: %s", line);
}

// A line that a killed process, or a full disk, left without its end: the last one, or the
// one before a header. Only where a writer had begun can it be.
static void
skip_cut(struct parse *parse, const char *line)
{
	bool is_new = line[0] == '#' || line[0] == '[';

	if (is_new)
		end_snapshot(parse, false, 0);
	if (is_new)
		parse->log->torn++;
	else if (!parse->open || (parse->blanks > 0 && line[0] != '{'))
		complain(parse, "outside a snapshot: %s", line);
}

static void
read_lines(struct parse *parse, char *text, size_t length)
{
	char line[LINE_SIZE];

	for (char *at = text; at < text + length;) {
		char *end = memchr(at, '\n', (size_t)(text + length - at));
		size_t bytes = (size_t)((end ? end + 1 : text + length) - at);
		parse->line++;
		snprintf(line, sizeof(line), "%.*s", (int)bytes, at);
		at += bytes;
		bool cut = !end || (line[0] != '\n' && strncmp(at, "# pmem ", 7) == 0);
		if (bytes >= sizeof(line) || strlen(line) != bytes)
			complain(parse, "a line of %zu bytes, or with a zero byte", bytes);
		else if (cut)
			skip_cut(parse, line);
		else if (line[0] != '\n')
			read_line(parse, line);
		parse->blanks = line[0] == '\n' ? parse->blanks + 1 : 0;
	}
}

static void
tally_log(const struct logfile *log, int complaints)
{
	tally("snapshots", (uint64_t)log->snapshot_count);
	uint64_t allocs = 0;
	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		for (int k = 0; k < snapshot->entry_count; k++)
			allocs += snapshot->entries[k].counts.allocs_more;
	}
	tally("blocks", allocs);
	tally("differences", (uint64_t)complaints);
}

int
log_read(struct logfile *log, const char *path, FILE *errors)
{
	struct parse parse = {.log = log, .path = path, .errors = errors, .run = -1};
	FILE *file = fopen(path, "r");

	memset(log, 0, sizeof(*log));
	if (!file)
		return -1;
	fseek(file, 0, SEEK_END);
	size_t length = (size_t)ftell(file);
	char *text = malloc(length + 1);
	rewind(file);
	length = fread(text, 1, length, file);
	text[length] = '\0';
	read_lines(&parse, text, length);
	end_snapshot(&parse, true, 0);
	forget_told(&parse);
	end_carried(log);
	if (length > 0 && log->headers == 0 && log->torn == 0)
		complain(&parse, "no header");
	free(text);
	fclose(file);
	tally_log(log, parse.complaints);
	return parse.complaints;
}
