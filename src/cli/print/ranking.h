// ranking: a table of sources in print: values, shares and where, a line each, and the sums of
// what has no line. Shares add up to 100.0%, and with --bytes so do values to the total.

#ifndef PMEM_CLI_RANKING_H
#define PMEM_CLI_RANKING_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"
#include "base/term.h"

struct ranking {
	enum value by;  // the first column, and what shares are of; of growth, which may be less
	                // than nothing, they are not: then they are of live
	bool stacks;    // each source's whole stack below its line
	bool processes; // how many processes have it
	bool no_calls;  // blocks, allocs and frees are not known
	struct ranking_line *lines;
	size_t count;
	size_t room;
};

// A source's line, {other}'s or {rest}'s; its names must have been looked up (symbols.h). The
// row stays where it is until the ranking is printed.
void ranking_add(struct ranking *ranking, const struct row *row);

// Several sources in one line.
void ranking_add_sum(struct ranking *ranking, const struct row *sum, const char *text);

// To standard output, with a line for the total below. Frees all lines.
void ranking_print(struct ranking *ranking, const struct row *total);

#endif
