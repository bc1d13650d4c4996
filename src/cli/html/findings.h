// SPDX-License-Identifier: BSD-2-Clause
// findings: joins the findings of one source in several processes. A source leaks if it leaks in
// one process. Its rate and its growth are sums over the processes in which its leak has the
// strongest standing (evidence.h). If several stacks of one line are judged together, the one that
// grew most has their finding, and each other one only its verdict.

#ifndef PMEM_CLI_HTML_FINDINGS_H
#define PMEM_CLI_HTML_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"

struct joined {
	const struct collected *of;
	// the first leak of the strongest standing; if the source leaks nowhere, its first finding; or
	// NULL
	const struct finding *finding;
	bool is_leak, has_rate;
	bool is_part; // the finding is that of another source, which has the same line
	double rate, low, high, growth;
	size_t runs; // number of processes that are in these sums
};
void joined_add(struct joined *joined, const struct collected *of, const struct finding *finding);
void joined_add_part(struct joined *joined, const struct collected *of,
	const struct finding *finding);
void joined_write(FILE *to, const struct joined *joined, size_t runs);

// Writes the source's number, and what `pmem leaks` says of the source in one process.
void findings_write(FILE *to, const struct collected *of, const struct finding *finding, size_t source);

#endif
