// SPDX-License-Identifier: BSD-2-Clause
// finding: applies trend.h to one source of a history, or to the process. All known points are
// judged. Time is work: bytes allocated and freed (timeline.h). If the process does most of its
// work as it starts, the points after the start are also judged alone. Otherwise a leak that is
// small beside the start's growth would not show for hours.

#ifndef PMEM_CLI_FINDING_H
#define PMEM_CLI_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/evidence.h"

// Returns true if most of the process's work (bytes allocated and freed) is growth of its live
// bytes. An example is a process that only fills a cache. As the cache fills, growth and work slow
// down together. So only growth by the clock slows down. Growth by work does not. live[] has the
// process's points.
bool finding_is_its_work(const struct trend_point *live, size_t count);

// Judges finding->source, which has the number finding->number in the history. `is_its_work` is the
// result of finding_is_its_work(). Growth below `least` bytes does not count. Returns the growth in
// bytes from the source's first floor (least live bytes of a window) to its last. Returns 0 if the
// growth is not known.
double finding_judge(struct finding *finding, struct history *history,
	const struct history_span *span, bool is_its_work, double least);
// Does the same as finding_judge(), for a gauge: a value of the process as a whole.
void finding_judge_gauge(struct finding *finding, struct history *history, enum gauge gauge,
	double least);

// Writes the points by which the finding was judged. Returns their number, at most TREND_MAX.
size_t finding_points(const struct finding *finding, struct history *history,
	struct trend_point *points);

// Returns by how many bytes points have grown since clock time `began`.
double finding_growth_since(const struct trend_point *points, size_t count, double began);

#endif
