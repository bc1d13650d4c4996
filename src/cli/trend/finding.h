// SPDX-License-Identifier: BSD-2-Clause
// finding: what trend.h makes of one source of a history, or of the process: by all that is known
// of it; and where the process's start is most of its work, by what came behind that alone, too. A
// leak that is small beside a start would not show for hours otherwise.

#ifndef PMEM_CLI_FINDING_H
#define PMEM_CLI_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/evidence.h"

// By the points of live: most of the process's work is that live grows. That goes slower and slower
// as a cache fills, and the clock alone can tell.
bool finding_is_its_work(const struct trend_point *live, size_t count);

// Its number is set, and its source. What it is known to have grown by; 0 where that is not known.
double finding_judge(struct finding *finding, struct history *history,
	const struct history_span *span, bool is_its_work, double least);
void finding_judge_gauge(struct finding *finding, struct history *history, enum gauge gauge,
	double least);

// The points that it was judged by: TREND_MAX at most, and how many.
size_t finding_points(const struct finding *finding, struct history *history,
	struct trend_point *points);

#endif
