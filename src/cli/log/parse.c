#include <string.h>

#include "format.h"
#include "base/unit.h"
#include "log/parse.h"

static bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static enum line_kind
kind_of_comment(const char *line)
{
	if (begins(line, FORMAT_HEADER))
		return LINE_HEADER;
	if (begins(line, FORMAT_MODULE))
		return LINE_MODULE;
	if (begins(line, FORMAT_FORKED))
		return LINE_FORKED;
	return begins(line, FORMAT_NOTE) ? LINE_NOTE : LINE_COMMENT;
}

enum line_kind
parse_kind(const char *line)
{
	// In the order of how many there are.
	switch (line[0]) {
	case ' ':
		return begins(line, "  {") ? LINE_FRAME : LINE_UNKNOWN;
	case '{':
		return LINE_ENTRY;
	case '\0':
		return LINE_EMPTY;
	case '#':
		return kind_of_comment(line);
	case '[':
		return LINE_RULE;
	case 'c':
		return begins(line, "churn=") ? LINE_CHURN : LINE_UNKNOWN;
	case 't':
		return begins(line, "time=") ? LINE_TIME : LINE_UNKNOWN;
	case 'l':
		return begins(line, "losses ") ? LINE_LOSSES : LINE_UNKNOWN;
	default:
		return LINE_UNKNOWN;
	}
}

// Moves *at behind the text if that is there.
static bool
skip(const char **at, const char *text)
{
	size_t length = strlen(text);
	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

static bool
number(const char **at, uint64_t *value)
{
	const char *digit = *at;
	uint64_t sum = 0;

	for (; *digit >= '0' && *digit <= '9'; digit++) {
		unsigned more = (unsigned)(*digit - '0');
		if (sum > (UINT64_MAX - more) / 10)
			return false;
		sum = sum * 10 + more;
	}
	if (digit == *at)
		return false;
	*at = digit;
	*value = sum;
	return true;
}

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

static bool
pair(const char **at, const char *name, uint64_t *one, uint64_t *other)
{
	return skip(at, name) && number(at, one) && skip(at, "/") && number(at, other);
}

static bool
named(const char **at, const char *name, uint64_t *value)
{
	return skip(at, name) && number(at, value);
}

// Ends the word at the next blank; what follows that.
static char *
end_word(char *word)
{
	char *end = word + strcspn(word, " ");
	if (*end)
		*end++ = '\0';
	return end;
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

const char *
parse_header(char *line, struct parsed_header *header)
{
	static char nothing[] = "";
	const char *at = line + strlen(FORMAT_HEADER);
	const struct header_field fields[] = {
		{"pid", &header->pid, NULL},
		{"ppid", &header->ppid, NULL},
		{"start", NULL, &header->start},
		{"exe", NULL, &header->exe},
		{"show", &header->show, NULL},
		{"show_empty", &header->show_empty, NULL},
		{"host", NULL, &header->host},
		{"pidns", &header->pidns, NULL},
		{"run", &header->run, NULL},
	};

	*header = (struct parsed_header){.start = nothing, .exe = nothing, .host = nothing};
	if (!number(&at, &header->version))
		return "# pmem VERSION pid=N ...";
	if (header->version != FORMAT_VERSION)
		return "version 1: a newer pmem reads this log";
	// Fields that we do not know are another version's business.
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
	parse_unescape(header->exe);
	parse_unescape(header->host);
	return NULL;
}

const char *
parse_forked(char *line, uint64_t *pid)
{
	const char *at = line + strlen(FORMAT_FORKED);
	return named(&at, "pid=", pid) ? NULL : "# forked from pid=N blocks=N";
}

const char *
parse_module(char *line, struct parsed_module *module)
{
	static const char expected[] = "# module 0xSTART-0xEND BUILDID|- PATH";
	const char *at = line + strlen(FORMAT_MODULE);

	if (!skip(&at, "0x") || !hex(&at, &module->start) || !skip(&at, "-0x")
		|| !hex(&at, &module->end) || !skip(&at, " "))
		return expected;
	module->build_id = (char *)at;
	module->path = end_word(module->build_id);
	if (strcmp(module->build_id, "-") == 0)
		module->build_id[0] = '\0';
	if (module->start >= module->end || !*module->path
		|| module->build_id[strspn(module->build_id, "0123456789abcdef")])
		return expected;
	return NULL;
}

const char *
parse_rule(const char *line, uint64_t *value)
{
	const char *at = line + 1;
	at += strspn(at, " ");
	if (!number(&at, value) || !skip(&at, "]=") || at[strspn(at, "=")])
		return "[NUMBER] and 57 '='";
	return NULL;
}

const char *
parse_churn(const char *line, uint64_t *churn, uint64_t *threshold)
{
	return pair(&line, "churn=", churn, threshold) && !*line ? NULL : "churn=BYTES/THRESHOLD";
}

// live - what holds it - is the rest of what came after what went.
static bool
agrees(const struct counts *counts)
{
	return counts->alloc - counts->free == counts->live && counts->alloc >= counts->free
		&& counts->allocs - counts->frees == counts->blocks && counts->allocs >= counts->frees;
}

// The fields behind hidden=N, each of which may be absent.
static bool
parse_memory(const char **at, struct parsed_summary *summary)
{
	uint64_t percent;

	summary->has_emptied = pair(at, " emptied=", &summary->empty_shown, &summary->empty);
	if (!**at)
		return true;
	summary->has_memory = named(at, " rss=", &summary->rss)
		&& named(at, " file=", &summary->file) && named(at, " outside=", &summary->outside)
		&& named(at, " malloc=", &percent) && skip(at, "%");
	return summary->has_memory && (!**at || **at == ' ');
}

const char *
parse_summary(char *line, struct parsed_summary *summary)
{
	struct counts *total = &summary->total;

	*summary = (struct parsed_summary){0};
	char *word = line + strlen("time=");
	char *next = end_word(word);
	if (!unit_parse_time(&summary->time_ms, word))
		return "time=TIME, ISO 8601 in UTC";
	if (!begins(next, "reason="))
		return "reason=WORD";
	summary->reason = next + strlen("reason=");
	next = end_word(summary->reason);
	const char *at = next;
	if (!pair(&at, "live=", &total->live, &total->blocks)
		|| !pair(&at, " alloc=", &total->alloc, &total->allocs)
		|| !pair(&at, " free=", &total->free, &total->frees))
		return "live=BYTES/BLOCKS alloc=BYTES/CALLS free=BYTES/CALLS";
	if (!pair(&at, " sources=", &summary->sources, &summary->sources_max)
		|| !named(&at, " shown=", &summary->shown) || !named(&at, " hidden=", &summary->hidden))
		return "sources=N/MAX shown=N hidden=N";
	if (!parse_memory(&at, summary))
		return "rss=BYTES file=BYTES outside=BYTES malloc=N%";
	return agrees(total) ? NULL : "live to be what is allocated and not freed";
}

const char *
parse_entry(const char *line, struct parsed_entry *entry)
{
	static const char expected[] = "{ID} live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, "
				       "blocks:N, allocs:DELTA/TOTAL, frees:DELTA/TOTAL";
	struct counts *counts = &entry->counts;
	struct counts *more = &entry->more;
	const char *at = line + 1;

	*entry = (struct parsed_entry){.name = ENTRY_ID};
	if (skip(&at, FORMAT_OTHER))
		entry->name = ENTRY_OTHER;
	else if (skip(&at, FORMAT_REST))
		entry->name = ENTRY_REST;
	else if (!hex(&at, &entry->id))
		return expected;
	if (!named(&at, "} live:", &counts->live)
		|| !pair(&at, ", alloc:", &more->alloc, &counts->alloc)
		|| !pair(&at, ", free:", &more->free, &counts->free))
		return expected;
	// The first pmem's end here, and do not say what the numbers count.
	entry->is_seeds = !*at;
	if (entry->is_seeds)
		return NULL;
	if (!named(&at, ", blocks:", &counts->blocks)
		|| !pair(&at, ", allocs:", &more->allocs, &counts->allocs)
		|| !pair(&at, ", frees:", &more->frees, &counts->frees) || *at)
		return expected;
	if (more->alloc > counts->alloc || more->free > counts->free || more->allocs > counts->allocs
		|| more->frees > counts->frees)
		return "no DELTA above its TOTAL";
	return agrees(counts) ? NULL : "live to be what is allocated and not freed";
}

const char *
parse_frame(char *line, struct parsed_frame *frame)
{
	const char *at = line + strlen("  {");
	if (!number(&at, &frame->number) || !skip(&at, "} ") || !*at)
		return "  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS]";
	frame->text = (char *)at;
	return NULL;
}

bool
parse_loss(char **at, char **name, uint64_t *count)
{
	char *word = *at + strspn(*at, " ");
	*at = word;
	if (!*word)
		return false;
	char *next = end_word(word);
	char *equals = strchr(word, '=');
	const char *digits = equals ? equals + 1 : "";
	*at = NULL;
	if (!equals || equals == word || !number(&digits, count) || *digits)
		return false;
	*equals = '\0';
	*name = word;
	*at = next;
	return true;
}

void
parse_unescape(char *text)
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
