// SPDX-License-Identifier: BSD-2-Clause
// trend: a judge's answer (judge/judge.h) on a series of live bytes in the reader's words: whether it leaks,
// by how much, and what it is instead.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_TREND_H
#define PMEM_CLI_TREND_H

#include <stddef.h>

#include "judge/judge.h"
#include "trend/verdict.h"

// Judges a series of `count` points, at most TREND_MAX. Growth below `least` bytes does not count.
struct trend trend_judge(const struct trend_point *points, size_t count, double least);

// Returns a judgement in the reader's words, with the growth since its onset.
struct trend trend_of(const struct judgement *judgement, const struct trend_point *points, size_t count);

#endif
