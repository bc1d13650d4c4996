// SPDX-License-Identifier: BSD-2-Clause
// line: one line of a log: which kind it is, and what it says. Knows the grammar (format.h) and
// nothing of how lines belong together.
//
// Words are terminated in the text, and pointers into it kept; nothing is read past its end.

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
	uint64_t pid, ppid, pidns, run, show, show_empty, sampled, begin, rate; // 0: not there
	uint64_t first, grown_ms; // likewise
	char *start, *exe, *host;                         // "": not there
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
	char *name; // NULL: the line does not say
	uint64_t percent;
};

struct line {
	enum line_kind kind;
	const char *what;     // such a line in a message
	const char *expected; // goes behind "expected " in one; NULL: the line is as it should be
	union {
		struct header header;   // LINE_HEADER
		struct summary summary; // LINE_RULE: its number; LINE_CHURN: the two; LINE_TIME: the rest
		struct {                // LINE_MODULE
			uint64_t start, end;
			char *build_id; // "": none
			char *path;
		} module;
		struct { // LINE_ENTRY
			enum entry_name name;
			bool is_seeds; // the first pmem's: it has no blocks, allocs and frees
			uint64_t id;
			struct counts now, before;
			struct by by;
			bool is_unseen; // its blocks may be freed past the library
		} entry;
		struct { // LINE_THREAD
			enum thread_kind kind;
			uint64_t id;
			char *name;
			struct counts now, before; // but for live and blocks
		} thread;
		struct { // LINE_LABEL
			char *name;
			struct counts now, before;
		} label;
		struct { // LINE_FRAME; LINE_FORKED: the parent's pid; LINE_MOVED: an address; the others: the text
			uint64_t number;
			char *text;
		} rest;
	};
};

void line_parse(struct line *line, char *text);

#define FRAME_EXPECTED \
	"  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS], or PATH:LINE in FUNCTION [LANGUAGE]"

// What a LINE_FRAME says: most lines are one, and most of these nobody asks.
void line_parse_frame(struct line *line);

// A line of the program's own language: PATH:LINE in FUNCTION [LANGUAGE]. Words are terminated in
// the text, \\xHH read.
struct script_line {
	char *path, *function, *language;
	unsigned line; // 0: not known
};

// Whether a frame's text ends in ` [LANGUAGE]`, in small letters, as no other's does.
bool line_is_script(char *text);

// Of one that does. False: there is no `PATH:LINE in `, and all of it is taken for the function.
bool line_parse_script(struct script_line *script, char *text);

// For line_parse(). What was expected, or NULL; by is true where there is none.
const char *line_parse_time(char *text, struct summary *summary);
const char *line_parse_thread(struct line *line, char *text);
const char *line_parse_label(struct line *line, char *text);
bool line_parse_by(struct line *line, const char **at);
bool line_agrees(const struct counts *counts);

// Whether a process can come so far: to 2^60, of which differences, and sums of several, are numbers.
#define LINE_COUNT_MOST (UINT64_C(1) << 60)
bool line_is_possible(const struct counts *counts);

// What a source and a label have: live and bytes, then blocks and calls; and what that was before,
// of which `more`, the DELTAs, came since then. Two checks of such numbers.
bool line_parse_bytes(const char **at, struct counts *now, struct counts *more);
bool line_parse_calls(const char **at, struct counts *now, struct counts *more);
struct counts line_before(const struct counts *now, const struct counts *more);
const char *line_check_more(const struct counts *now, const struct counts *more);
const char *line_check_held(const struct counts *now, const struct counts *more);

// Reads \xHH, in place.
void line_unescape(char *text);

#endif
