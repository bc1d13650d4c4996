// SPDX-License-Identifier: BSD-2-Clause
// findings: what is found of a source in all processes together: what leaks in any, leaks. The rate
// and the growth are sums of those where it does.

#ifndef PMEM_CLI_HTML_FINDINGS_H
#define PMEM_CLI_HTML_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "html/collect.h"

struct joined {
	const struct collected *of;
	const struct finding *finding; // the first that says so; NULL: none of it
	bool is_leak, has_rate;
	double rate, low, high, growth;
	size_t runs;
};
void joined_add(struct joined *joined, const struct collected *of, const struct finding *finding);
void joined_write(FILE *to, const struct joined *joined, size_t runs);

// A line of `pmem leaks` of a process, behind the source's number.
void findings_write(FILE *to, const struct collected *of, const struct finding *finding, size_t source);

#endif
