// SPDX-License-Identifier: BSD-2-Clause
// severity: how much there is to say of a process, where there are many.

#ifndef PMEM_CLI_SEVERITY_H
#define PMEM_CLI_SEVERITY_H

#include <stdbool.h>

#include "trend/findings.h"

// In the order in which they are printed.
enum severity {
	SEVERITY_LEAKS,
	SEVERITY_REMARK, // something else grows, or less surely; or the log lacks something
	SEVERITY_SHORT,  // too short or too few snapshots to tell, and not known to stand still since
	SEVERITY_NONE,
};

// `min_time` as for findings.h: what is shorter tells only how a process starts.
enum severity severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time);

// By its snapshots alone it is too short to tell: they say how it began.
bool severity_is_brief(const struct history_span *span, double min_time);

// The word for a process in a table of many: what most is said of it.
const char *severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time);

#endif
