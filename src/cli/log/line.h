// SPDX-License-Identifier: BSD-2-Clause
// line: parses one line of a log into its kind and its contents. This module knows the grammar of
// single lines (format.h), but not the order in which lines come.
//
// The parsed line points into the text: parsing ends each word in the text with a '\0'. Nothing
// beyond the text's end is read.

#ifndef PMEM_CLI_LINE_H
#define PMEM_CLI_LINE_H

#include <stdbool.h>
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
	LINE_COMMENT, // any other line that begins with #
	LINE_RULE,    // [NNN]===
	LINE_CHURN,
	LINE_TIME,
	LINE_MEMORY,
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
	char *start, *exe, *comm, *host;                  // "" if absent
	int64_t start_ms;
};

enum entry_name {
	ENTRY_ID,
	ENTRY_OTHER,
	ENTRY_INHERITED,
	ENTRY_REST,
};

struct line {
	enum line_kind kind;
	const char *what;     // name of this kind of line in messages
	const char *expected; // for a message: how a valid line looks; NULL if the line is valid
	union {
		struct header header;   // LINE_HEADER
		// LINE_RULE sets only the number. LINE_CHURN sets only churn and threshold.
		// LINE_TIME sets all other fields, in logs up to format 4 those of the process's memory,
		// too. LINE_MEMORY sets these alone.
		struct summary summary;
		struct {                // LINE_MODULE
			uint64_t start, end;
			char *build_id; // "" if absent
			char *path;
		} module;
		struct { // LINE_ENTRY
			enum entry_name name;
			bool is_mapped;
			// true for an entry in the format of pmem's first version, without blocks and calls
			bool is_seeds;
			uint64_t id;
			struct entry of; // without its source
		} entry;
		struct thread_entry thread; // LINE_THREAD
		struct label_entry label;   // LINE_LABEL
		// LINE_FRAME: the frame's number and text. LINE_FORKED: the parent's pid. LINE_MOVED: an
		// address. For other kinds, the text.
		struct {
			uint64_t number;
			char *text;
		} rest;
	};
};

void line_parse(struct line *line, char *text);

#define FRAME_EXPECTED \
	"  {FRAME} MODULE(SYMBOL+0xOFFSET) [0xADDRESS], or PATH:LINE in FUNCTION [LANGUAGE]"

// Parses the text of a LINE_FRAME, which line_parse() does not. The reason is speed: most lines are
// frames, and most frames belong to a known stack and are skipped.
void line_parse_frame(struct line *line);

// The parts of a frame that is a line of source code: PATH:LINE in FUNCTION [LANGUAGE]. Each part
// is terminated in the text, and \xHH is decoded.
struct script_line {
	char *path, *function, *language;
	unsigned line; // 0 if not known
};

// Returns true if a frame's text ends in ` [LANGUAGE]`, in lower case. Only a frame that is a line
// of source code has this end.
bool line_is_script(char *text);

// Parses a frame's text for which line_is_script() returns true. If the text has no `PATH:LINE in
// `, returns false and takes all of the text as the function's name.
bool line_parse_script(struct script_line *script, char *text);

// Parts of line_parse() that lie in other files. The first four return what was expected, or NULL
// if the line is valid. line_parse_by() parses the thread that allocated most. It returns false if
// the text is not valid. A text without a thread is valid.
const char *line_parse_time(char *text, struct summary *summary);
const char *line_parse_memory(const char *text, struct summary *summary);
const char *line_parse_thread(struct line *line, char *text);
const char *line_parse_label(struct line *line, char *text);
bool line_parse_by(struct line *line, const char **at);
bool line_agrees(const struct counts *counts);

// Counts must be below this limit, 2^60. No process can reach it. Below it, differences and sums of
// several counts do not overflow.
#define LINE_COUNT_MOST (UINT64_C(1) << 60)
bool line_is_possible(const struct counts *counts);

// line_parse_bytes() parses live and bytes of a source or a label. After it, line_parse_calls()
// parses blocks and calls. *more gets the DELTAs: what was added since the snapshot before.
// line_before() returns the counts at that earlier snapshot. line_check_more() and
// line_check_held() return what was expected instead if the numbers are impossible, or NULL.
bool line_parse_bytes(const char **at, struct counts *now, struct counts *more);
bool line_parse_calls(const char **at, struct counts *now, struct counts *more);
struct counts line_before(const struct counts *now, const struct counts *more);
const char *line_check_more(const struct counts *now, const struct counts *more);
const char *line_check_held(const struct counts *now, const struct counts *more);

// Decodes each \xHH of the text, in place.
void line_unescape(char *text);

#endif
