// SPDX-License-Identifier: BSD-2-Clause
// finding: applies trend.h to one source of a history, or to the process. All known points are
// judged. If the process's start is most of its work, the points behind the start are judged
// alone, too. Otherwise a leak that is small beside a start would not show for hours.

#ifndef PMEM_CLI_FINDING_H
#define PMEM_CLI_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/evidence.h"

// Returns true if most of the process's work is growth of live. Such work slows down as a cache
// fills, and only the clock can tell. `live` has the process's points.
bool finding_is_its_work(const struct trend_point *live, size_t count);

// Judges a finding whose `number` and `source` are set. Returns the known growth, or 0 if it is
// not known.
double finding_judge(struct finding *finding, struct history *history,
	const struct history_span *span, bool is_its_work, double least);
void finding_judge_gauge(struct finding *finding, struct history *history, enum gauge gauge,
	double least);

// Writes the points that it was judged by, at most TREND_MAX. Returns their number.
size_t finding_points(const struct finding *finding, struct history *history,
	struct trend_point *points);

#endif
