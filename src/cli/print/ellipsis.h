// SPDX-License-Identifier: BSD-2-Clause
// ellipsis: cuts the text of a source (rows/attribution.h) to a number of columns. "..." stands for
// the functions that are left out.
//
// The parts of such a text are functions: the first one, then its callers outwards. " < " separates
// them. " via " stands before a function that the first one called.

#ifndef PMEM_CLI_ELLIPSIS_H
#define PMEM_CLI_ELLIPSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ELLIPSIS "..."

struct ellipsis_part {
	const char *begin, *end;
	size_t columns;
	// true for an offset or an address instead of a function's name: git(+0x1f), +0x1f, [0x11b0]
	bool is_nameless;
	bool is_via;  // true for a function behind " via "
	bool is_told; // true if the part is shown, false if it is left out
	// points to the text that must be visible if the part is shown; NULL for the part's beginning
	const char *mark;
	size_t line; // columns up to the end of its file and line, which is not cut; 0 if it may be
	// the blank before its file and line, if these end it and its name is cut instead; or NULL
	const char *place;
};

// Returns the part with the text from `begin` to `end`.
struct ellipsis_part ellipsis_part_of(const char *begin, const char *end, bool is_via);

// ellipsis_part_least() returns the fewest columns in which the part is still useful.
// ellipsis_part_columns() returns how many columns the part takes if `share` columns are given to
// it.
size_t ellipsis_part_least(const struct ellipsis_part *part);
size_t ellipsis_part_columns(const struct ellipsis_part *part, size_t share);

// Shortens a part that takes more than `columns`. First cuts its module, then the outer namespaces
// and classes, but keeps the last `scopes` of these. Cuts nothing from the mark on.
void ellipsis_part_shorten(struct ellipsis_part *part, size_t columns, int scopes);

// Prints the part, with its mark visible, in at most `columns` columns.
void ellipsis_part_put(FILE *to, const struct ellipsis_part *part, size_t columns);

struct ellipsis_parts {
	struct ellipsis_part *parts;
	size_t count, room;
};

// Splits the text into parts, at least one. The result is valid until the next call, and while the
// text lives.
const struct ellipsis_parts *ellipsis_split(const char *text);

// Returns the text cut to `columns` columns; the caller frees it. `marks` are places in the text
// that must stay visible. The first part, the first that has a file and line, and those with a mark
// are shown. Other parts are shown while they fit, from the first on, except callers without a name.
// "..." stands for the parts left out before another: "create < ... < handle_get". Of a name
// that is too long, first the module is cut, then the outer scopes, then the end. The file and line behind
// the name are kept. On the narrowest terminals only the last mark may stay visible.
char *ellipsis_cut(const char *text, const char *const *marks, size_t mark_count,
	size_t columns);

// Does the same as ellipsis_cut(), for all texts of a table's column. With 0 columns nothing is
// cut. If two different texts would be equal once cut, each gets a mark at the place where they
// differ. The caller frees each text and the array.
char **ellipsis_fit(char *const *texts, size_t count, size_t columns);

#endif
