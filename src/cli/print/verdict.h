// verdict: what the findings are in all, in sentences, then tables of the sources.

#ifndef PMEM_CLI_VERDICT_H
#define PMEM_CLI_VERDICT_H

#include "print/leaktable.h"

// To standard output. `all`: sources that do not leak as well.
void verdict_print(const struct findings *findings, const struct history *history,
	const struct leaktable *style, bool all);

#endif
