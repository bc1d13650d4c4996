// SPDX-License-Identifier: BSD-2-Clause
// findings: joins the findings on a source in all processes. A source that leaks in one process
// leaks. The rate and the growth are sums over the processes in which it leaks.

#ifndef PMEM_CLI_HTML_FINDINGS_H
#define PMEM_CLI_HTML_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"

struct joined {
	const struct collected *of;
	const struct finding *finding; // the first one that says so; NULL if the source has no finding
	bool is_leak, has_rate;
	double rate, low, high, growth;
	size_t runs;
};
void joined_add(struct joined *joined, const struct collected *of, const struct finding *finding);
void joined_write(FILE *to, const struct joined *joined, size_t runs);

// Writes a process's line of `pmem leaks`, after the source's number.
void findings_write(FILE *to, const struct collected *of, const struct finding *finding, size_t source);

#endif
