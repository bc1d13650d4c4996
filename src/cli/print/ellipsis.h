// SPDX-License-Identifier: BSD-2-Clause
// ellipsis: a line's text about a source (rows/attribution.h), cut to a number of columns, with
// "..." for what is left out.
//
// The parts of such a text are functions, from the one that the line is about outwards: " < "
// stands between them, and " via " before one that the first called.

#ifndef PMEM_CLI_ELLIPSIS_H
#define PMEM_CLI_ELLIPSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ELLIPSIS "..."

struct ellipsis_part {
	const char *begin, *end;
	size_t columns;
	bool is_nameless; // a place in place of a name: server(+0x11b0), +0x11b0, [0x11b0]
	bool is_via;
	bool is_told;
	const char *mark; // what must be seen of it, if it is told; NULL: its beginning
};

// That text, from here to there.
struct ellipsis_part ellipsis_part_of(const char *begin, const char *end, bool is_via);

// The fewest columns that it tells something in; and how many it takes where it may have so many.
size_t ellipsis_part_least(const struct ellipsis_part *part);
size_t ellipsis_part_columns(const struct ellipsis_part *part, size_t share);

// Without what may go from a name that is too long, as long as it is: its module, then namespaces
// and classes up to the last `scopes`. Not beyond the mark.
void ellipsis_part_shorten(struct ellipsis_part *part, size_t columns, int scopes);

// In no more columns than that, with its mark.
void ellipsis_part_put(FILE *to, const struct ellipsis_part *part, size_t columns);

struct ellipsis_parts {
	struct ellipsis_part *parts;
	size_t count, room;
};

// At least one, of any text. Good until the next call, and as long as the text.
const struct ellipsis_parts *ellipsis_split(const char *text);

// The text in so many columns, to be freed. Marks are places in it that have to be seen: the
// first part and those with a mark are told, and as many more as there is room for, from the
// first on; callers without a name are not. What is left out is "..."; a name that is too long
// loses its module, its outer scopes, and then its end: "create < ... < handle_get < ...". On the
// least of terminals all but the last mark may go.
char *ellipsis_cut(const char *text, const char *const *marks, size_t mark_count,
	size_t columns);

// A column of such texts, cut to so many columns, such that those that differ read differently:
// with marks where they do. 0: as they are. To be freed, and so are all together.
char **ellipsis_fit(char *const *texts, size_t count, size_t columns);

#endif
