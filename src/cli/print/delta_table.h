// delta_table: differences in print: a line a source, and the sums of what has no line,
// so that they add up to the difference of the totals.

#ifndef PMEM_CLI_DELTA_TABLE_H
#define PMEM_CLI_DELTA_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "rows/delta.h"
#include "rows/match.h"
#include "print/table.h"

struct delta_table {
	int by;         // enum value, below DELTA_VALUES
	uint64_t count; // most sources, as for table_most_lines()
	uint64_t min;   // least difference, in bytes: of live where it is not by bytes
	const struct match *match;
	bool stacks; // each source's id and stack below it
};

// To standard output. Looks up the names of the sources it shows. Reorders the deltas.
void delta_table_print(const struct delta_table *of, struct deltas *deltas);

#endif
