// SPDX-License-Identifier: BSD-2-Clause
// groups: joins sources to lines of source code, and to modules, and makes their texts.

#ifndef PMEM_CLI_GROUPS_H
#define PMEM_CLI_GROUPS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "html/findings.h"
#include "rows/row.h"

// All sources, each by its number.
struct grouped {
	const struct row *rows;
	const struct joined *joined;
	const uint64_t *most; // the most live bytes that each ever had
};

// The group of a source.
struct member {
	size_t group;  // the group's number, or GROUPS_NONE
	const char *name; // the group's name. NULL: the text of the line that its sources have in common
};
#define GROUPS_NONE ((size_t)-1)

// Writes a member of the page's JSON. members[n] has the group of source number n. Groups with
// fewer than `least` sources are left out.
void groups_write(FILE *to, const char *title, const struct grouped *sources, const struct member *members,
	size_t count, size_t least);

// Returns a text for each of the largest sources, and NULL for the other sources. The caller frees
// each text and the array.
char **groups_texts(const struct grouped *sources, size_t count);

#endif
