// SPDX-License-Identifier: BSD-2-Clause
// line: parses one line of a log: its kind and its contents. It knows the grammar (format.h), but
// not how lines belong together.
//
// Words are terminated in the text, and pointers into the text are kept. Nothing past its end is
// read.

#ifndef PMEM_CLI_LINE_H
#define PMEM_CLI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"

enum line_kind {
	LINE_EMPTY,
	LINE_HEADER,  // # pmem
	LINE_FORKED,  // # forked from
	LINE_COMMAND, // # command
	LINE_CGROUP,  // # cgroup
	LINE_MODULE,  // # module
	LINE_MOVED,   // # moved
	LINE_NOTE,    // # note
	LINE_COMMENT, // any other that begins with #
	LINE_RULE,    // [NNN]====
	LINE_CHURN,
	LINE_TIME,
	LINE_LOSSES,
	LINE_THREAD,
	LINE_LABEL,
	LINE_ENTRY, // {ID} live:
	LINE_FRAME,
	LINE_UNKNOWN,
};

struct header {
	uint64_t version;
	uint64_t pid, ppid, pidns, run, show, show_empty, sampled, begin, rate; // 0 if absent
	uint64_t first, grown_ms; // 0 if absent
	char *start, *exe, *host;                         // "" if absent
	int64_t start_ms;
};

enum entry_name {
	ENTRY_ID,
	ENTRY_OTHER,
	ENTRY_INHERITED,
	ENTRY_REST,
};

// The thread that has allocated most of a source.
struct by {
	uint64_t id;
	char *name; // NULL if the line names none
	uint64_t percent;
};

struct line {
	enum line_kind kind;
	const char *what;     // what a message calls such a line
	const char *expected; // what a message expected instead; NULL if the line is valid
	union {
		struct header header;   // LINE_HEADER
		// LINE_RULE: the number; LINE_CHURN: churn and threshold; LINE_TIME: the rest
		struct summary summary;
		struct {                // LINE_MODULE
			uint64_t start, end;
			char *build_id; // "" if none
			char *path;
		} module;
		struct { // LINE_ENTRY
			enum entry_name name;
			bool is_mapped;
			bool is_seeds; // true if in the first pmem's format: without blocks, allocs and frees
			uint64_t id;
			struct counts now, before;
			struct by by;
			bool is_unseen; // true if its blocks may be freed without the library
		} entry;
		struct { // LINE_THREAD
			enum thread_kind kind;
			uint64_t id;
			char *name;
			struct counts now, before; // without live and blocks
		} thread;
		struct { // LINE_LABEL
			char *name;
			struct counts now, before;
		} label;
		// LINE_FRAME; LINE_FORKED: the parent's pid; LINE_MOVED: an address; others: the text
		struct {
			uint64_t number;
			char *text;
		} rest;
	};
};

void line_parse(struct line *line, char *text);

#define FRAME_EXPECTED \
	"  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS], or PATH:LINE in FUNCTION [LANGUAGE]"

// Parses a LINE_FRAME's text. Only on demand: most lines are frames, and most of these are not
// needed.
void line_parse_frame(struct line *line);

// A line of the program's own language: PATH:LINE in FUNCTION [LANGUAGE]. Words are terminated in
// the text, and \\xHH is decoded.
struct script_line {
	char *path, *function, *language;
	unsigned line; // 0 if not known
};

// Returns true if a frame's text ends in ` [LANGUAGE]`, in small letters. No other frame's text
// does.
bool line_is_script(char *text);

// Parses such a text. Returns false if it has no `PATH:LINE in `: then all of it is the function.
bool line_parse_script(struct script_line *script, char *text);

// Helpers of line_parse(). The first three return what was expected, or NULL. line_parse_by() also
// returns true if the line names no thread.
const char *line_parse_time(char *text, struct summary *summary);
const char *line_parse_thread(struct line *line, char *text);
const char *line_parse_label(struct line *line, char *text);
bool line_parse_by(struct line *line, const char **at);
bool line_agrees(const struct counts *counts);

// Returns true if a process can reach such counts: up to 2^60. So differences and sums of several
// do not overflow.
#define LINE_COUNT_MOST (UINT64_C(1) << 60)
bool line_is_possible(const struct counts *counts);

// Parse what a source and a label have: live and bytes, then blocks and calls. `more` has the
// DELTAs: what came since the snapshot before. line_before() subtracts them. The last two functions
// check such numbers.
bool line_parse_bytes(const char **at, struct counts *now, struct counts *more);
bool line_parse_calls(const char **at, struct counts *now, struct counts *more);
struct counts line_before(const struct counts *now, const struct counts *more);
const char *line_check_more(const struct counts *now, const struct counts *more);
const char *line_check_held(const struct counts *now, const struct counts *more);

// Decodes \xHH in place.
void line_unescape(char *text);

#endif
