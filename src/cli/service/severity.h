// SPDX-License-Identifier: BSD-2-Clause
// severity: ranks a process among many by how much there is to report about it.

#ifndef PMEM_CLI_SEVERITY_H
#define PMEM_CLI_SEVERITY_H

#include <stdbool.h>

#include "trend/findings.h"

// The processes are printed in this order.
enum severity {
	SEVERITY_LEAKS,
	// no sure leak. But live memory or memory outside of blocks grows, a leak is less sure, or the
	// log lacks bytes or calls
	SEVERITY_REMARK,
	// too few snapshots to judge, or too short a time. After that the process was not silent for so
	// long that its memory surely no longer changes
	SEVERITY_SHORT,
	SEVERITY_NONE,
};

// Returns the severity of a process. `min_time` is in milliseconds, as in struct leaks_asked
// (trend/evidence.h). A log of a shorter time only shows how a process starts.
enum severity severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time);

// Returns true if the snapshots are too few, or span less than min_time. Such snapshots only show
// how a process starts.
bool severity_is_brief(const struct history_span *span, double min_time);

// Returns the word for the process's most important result, for a table of many processes.
const char *severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time);

#endif
