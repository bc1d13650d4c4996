// leaks: what leaks, and what else there is to say of a process: in sentences, then tables of
// the sources, those that leak and those that do not.

#ifndef PMEM_CLI_PRINT_LEAKS_H
#define PMEM_CLI_PRINT_LEAKS_H

#include <stdbool.h>

#include "trend/findings.h"

struct leaks_style {
	size_t most; // sources in a table; the others are summed up
	bool stacks; // each with its whole stack
	bool all;    // also the sources that do not leak
};

// To standard output. Looks up the names of the sources it shows.
void leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

#endif
