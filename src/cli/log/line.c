// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "format.h"
#include "base/unit.h"
#include "log/lexer.h"
#include "log/line.h"

static int
hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

static bool
hex(const char **at, uint64_t *value)
{
	const char *digit = *at;
	uint64_t sum = 0;

	for (; hex_digit(*digit) >= 0; digit++) {
		if (sum >> 60)
			return false;
		sum = sum << 4 | (uint64_t)hex_digit(*digit);
	}
	if (digit == *at)
		return false;
	*at = digit;
	*value = sum;
	return true;
}

void
line_unescape(char *text)
{
	char *to = strchr(text, '\\');
	if (!to)
		return;
	for (const char *from = to; *from; to++) {
		if (from[0] == '\\' && from[1] == 'x' && hex_digit(from[2]) >= 0
			&& hex_digit(from[3]) >= 0 && (hex_digit(from[2]) || hex_digit(from[3]))) {
			*to = (char)(hex_digit(from[2]) << 4 | hex_digit(from[3]));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

struct header_field {
	const char *name;
	uint64_t *number;
	char **word;
};

static bool
header_field(const struct header_field *field, char *word)
{
	size_t length = strlen(field->name);
	if (strncmp(word, field->name, length) != 0 || word[length] != '=')
		return false;
	word += length + 1;
	if (field->word) {
		*field->word = word;
		return true;
	}
	const char *at = word;
	if (strcmp(field->name, "run") == 0)
		hex(&at, field->number);
	else
		number(&at, field->number);
	return true;
}

static const char *
parse_header(char *line, struct header *header)
{
	static char nothing[] = "";
	const char *at = line + strlen(FORMAT_HEADER);
	const struct header_field fields[] = {
		{"pid", &header->pid, NULL},
		{"ppid", &header->ppid, NULL},
		{"start", NULL, &header->start},
		{"exe", NULL, &header->exe},
		{"comm", NULL, &header->comm},
		{"show", &header->show, NULL},
		{"show_empty", &header->show_empty, NULL},
		{"begin", &header->begin, NULL},
		{"first", &header->first, NULL},
		{"grown_ms", &header->grown_ms, NULL},
		{"rate", &header->rate, NULL},
		{"sampled", &header->sampled, NULL},
		{"host", NULL, &header->host},
		{"pidns", &header->pidns, NULL},
		{"run", &header->run, NULL},
	};

	*header = (struct header){.start = nothing, .exe = nothing, .comm = nothing,
		.host = nothing};
	if (!number(&at, &header->version))
		return "# pmem VERSION pid=N ...";
	if (header->version < FORMAT_VERSION_OLDEST || header->version > FORMAT_VERSION)
		return "version 1 to 5: a newer pmem reads this log";
	// Unknown fields are skipped: they belong to another version of the format.
	for (char *word = (char *)at + strspn(at, " "); *word;) {
		char *next = end_word(word);
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			if (header_field(&fields[i], word))
				break;
		word = next + strspn(next, " ");
	}
	if (header->pid == 0)
		return "pid=N";
	if (*header->start && !unit_parse_time(&header->start_ms, header->start))
		return "start=TIME, ISO 8601 in UTC";
	line_unescape(header->exe);
	line_unescape(header->comm);
	line_unescape(header->host);
	return NULL;
}

static const char *
parse_module(char *text, struct line *line)
{
	static const char expected[] = "# module 0xSTART-0xEND BUILDID|- PATH";
	const char *at = text + strlen(FORMAT_MODULE);

	if (!skip(&at, "0x") || !hex(&at, &line->module.start) || !skip(&at, "-0x")
		|| !hex(&at, &line->module.end) || !skip(&at, " "))
		return expected;
	char *build_id = (char *)at;
	line->module.build_id = build_id;
	line->module.path = end_word(build_id);
	if (strcmp(build_id, "-") == 0)
		build_id[0] = '\0';
	if (line->module.start >= line->module.end || !*line->module.path
		|| build_id[strspn(build_id, "0123456789abcdef")])
		return expected;
	line_unescape(line->module.path);
	return NULL;
}

static const char *
parse_rule(const char *at, uint64_t *value)
{
	at++;
	at += strspn(at, " ");
	if (!number(&at, value) || !skip(&at, "]=") || at[strspn(at, "=")])
		return "[NUMBER] and 57 '='";
	return NULL;
}

bool
line_parse_bytes(const char **at, struct counts *now, struct counts *more)
{
	return named(at, "live:", &now->live) && pair(at, ", alloc:", &more->alloc, &now->alloc)
		&& pair(at, ", free:", &more->free, &now->free);
}

bool
line_parse_calls(const char **at, struct counts *now, struct counts *more)
{
	return named(at, ", blocks:", &now->blocks)
		&& pair(at, ", allocs:", &more->allocs, &now->allocs)
		&& pair(at, ", frees:", &more->frees, &now->frees);
}

struct counts
line_before(const struct counts *now, const struct counts *more)
{
	struct counts before = *now;
	struct counts less = *more;

	less.live = more->alloc - more->free;
	less.blocks = more->allocs - more->frees;
	counts_subtract(&before, &less);
	return before;
}

const char *
line_check_more(const struct counts *now, const struct counts *more)
{
	return more->alloc > now->alloc || more->free > now->free || more->allocs > now->allocs
		|| more->frees > now->frees || !line_is_possible(now) ? "no DELTA above its TOTAL" : NULL;
}

const char *
line_check_held(const struct counts *now, const struct counts *more)
{
	const char *expected = line_check_more(now, more);
	return expected || line_agrees(now) ? expected : "live to be what is allocated and not freed";
}

static bool
parse_id(const char **at, struct line *line)
{
	++*at;
	line->entry.name = ENTRY_ID;
	if (skip(at, FORMAT_OTHER))
		line->entry.name = ENTRY_OTHER;
	else if (skip(at, FORMAT_INHERITED))
		line->entry.name = ENTRY_INHERITED;
	else if (skip(at, FORMAT_REST))
		line->entry.name = ENTRY_REST;
	else if (!hex(at, &line->entry.id))
		return false;
	return skip(at, "} ");
}

static const char mapped_word[] = "mapped:";

static const char *
parse_maps(const char *at, struct line *line)
{
	struct counts *now = &line->entry.of.now;
	struct counts more = {0};

	if (!named(&at, mapped_word, &now->live) || !pair(&at, ", map:", &more.alloc, &now->alloc)
			|| !pair(&at, ", unmap:", &more.free, &now->free)
			|| !named(&at, ", mappings:", &now->blocks)
			|| !pair(&at, ", maps:", &more.allocs, &now->allocs)
			|| !pair(&at, ", unmaps:", &more.frees, &now->frees) || (*at && *at != ' '))
		return "{ID} mapped:BYTES, map:DELTA/TOTAL, unmap:DELTA/TOTAL, mappings:N, "
			"maps:DELTA/TOTAL, unmaps:DELTA/TOTAL";
	line->entry.of.before = line_before(now, &more);
	const char *expected = line_check_more(now, &more);
	return expected || line_agrees(now) ? expected : "mapped to be what is mapped and not unmapped";
}

static const char *
parse_entry(const char *at, struct line *line)
{
	static const char expected[] = "{ID} live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, "
				       "blocks:N, allocs:DELTA/TOTAL, frees:DELTA/TOTAL";
	struct counts *now = &line->entry.of.now;
	struct counts more = {0};

	line->entry.of = (struct entry){0};
	line->entry.is_mapped = line->entry.is_seeds = false;
	if (!parse_id(&at, line))
		return expected;
	line->entry.is_mapped = begins(at, mapped_word);
	if (line->entry.is_mapped)
		return parse_maps(at, line);
	if (!line_parse_bytes(&at, now, &more))
		return expected;
	// In logs of pmem's first version an entry ends here, without blocks and calls.
	line->entry.is_seeds = !*at;
	if (*at && (!line_parse_calls(&at, now, &more) || !line_parse_by(line, &at)))
		return expected;
	if (!line->entry.is_seeds) {
		line->entry.of.is_unseen = skip(&at, FORMAT_UNSEEN);
		if (*at && *at != ' ')
			return expected;
	}
	line->entry.of.before = line_before(now, &more);
	if (line->entry.is_seeds)
		return line_is_possible(now) && line_is_possible(&more) ? NULL : expected;
	return line_check_held(now, &more);
}

static void
parse_comment(struct line *line, char *text)
{
	const char *at = text + strlen(FORMAT_FORKED);

	line->kind = LINE_COMMENT;
	line->what = "a comment";
	if (begins(text, FORMAT_HEADER)) {
		line->kind = LINE_HEADER;
		line->what = "a header";
		line->expected = parse_header(text, &line->header);
	} else if (begins(text, FORMAT_MODULE)) {
		line->kind = LINE_MODULE;
		line->expected = parse_module(text, line);
	} else if (begins(text, FORMAT_MOVED)) {
		line->kind = LINE_MOVED;
		at = text + strlen(FORMAT_MOVED);
		if (!skip(&at, "0x") || !hex(&at, &line->rest.number) || *at)
			line->expected = "# moved 0xADDRESS";
	} else if (begins(text, FORMAT_FORKED)) {
		line->kind = LINE_FORKED;
		if (!named(&at, "pid=", &line->rest.number))
			line->expected = "# forked from pid=N snapshots=N";
	} else if (begins(text, FORMAT_COMMAND)) {
		line->kind = LINE_COMMAND;
		line->rest.text = text + strlen(FORMAT_COMMAND);
	} else if (begins(text, FORMAT_CGROUP)) {
		line->kind = LINE_CGROUP;
		line->rest.text = text + strlen(FORMAT_CGROUP);
	} else if (begins(text, FORMAT_NOTE)) {
		line->kind = LINE_NOTE;
		line->rest.text = text + strlen(FORMAT_NOTE);
	}
}

static void
parse_word(struct line *line, char *text)
{
	struct summary *summary = &line->summary;
	const char *at = text;

	if (begins(text, "churn=")) {
		line->kind = LINE_CHURN;
		line->what = "churn";
		if (!pair(&at, "churn=", &summary->churn, &summary->threshold) || *at)
			line->expected = "churn=BYTES/THRESHOLD";
	} else if (begins(text, "time=")) {
		line->kind = LINE_TIME;
		line->what = "a snapshot's summary";
		line->expected = line_parse_time(text, summary);
	} else if (begins(text, FORMAT_MEMORY " ")) {
		line->kind = LINE_MEMORY;
		line->what = "a snapshot's memory";
		line->expected = line_parse_memory(text, summary);
	} else if (begins(text, "losses ")) {
		line->kind = LINE_LOSSES;
		line->what = "losses";
		line->rest.text = text + strlen("losses ");
	} else if (begins(text, FORMAT_THREAD)) {
		line->kind = LINE_THREAD;
		line->what = "a thread";
		line->expected = line_parse_thread(line, text);
	} else if (begins(text, FORMAT_LABEL_LINE)) {
		line->kind = LINE_LABEL;
		line->what = "a label";
		line->expected = line_parse_label(line, text);
	}
}

void
line_parse(struct line *line, char *text)
{
	line->kind = LINE_UNKNOWN;
	line->expected = NULL;
	// The kinds of line that are most frequent in a log are tried first.
	switch (text[0]) {
	case ' ':
		if (text[1] == ' ' && text[2] == '{') {
			line->kind = LINE_FRAME;
			line->what = "a frame";
			line->rest.text = text;
		}
		break;
	case '{':
		line->kind = LINE_ENTRY;
		line->what = "an entry";
		line->expected = parse_entry(text, line);
		break;
	case '\0':
		line->kind = LINE_EMPTY;
		break;
	case '#':
		parse_comment(line, text);
		break;
	case '[':
		line->kind = LINE_RULE;
		line->what = "a snapshot";
		line->expected = parse_rule(text, &line->summary.number);
		break;
	default:
		parse_word(line, text);
	}
	if (line->kind == LINE_UNKNOWN) {
		line->what = "a line";
		line->expected = "one of a pmem log";
	}
}

void
line_parse_frame(struct line *line)
{
	const char *at = line->rest.text + strlen("  {");
	if (number(&at, &line->rest.number) && at[0] == '}' && at[1] == ' ' && at[2])
		line->rest.text = (char *)at + strlen("} ");
	else
		line->expected = FRAME_EXPECTED;
}
