// SPDX-License-Identifier: BSD-2-Clause
// models_count: the models (models.h) of values that never fall, and seldom rise.

#ifndef PMEM_CLI_MODELS_COUNT_H
#define PMEM_CLI_MODELS_COUNT_H

#include <stdbool.h>

#include "judge/fit.h"

// Scores as in fit.h, without the odds of events.
struct models_counted {
	double level, curve, ended;
	struct fit leak;
	size_t since, until; // as in struct models
};

// Returns false if the values fall, or rise too often or too seldom.
bool models_count(const struct fit_series *series, struct models_counted *counted);

#endif
