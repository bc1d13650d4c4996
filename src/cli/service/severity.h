// SPDX-License-Identifier: BSD-2-Clause
// severity: how much there is to report of a process among many.

#ifndef PMEM_CLI_SEVERITY_H
#define PMEM_CLI_SEVERITY_H

#include <stdbool.h>

#include "trend/findings.h"

// In the order of printing.
enum severity {
	SEVERITY_LEAKS,
	SEVERITY_REMARK, // something else grows, or less surely; or the log lacks something
	SEVERITY_SHORT,  // the snapshots are too few or too brief, and it is not known to stand still
	SEVERITY_NONE,
};

// Returns the severity of a process. `min_time` is as in findings.h: what is shorter only shows
// how a process starts.
enum severity severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time);

// Returns true if the snapshots alone are too few or too brief: they show only the beginning.
bool severity_is_brief(const struct history_span *span, double min_time);

// Returns the word for a process in a table of many: its most important result.
const char *severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time);

#endif
