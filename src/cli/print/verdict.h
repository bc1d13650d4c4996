// verdict: what the findings are in all, in sentences, then tables of the sources: those that leak,
// and those that do not.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include <stdbool.h>

#include "trend/findings.h"

struct verdict_style {
	size_t most; // sources in a table; the others are summed up
	bool stacks; // each with its whole stack
	bool all;    // also the sources that do not leak
};

// To standard output. Looks up the names of the sources it shows.
void verdict_print(const struct findings *findings, const struct history *history,
	const struct verdict_style *style);

#endif
