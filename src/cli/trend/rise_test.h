// SPDX-License-Identifier: BSD-2-Clause
// rise_test: from one beginning on, is there a rise of the floor that is no chance, and may it be
// something else than a leak?

#ifndef PMEM_CLI_RISE_TEST_H
#define PMEM_CLI_RISE_TEST_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// What a rise must show to be believed.
struct rise_criteria {
	double growth;
	double evidence; // for a line, and against a level
	bool by_signs;   // instead, that it hardly ever falls
	double noise;    // variance of that of floors, where it is known; 0: it is not
};

// A rise to be tested, from one beginning on.
struct rise_candidate {
	struct stretch stretch;
	struct curve curve;
	double evidence; // as in struct rise_criteria
	bool is_young;
	bool is_whole;   // the series from its beginning on, of which each part tells as much
	double noise;    // as in struct rise_criteria
};

// It slows down: as a curve that it is, and the line is not.
bool rise_test_slows(const struct rise_candidate *candidate);

// What it does then.
enum verdict rise_test_verdict(const struct curve *curve);

// How much there is from one point on, and how steep, when that is a rise.
void rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend);

// False: there is none but what chance makes, of so many beginnings that could have been tried.
// Else *trend says what it is.
bool rise_test(const struct stretch *all, const struct rise_candidate *candidate,
	size_t tries, const struct rise_criteria *criteria, struct trend *trend);

#endif
