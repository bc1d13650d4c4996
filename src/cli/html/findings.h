// SPDX-License-Identifier: BSD-2-Clause
// findings: joins the findings of one source in several processes. A source leaks if it leaks in
// one process. Its rate and its growth are sums over the processes in which its leak is surest. Rates
// of processes that never ran at one time are not added. If several stacks of one line are judged
// together, the one that grew most has their finding, and each other one only its verdict.

#ifndef PMEM_CLI_HTML_FINDINGS_H
#define PMEM_CLI_HTML_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/report.h"

struct joined {
	const struct report_process *of;
	// the first leak that is surest; if the source leaks nowhere, its first finding; or
	// NULL
	const struct report_finding *finding;
	bool is_leak, has_rate;
	bool is_part; // the finding is that of another source, which has the same line
	// rates of each process; NULL if there are none, or no longer needed
	struct joined_rates {
		struct report_rates rate, low, high;
	} *rates;
	double hourly; // the highest sum of the rates at one time; set by joined_write()
	double growth;
	size_t runs; // number of processes that are in these sums
};
void joined_add(struct joined *joined, const struct report_process *of, const struct report_finding *finding);

// Returns true if it is a leak for sure.
bool joined_leaks(const struct joined *joined);

// Frees the rates.
void joined_free(struct joined *joined);

// Writes the findings. Keeps the rates of a leak in several processes for groups.h.
void joined_write(FILE *to, struct joined *joined, size_t runs);

// Writes the source's number, and what `pmem leaks` says of the source in one process.
void findings_write(FILE *to, const struct report_process *of,
	const struct report_finding *finding, size_t source);

#endif
