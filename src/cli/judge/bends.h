// SPDX-License-Identifier: BSD-2-Clause
// bends: fits (fit.h) of lines that begin at some value of a series.
//
// A line is zero before the value at which it begins, and rises from there on. The products of two
// such lines follow from a few sums over the later values. So each is found in constant time.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_BENDS_H
#define PMEM_CLI_BENDS_H

#include "judge/fit.h"

// Sums over all values after one: times t, times u of the values before these, values y and v.
struct bends_sums {
	double count, t, u, tt, tu, uu, y, v, ty, tv_uy, uv;
};

struct bends {
	const struct fit_series *series;
	struct bends_sums after[FIT_MAX];
};

void bends_prepare(struct bends *bends, const struct fit_series *series);

// Returns the line that begins at value `from`.
struct fit_shape bends_line(const struct bends *bends, size_t from);

// Fits a line that begins at value `from`.
struct fit bends_fit_line(const struct bends *bends, size_t from);

// Fits a rise from one value to another, and a level after it.
struct fit bends_fit_ended(const struct bends *bends, size_t from, size_t to);

// Fits a rise from the first value to another, and a line that begins then or later.
struct fit bends_fit_two(const struct bends *bends, size_t to, size_t since);

#endif
