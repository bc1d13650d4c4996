// SPDX-License-Identifier: BSD-2-Clause
// rise_test: tests the rise from an onset, the point at which it seems to begin, to the end of a
// series. Does the floor rise by more than chance explains? If so, may the rise be something else
// than a leak?

#ifndef PMEM_CLI_RISE_TEST_H
#define PMEM_CLI_RISE_TEST_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// A rise to be tested, from one onset on.
struct rise_candidate {
	struct stretch stretch;
	struct curve curve;
	double evidence; // evidence for a line that rises, against a level (curve_rises())
	double enough; // minimum of `evidence`, unless blocks turn over (shape.h): then more is needed
	// true if the sign test is enough for a rise whose floor hardly ever falls. Then `evidence` is
	// not required
	bool by_signs;
	// true if the stretch is the whole series, as it was measured (no wave was subtracted), and the
	// second half of its windows has about as many snapshots as the first half
	bool is_whole;
};

// Returns true if the rise slows down: a curve that slows down fits clearly better than a line.
bool rise_test_slows(const struct rise_candidate *candidate);

// Returns the verdict on a rise that slows down: VERDICT_SETTLES if the curve is level at its end,
// otherwise VERDICT_SLOWS.
enum verdict rise_test_verdict(const struct curve *curve);

// Sets slope, interval and growth in *trend for the rise from the first point of the stretch to the
// last.
void rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend);

// Returns true and sets *trend if there is a rise that chance does not explain. The verdict in
// *trend says whether the rise is a leak. `all` is the whole series. `tries` is the number of
// onsets that are tried. With more onsets, a rise by chance from one of them is likelier.
bool rise_test(const struct stretch *all, const struct rise_candidate *candidate,
	size_t tries, struct trend *trend);

#endif
