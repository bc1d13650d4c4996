// SPDX-License-Identifier: BSD-2-Clause
// oscillation: says how far and how often a series goes up and down, and gives the verdict on a
// series that does not leak. A tooth is a rise over many windows that ends in a sudden fall, as in
// a saw-tooth. The last tooth of a series looks like a leak until it falls.

#ifndef PMEM_CLI_OSCILLATION_H
#define PMEM_CLI_OSCILLATION_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	OSCILLATION_TEETH = 3, // a series goes up and down if it has at least this many falls
};

// Returns the distance from the lowest floor to the highest peak.
double oscillation_range(const struct trend_point *points, size_t count);

// Returns the number of falls by `much` or more, each after a rise by `much` or more.
unsigned oscillation_count(const struct trend_point *points, size_t count, double much);

// The series rises by `growth` bytes from the onset to the end. Returns true if this rise seems to
// be a tooth whose fall has not come yet.
bool oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth);

// Returns the verdict on a series in which no leak was found. If the series' range is below `least`
// bytes, returns VERDICT_FLAT.
enum verdict oscillation_verdict(const struct trend_point *points, size_t count,
	double least);

// Returns true if the floor's median change between neighbouring points is more than its growth since
// the onset. Such a rise may be an artefact: each snapshot shows a tooth a little later than the
// snapshot before. In q snapshots a tooth, floors rise by a qth of the tooth at most, and neighbours
// differ by a qth. Returns false if windows have more snapshots than such a tooth.
bool oscillation_is_sampled_late(const struct trend_point *points, size_t count,
	const struct trend *trend);

#endif
