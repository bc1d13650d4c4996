// parse: one line of a log at a time: which kind it is, and what it says. Knows the grammar
// (format.h) and nothing of how lines belong together.
//
// The parse_ functions return NULL, or what they expected instead: the text goes behind
// "expected " in a message. They write to the line (terminating words), keep pointers into it,
// and never read past its end.

#ifndef PMEM_CLI_PARSE_H
#define PMEM_CLI_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/counts.h"

enum line_kind {
	LINE_EMPTY,
	LINE_HEADER,  // # pmem
	LINE_FORKED,  // # forked from
	LINE_MODULE,  // # module
	LINE_NOTE,    // # note
	LINE_COMMENT, // any other that begins with #
	LINE_RULE,    // [NNN]====
	LINE_CHURN,
	LINE_TIME,
	LINE_LOSSES,
	LINE_ENTRY, // {ID} live:
	LINE_FRAME,
	LINE_UNKNOWN,
};

enum line_kind parse_kind(const char *line);

struct parsed_header {
	uint64_t version;
	uint64_t pid, ppid, pidns, run, show, show_empty; // 0: not there
	char *start, *exe, *host;                         // "": not there
	int64_t start_ms;
};

struct parsed_module {
	uint64_t start, end;
	char *build_id; // "": none
	char *path;     // as it stands in the line
};

struct parsed_summary { // the line that begins with time=
	int64_t time_ms;
	char *reason;
	struct counts total;
	uint64_t sources, sources_max, shown, hidden;
	bool has_emptied;
	uint64_t empty_shown, empty;
	bool has_memory;
	uint64_t rss, file, outside;
};

enum entry_name {
	ENTRY_ID,
	ENTRY_OTHER,
	ENTRY_REST,
};

struct parsed_entry {
	enum entry_name name;
	uint64_t id;
	struct counts counts;
	struct counts more; // alloc, free, allocs, frees since the last snapshot
	bool is_seeds;      // it has no blocks, allocs and frees
};

struct parsed_frame {
	uint64_t number;
	char *text; // behind {N}
};

const char *parse_header(char *line, struct parsed_header *header);
const char *parse_forked(char *line, uint64_t *pid);
const char *parse_module(char *line, struct parsed_module *module);
const char *parse_rule(const char *line, uint64_t *number);
const char *parse_churn(const char *line, uint64_t *churn, uint64_t *threshold);
const char *parse_summary(char *line, struct parsed_summary *summary);
const char *parse_entry(const char *line, struct parsed_entry *entry);
const char *parse_frame(char *line, struct parsed_frame *frame);

// The next NAME=COUNT of a `losses` line, from *at on. False at its end; then *at is NULL
// unless that was clean.
bool parse_loss(char **at, char **name, uint64_t *count);

// Reads \xHH, in place.
void parse_unescape(char *text);

#endif
