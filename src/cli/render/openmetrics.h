// SPDX-License-Identifier: BSD-2-Clause
// openmetrics: writes the answer of `pmem leaks` as metrics for Prometheus. FORMAT.md has them.
//
// The text is valid by two formats: OpenMetrics 1.0, and the older text format 0.0.4. node_exporter's
// textfile collector reads only the older one. The older format has no types `info` and `stateset`. So all
// metrics are gauges. Lines `# UNIT` and `# EOF` are comments there.

#ifndef PMEM_CLI_OPENMETRICS_H
#define PMEM_CLI_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/report.h"
#include "rows/grouping.h"

// Metrics are for few series, each of which costs memory in Prometheus.
enum {
	OPENMETRICS_LINES = 10,      // the worst lines of all processes, unless -n says how many
	OPENMETRICS_PROCESSES = 100, // the worst processes; the others are counted
	OPENMETRICS_LABEL = 120,     // bytes of a label's value
};

// Writes all metrics, with at most `most` lines. `is_whole` is false if a log could not be read
// completely. The arguments `by` and `with_lines` are those of struct grouping.
void openmetrics_print(FILE *to, const struct report *report, size_t most, bool is_whole,
	enum grouping_by by, bool with_lines);

#endif
