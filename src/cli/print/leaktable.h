// leaktable: tables of sources that leak, and of those that do not. To standard output.

#ifndef PMEM_CLI_LEAKTABLE_H
#define PMEM_CLI_LEAKTABLE_H

#include <stdbool.h>

#include "trend/findings.h"

struct leaktable {
	size_t most; // sources in it; the others are summed up
	bool stacks; // each with its whole stack
};

void leaktable_print(const struct findings *findings, const struct history *history,
	const struct leaktable *style);
void leaktable_print_others(const struct findings *findings, const struct history *history,
	const struct leaktable *style);

#endif
