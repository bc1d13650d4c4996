// SPDX-License-Identifier: BSD-2-Clause
// rise_test: tests one beginning. Does the floor rise from there on more than by chance? May the
// rise be something else than a leak?

#ifndef PMEM_CLI_RISE_TEST_H
#define PMEM_CLI_RISE_TEST_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// What makes a rise credible.
struct rise_criteria {
	double growth;
	double evidence; // for a line, and against a level
	bool by_signs;   // a rise that hardly ever falls counts instead of `evidence`
	double noise;    // variance of the floors' noise. 0 if not known
};

// A rise to be tested, from one onset on.
struct rise_candidate {
	struct stretch stretch;
	struct curve curve;
	double evidence; // as in struct rise_criteria
	bool is_young;
	bool is_whole;   // the stretch is the whole series, with equally many snapshots in each part
	double noise;    // as in struct rise_criteria
};

// Returns true if the rise slows down: the curve fits, and the line does not.
bool rise_test_slows(const struct rise_candidate *candidate);

// Returns the verdict of a rise that slows down.
enum verdict rise_test_verdict(const struct curve *curve);

// Sets slope and growth of `trend` for a rise that fills the stretch.
void rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend);

// Returns true and sets *trend if there is a rise that chance does not explain. `tries` is the
// number of onsets that could have been tried.
bool rise_test(const struct stretch *all, const struct rise_candidate *candidate,
	size_t tries, const struct rise_criteria *criteria, struct trend *trend);

#endif
