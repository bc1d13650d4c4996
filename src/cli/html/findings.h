// SPDX-License-Identifier: BSD-2-Clause
// findings: joins the findings of one source in several processes. A source leaks if it leaks in
// one process. Its rate and its growth are sums over the processes in which its leak is surest. Rates
// are only added for processes that ran at the same time. If several stacks of one line are judged
// together, the stack that grew most has the finding. The other stacks have only its verdict.

#ifndef PMEM_CLI_HTML_FINDINGS_H
#define PMEM_CLI_HTML_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/report.h"

struct joined {
	const struct report_process *of;
	// the surest leak, the first of equally sure ones; without a leak, the first finding; or NULL
	const struct report_finding *finding;
	bool is_leak, has_rate;
	bool is_part; // the finding belongs to another source of the same line
	// rates of each process; NULL if there are none, or if they are no longer needed
	struct joined_rates {
		struct report_rates rate, low, high;
	} *rates;
	double hourly; // the highest sum of rates at one time; set by joined_write()
	double growth;
	size_t runs; // number of processes in these sums
};
void joined_add(struct joined *joined, const struct report_process *of, const struct report_finding *finding);

// Returns true if the source surely leaks.
bool joined_leaks(const struct joined *joined);

// Frees the rates.
void joined_free(struct joined *joined);

// Writes the findings. Keeps the rates of a leak in several processes for groups.h.
void joined_write(FILE *to, struct joined *joined, size_t runs);

// Writes the source's number, and the finding of `pmem leaks` for the source in one process.
void findings_write(FILE *to, const struct report_process *of,
	const struct report_finding *finding, size_t source);

#endif
